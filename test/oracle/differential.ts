/** Holds what the package says of random pairs of worlds against the oracle. */
import fc from "../support/fast-check";
import { AddressSet } from "../../src/schema/addresses/address-set";
import { blockOf } from "../../src/schema/addresses/block";
import { accessAnswer } from "../../src/tools/access/access-answer";
import type { ResourceAccess } from "../../src/tools/access/access-answer";
import { placeLosses } from "../../src/tools/access/kept-access";
import { accessTestFailures } from "../../src/tools/access/access-tests";
import type { AccessTest } from "../../src/tools/access/access-tests";
import type { Inventory } from "../../src/tools/inventory/inventory";
import { ClientLog } from "../../src/tools/access/client-log";
import { clientChanges } from "../../src/tools/review/client-changes";
import { json } from "../../src/tools/review/output/json-report";
import { review } from "../../src/tools/review/review";
import { compareAccess } from "../../src/tools/review/access/compare";
import { accessReport } from "../../src/tools/review/access/access-report";
import type { AccessItem, AccessReport } from "../../src/tools/review/access/access-report";
import { readPreview } from "../../src/tools/inventory/read-preview";
import type { Preview as PreviewWorld } from "../../src/tools/inventory/read-preview";
import { found } from "./found";
import {
  differencesAt,
  endsOf,
  expectations,
  guardAfter,
  holds,
  isLetInAsKnown,
  isOpen,
  kinds,
  levelOf,
  verdictOf,
} from "./oracle";
import type { Answers, Guard, Kind, Verdict } from "./oracle";
import { contains, embedded, intervalOf, intervalsText, joined, pieces, rangeOf, text } from "./ranges";
import type { Interval, Range } from "./ranges";
import {
  accountOf,
  beside,
  issuer,
  moduleTypes,
  otherwise,
  plain,
  previewText,
  resourcesOf,
  stackOf,
} from "./states";
import { guardOf, isMirrored, pairs, placeTypes, rangesIn } from "./worlds";
import type { Pair, Question, Switch, View, World } from "./worlds";
import { situationsOf, wanted } from "./situations";

/** The number of questions by kind, and of pairs by situation. */
export type Counts = Record<string, number>;

function count(counts: Counts, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

const now = Date.parse("2026-11-21T12:00:00Z");
const asText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

function expectEqual(what: string, found: unknown, wanted: unknown): void {
  const [one, other] = [found, wanted].map((each) => JSON.stringify(each, asText));
  if (one !== other) throw new Error(`${what}: ${one}, and the oracle says ${other}`);
}

/** The ranges that the package prints, as sorted intervals that do not touch. */
function printed(cidrs: readonly string[]): string {
  return intervalsText(joined(cidrs.map((each) => intervalOf(rangeOf(each)))));
}

/** What is asked about, with the verdicts of the oracle on each piece. */
interface Asked {
  readonly source: string;
  readonly inventory: Inventory;
  readonly world: World;
  readonly view: View;
  readonly guards: readonly (Guard | undefined)[];
  readonly verdicts: readonly (readonly Verdict[])[];
}

function asked(
  source: string,
  inventory: Inventory,
  world: World,
  view: View,
  pair: Pair,
  all: readonly Interval[],
): Asked {
  // An account shows no module without settings.
  const isShown = (place: number, uses: readonly number[]): boolean =>
    view !== "account" || placeTypes[place] !== "TlsEdgeIpRestriction" || uses.length > 0;
  const guards = world.places.map(({ exists, uses }, place) =>
    exists && isShown(place, uses)
      ? guardOf(world, place, view, view === "after" ? pair.before : world)
      : undefined,
  );
  const verdicts = guards.map((guard) =>
    guard ? all.map((each) => verdictOf(guard, each, pair.answers)) : [],
  );
  return { source, inventory, world, view, guards, verdicts };
}

/** The ranges of each verdict; of the ranges that were asked about only. */
function byVerdict(
  all: readonly Interval[],
  verdicts: readonly string[],
  query: readonly Interval[] | undefined,
): [verdict: string, ranges: string][] {
  const isAsked = (each: Interval): boolean => query?.some((range) => contains(range, each)) ?? true;
  const asked = all.map((each, i) => ({ each, verdict: verdicts[i]! })).filter(({ each }) => isAsked(each));
  const groups = [...Map.groupBy(asked, ({ verdict }) => verdict)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([verdict, group]) => [verdict, intervalsText(joined(group.map(({ each }) => each)))]);
}

function nameOf({ view }: Asked, place: number): string {
  const type = placeTypes[place]!;
  return `${type} ${view === "account" && type === "TlsEdgeIpRestriction" ? "edgtls_1" : `place${place}`}`;
}

/** Everything that `access --json` prints about each place, of all addresses or of some ranges. */
function askVerdicts(
  it: Asked,
  all: readonly Interval[],
  answers: Answers,
  counts: Counts,
  ranges?: readonly Range[],
): void {
  const blocks = ranges?.map((each) => blockOf(`${text(each)}/${each.prefix}`)!);
  const query = blocks && AddressSet.ofBlocks(blocks);
  const { resources } = accessAnswer(it.inventory, query, answers);
  for (const [place, guard] of it.guards.entries()) {
    const found = resources.find(({ type, name }) => `${type} ${name}` === nameOf(it, place));
    expectEqual(`${it.source}, ${nameOf(it, place)} is there`, found !== undefined, guard !== undefined);
    if (!found) continue;
    const verdicts = it.verdicts[place]!;
    const shown = found.pieces.map((piece): [string, string] => [piece.verdict, printed(piece.ranges)]);
    const wanted = byVerdict(all, verdicts, ranges?.map(intervalOf));
    const sorted = shown.sort(([a], [b]) => (a < b ? -1 : 1));
    expectEqual(`${it.source}, ${nameOf(it, place)}`, sorted, wanted);
    for (const verdict of new Set(verdicts)) count(counts, `${it.source} ${verdict}`);
  }
  askGates(it, resources, counts);
}

/** "It lists all gates of the same edge or route": whether each is on, and its issuer or provider. */
function askGates(
  { source, world, view }: Asked,
  resources: readonly ResourceAccess[],
  counts: Counts,
): void {
  const isOn = (value: Switch): boolean | "unknown" =>
    value === "on" || value === "off" ? value === "on" : view === "account" ? true : "unknown";
  const details = [issuer, "codeHost", "CODE_HOST"];
  const route = world.modules.flatMap((value, i) =>
    value === "none" ? [] : [{ type: moduleTypes[i]!, isOn: isOn(value), detail: details[i] }],
  );
  for (const { type } of route) {
    const { pieces: shown, gates } = resources.find((each) => each.type === type)!;
    expectEqual(
      `${source}, ${type}`,
      shown.map(({ verdict }) => verdict),
      ["open"],
    );
    const found = gates.map(({ resource, isOn, detail }) => ({ type: resource.split(" ")[0], isOn, detail }));
    const order = (a: { type?: string }, b: { type?: string }): number => (a.type! < b.type! ? -1 : 1);
    expectEqual(`${source}, gates beside ${type}`, found.sort(order), [...route].sort(order));
    count(counts, `${source} route with ${route.length} ${route.length === 1 ? "module" : "modules"}`);
  }
  const traffic = (type: string, name: string, value: Switch): void => {
    const found = resources.find((each) => each.type === type && each.name === name);
    const gate = found?.gates.find(({ by }) => by === "trafficPolicy");
    if (!found) return;
    expectEqual(`${source}, traffic policy of ${name}`, gate?.isOn, value === "none" ? false : isOn(value));
    count(counts, `${source} traffic policy ${value}`);
  };
  for (const [i, value] of world.traffic.entries())
    if (world.places[i]!.exists) traffic("TcpEdge", `place${i}`, value);
  traffic("CloudEndpoint", "site", world.traffic[1]!);
}

function askTests(
  it: Asked,
  all: readonly Interval[],
  { place, ranges }: Question,
  answers: Answers,
  counts: Counts,
): void {
  const guard = it.guards[place];
  if (!guard) return;
  const intervals = ranges.map(intervalOf);
  const wide = [...intervals, ...ranges.flatMap(embedded)];
  const tests = expectations.map((expectation) => {
    const isDenial = expectation === "denied" || expectation === "notAllowed";
    const isAsked = (address: Interval): boolean =>
      (isDenial ? wide : intervals).some((each) => contains(each, address)) !== (expectation === "onlyFrom");
    const verdictsNow = new Set(all.flatMap((each, i) => (isAsked(each) ? [it.verdicts[place]![i]!] : [])));
    const holdsAfter = (year: number): boolean => {
      const then = guardAfter(guard, year);
      const verdicts = new Set(
        all.flatMap((each) => (isAsked(each) ? [verdictOf(then, each, answers)] : [])),
      );
      return holds(then, expectation, verdicts, answers);
    };
    const isHeldNow = holds(guard, expectation, verdictsNow, answers);
    const texts = ranges.map((each) => `${text(each)}/${each.prefix}`);
    const test: AccessTest = { resource: nameOf(it, place), [expectation]: texts };
    return { test, expectation, isHeldNow, isHeld: isHeldNow && endsOf(guard).every(holdsAfter) };
  });
  const failures = accessTestFailures(
    it.inventory,
    tests.map(({ test }) => test),
    answers,
  );
  const failed = new Set(failures.map(({ test }) => test));
  for (const { test, expectation, isHeldNow, isHeld } of tests) {
    expectEqual(`${it.source}, ${JSON.stringify(test)}`, !failed.has(test), isHeld);
    count(counts, `${expectation} ${isHeld ? "holds" : isHeldNow ? "fails later" : "fails"}`);
  }
}

/** What a review prints as JSON. */
interface Reviewed {
  readonly access: AccessReport;
  readonly findings: readonly { readonly rule: string; readonly urn: string }[];
}

function reviewed(preview: PreviewWorld, semantics: Answers): Reviewed {
  return JSON.parse(json(review(preview, { semantics, now }))) as Reviewed;
}

/** The part of a review that compares access: its rules about anything else take most of its time. */
function accessIn(preview: PreviewWorld, answers: Answers): AccessReport {
  return accessReport(compareAccess(preview, answers, now));
}

/** The differences as text; of longer access with its end. */
function differencesOf({ differences }: AccessItem): Record<string, string> {
  const all = differences.map(({ kind, until, cidrs }): [string, string] => [
    until === undefined ? kind : `${kind} until ${until.slice(0, 4)}`,
    printed(cidrs),
  ]);
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function nameOfItem({ type, name }: AccessItem): string {
  return `${type} ${name}`;
}

function wantedDifferences(
  from: Guard,
  to: Guard,
  all: readonly Interval[],
  answers: Answers,
): Record<string, string> {
  if (isOpen(from) || isOpen(to)) return {};
  const found = new Map<string, Interval[]>();
  for (const each of all) {
    for (const [kind, end] of differencesAt(from, to, each, answers)) {
      const name = end === undefined || end === Infinity ? kind : `${kind} until ${end}`;
      found.set(name, [...(found.get(name) ?? []), each]);
    }
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([kind, group]) => [kind, intervalsText(joined(group))]));
}

function askReview(
  { guarded }: AccessReport,
  before: Asked,
  after: Asked,
  all: readonly Interval[],
  answers: Answers,
  counts: Counts,
): void {
  for (const [place, from] of before.guards.entries()) {
    const to = after.guards[place];
    const item = guarded.find((each) => nameOfItem(each) === nameOf(after, place));
    const found = item === undefined ? {} : differencesOf(item);
    const wanted = from && to ? wantedDifferences(from, to, all, answers) : {};
    expectEqual(`the differences of ${nameOf(after, place)}`, found, wanted);
    for (const kind of Object.keys(wanted)) count(counts, kind.replace(/ until .*/, " until an end"));
    if (Object.keys(wanted).length === 0) count(counts, "no difference");
  }
}

const mirrored: readonly (readonly [Kind, Kind])[] = [
  ["newly allowed", "no longer allowed"],
  ["newly denied", "no longer denied"],
];
const rulesOf: Readonly<Record<Kind, string>> = {
  "newly allowed": "access/newly-allowed",
  "no longer denied": "access/deny-removed",
  "no longer allowed": "interruption/access-lost",
  "newly denied": "interruption/access-lost",
  "allowed for longer": "access/allowed-for-longer",
  "denied for a shorter time": "access/allowed-for-longer",
};

/** What is gained on the way there is lost on the way back, at each place, in the table and in the findings. */
function askMirror(there: Reviewed, back: Reviewed, counts: Counts): void {
  const itemsOf = ({ access }: Reviewed): Map<string, AccessItem> =>
    new Map([...access.guarded, ...access.policies].map((item) => [nameOfItem(item), item]));
  const [olds, news] = [itemsOf(there), itemsOf(back)];
  for (const name of new Set([...olds.keys(), ...news.keys()])) {
    const [item, image] = [olds.get(name), news.get(name)];
    const [one, other] = [item, image].map((each) => (each ? differencesOf(each) : {}));
    for (const [kind, mirror] of mirrored) {
      expectEqual(`the mirror of ${kind} at ${name}`, one![kind], other![mirror]);
      expectEqual(`the mirror of ${mirror} at ${name}`, one![mirror], other![kind]);
      count(counts, `mirrored ${one![kind] === undefined && one![mirror] === undefined ? "nothing" : kind}`);
    }
    if (item && image) {
      const sides = ({ before, after }: AccessItem): unknown[] =>
        [before, after].map((side) => side && [side.restricted, side.allowed.cidrs, side.denied.cidrs]);
      expectEqual(`the sides of ${name}`, sides(item), sides(image).reverse());
    }
  }
}

/** The review of a deployment, and the one of the way back. Gives what the first prints of access. */
function askBothWays({ before, after, answers }: Pair, there: Reviewed, counts: Counts): AccessReport {
  const text = previewText(resourcesOf(after, plain), resourcesOf(before, plain, after));
  const back = reviewed(readPreview(text), answers);
  askMirror(there, back, counts);
  askFindings(there);
  askFindings(back);
  return there.access;
}

/** Every difference at a place is a finding about it. */
function askFindings({ access, findings }: Reviewed): void {
  const found = new Set(findings.map(({ rule, urn }) => `${rule} ${urn}`));
  for (const item of [...access.guarded, ...access.policies]) {
    for (const kind of kinds) {
      const isThere = item.differences.some((each) => each.kind === kind);
      const finding = `${rulesOf[kind]} ${item.urn}`;
      if (isThere && item.urn !== undefined) expectEqual(`the finding ${finding}`, found.has(finding), true);
    }
  }
}

function askClients(
  preview: PreviewWorld,
  before: Asked,
  after: Asked,
  all: readonly Interval[],
  answers: Answers,
  counts: Counts,
): void {
  // A log holds texts that no client has as addresses; see docs/access.md, "Real clients".
  const isClient = ({ family, value }: Interval): boolean =>
    family === 4 ? value >> 24n !== 0n : value >> 125n === 1n;
  const clients = all.filter(isClient);
  const log = new ClientLog();
  log.push(Buffer.from(clients.map((each) => `${text(each)}\n`).join("")));
  log.end();
  const changes = clientChanges(preview, log, undefined, answers);
  const levelsOf = (it: Asked, place: number): (number | undefined)[] =>
    all.flatMap((each, i) => {
      if (!isClient(each)) return [];
      const guard = it.guards[place];
      if (guard) return [levelOf(it.verdicts[place]![i]!, guard, answers)];
      return [placeTypes[place] === "TlsEdgeIpRestriction" ? 2 : 0];
    });
  for (const place of before.guards.keys()) {
    const [olds, news] = [levelsOf(before, place), levelsOf(after, place)];
    const moves = olds.map((old, i) => (news[i] ?? NaN) - (old ?? NaN));
    const wanted = [moves.filter((move) => move < 0).length, moves.filter((move) => move > 0).length];
    const change = changes.find(({ type, name }) => `${type} ${name}` === nameOf(after, place));
    const found = [change?.counts.losing.clients ?? 0, change?.counts.gaining.clients ?? 0];
    expectEqual(`the clients of ${nameOf(after, place)} that lose and gain access`, found, wanted);
    count(counts, wanted[0]! + wanted[1]! > 0 ? "clients change" : "clients stay");
  }
}

/** "Kept access": where a kept address got in, or perhaps did, and may not any more. */
function askKept(
  preview: PreviewWorld,
  before: Asked,
  after: Asked,
  all: readonly Interval[],
  { ranges }: Question,
  answers: Answers,
  counts: Counts,
): void {
  const kept = ranges.map((each) => `${text(each)}/${each.prefix}`);
  const found = placeLosses({
    before: preview.before,
    after: preview.after,
    keepAccess: { kept },
    semantics: answers,
  });
  const isKept = (each: Interval): boolean => ranges.some((range) => contains(intervalOf(range), each));
  const levelAt = (it: Asked, place: number, i: number): ReturnType<typeof levelOf> => {
    const guard = it.guards[place];
    if (guard) return levelOf(it.verdicts[place]![i]!, guard, answers);
    return placeTypes[place] === "TlsEdgeIpRestriction" ? 2 : 0;
  };
  for (const place of before.guards.keys()) {
    const lost = all.filter((each, i) => {
      if (!after.guards[place] || !isKept(each)) return false;
      const [old, next] = [levelAt(before, place, i), levelAt(after, place, i)];
      const isLetIn = ({ guards }: Asked, level: typeof old): boolean =>
        level === 2 || (level === undefined && isLetInAsKnown(guards[place]!, each, answers));
      return isLetIn(before, old)
        ? !isLetIn(after, next) || (old === 2 && next !== 2)
        : old !== 0 && next === 0;
    });
    const losses = found.filter(({ on }) => `${on.declaration.type} ${on.name}` === nameOf(after, place));
    const shown = losses.flatMap((loss) => loss.lost.cidrs());
    expectEqual(
      `the kept addresses that lose access to ${nameOf(after, place)}`,
      printed(shown),
      intervalsText(joined(lost)),
    );
    count(counts, lost.length > 0 ? "kept access lost" : "kept access stays");
  }
}

/** Other names, another order, other parts and spellings of ranges are no difference. */
function askSame({ before: world, answers }: Pair): void {
  const ways = [
    ["written otherwise", resourcesOf(world, plain), resourcesOf(world, otherwise, world, true)],
    ["written as before", resourcesOf(world, otherwise), resourcesOf(world, plain, world, true)],
  ] as const;
  for (const [what, olds, news] of ways) {
    const { guarded, policies } = accessIn(readPreview(previewText(olds, news)), answers);
    const found = [...guarded, ...policies].filter(({ differences }) => differences.length > 0);
    expectEqual(
      what,
      found.map((item) => [nameOfItem(item), differencesOf(item)]),
      [],
    );
  }
}

function ask(pair: Pair, counts: Counts): void {
  const { before: old, after: next, answers } = pair;
  const all = pieces(rangesIn(pair));
  const olds = resourcesOf(old, plain);
  const news = resourcesOf(next, plain, old);
  const preview = readPreview(previewText(olds, news));
  const before = asked("before", preview.before, old, "before", pair, all);
  const after = asked("preview", preview.after, next, "after", pair, all);
  const stack = { ...before, source: "stack", inventory: stackOf(olds) };
  const account = asked("account", accountOf(old), old, "account", pair, all);
  for (const [i, each] of [after, stack, account].entries()) {
    const question = pair.questions[i]!;
    askVerdicts(each, all, answers, counts);
    askVerdicts({ ...each, source: `ranges of the ${each.source}` }, all, answers, counts, question.ranges);
    askTests(each, all, question, answers, counts);
  }
  const others = resourcesOf(next, plain);
  const both = readPreview(previewText(beside(olds, others), beside(news, others)));
  for (const each of [
    { ...after, source: "preview of two accounts", inventory: both.after },
    { ...stack, source: "stack of two accounts", inventory: stackOf(beside(olds, others)) },
  ])
    askVerdicts(each, all, answers, counts);
  const there =
    isMirrored(pair) && !pair.isRespelled
      ? askBothWays(pair, reviewed(preview, answers), counts)
      : accessIn(preview, answers);
  askReview(there, before, after, all, answers, counts);
  askClients(preview, before, after, all, answers, counts);
  askKept(preview, before, after, all, pair.questions[0]!, answers, counts);
  if (pair.isRespelled) askSame(pair);
  for (const situation of situationsOf(pair)) count(counts, situation);
}

/** Asks about this many pairs. Throws at the first disagreement, with the smallest pair that shows it. */
export function askPairs(number: number, seed: number): Counts {
  const counts: Counts = {};
  fc.assert(
    fc.property(pairs, (pair) => ask(pair, counts)),
    { seed, numRuns: number, examples: found },
  );
  return counts;
}

/** What a run has not asked about. */
export function missing(counts: Counts): string[] {
  return wanted.filter((what) => counts[what] === undefined);
}
