/** Holds what the package says of random pairs of worlds against the oracle. */
import fc from "fast-check";
import { AddressSet } from "../../src/access/address-set";
import { blockOf } from "../../src/access/block";
import { accessTestFailures } from "../../src/access/tests";
import { guardedThings, verdicts } from "../../src/access/verdicts";
import type { Inventory } from "../../src/inventory/inventory";
import { inventoriesOf } from "../../src/inventory/preview";
import { ClientLog } from "../../src/review/client-log";
import { clientChanges } from "../../src/review/clients";
import { compareAccess } from "../../src/review/access/compare";
import { accessReport } from "../../src/review/access/report";
import type { AccessDifference } from "../../src/review/access/report";
import { readPreview } from "../../src/stack/preview";
import { holds, known, verdictOf } from "./oracle";
import type { Address, Answers, Edge } from "./oracle";
import {
  accountOf,
  addressesOf,
  edgeOf,
  pairs,
  plain,
  previewText,
  resourcesOf,
  stackOf,
  text,
} from "./worlds";
import type { Pair, World } from "./worlds";

const setOf = (cidrs: readonly string[]): AddressSet =>
  AddressSet.ofBlocks(cidrs.map((each) => blockOf(each)!));
const one = (address: Address) => blockOf(text(address))!;

/** The number of questions by kind. */
export type Counts = Record<string, number>;

function count(counts: Counts, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(found)}, and the oracle says ${JSON.stringify(wanted)}`);
}

function askVerdicts(
  source: string,
  inventory: Inventory,
  edge: Edge,
  addresses: readonly Address[],
  answers: Answers,
  counts: Counts,
): void {
  const thing = guardedThings(inventory, answers).find(({ on }) => on.declaration.type === "TcpEdge")!;
  for (const address of addresses) {
    const wanted = verdictOf(edge, address, answers);
    const found = verdicts.filter((each) => thing.byVerdict[each].overlaps(one(address)));
    expectEqual(`${source}, ${text(address)}`, found, [wanted]);
    count(counts, `${source} ${wanted}`);
  }
}

/** The IPv4 address of an IPv6 address that embeds one: a test about it asks about both. */
function embeds({ family, value }: Address): boolean {
  const networks = [0n, 0xffffn, 0xffff0000n, 0x64ff9bn << 64n];
  return family === 6 && (networks.includes(value >> 32n) || value >> 80n === 0x64ff9b0001n);
}

function askTests(
  inventory: Inventory,
  edge: Edge,
  addresses: readonly Address[],
  answers: Answers,
  counts: Counts,
): void {
  for (const address of addresses.slice(0, 6)) {
    const ranges = [text(address)];
    for (const expectation of ["allowed", "denied", "notAllowed"] as const) {
      if (expectation !== "allowed" && embeds(address)) continue;
      const failures = accessTestFailures(
        inventory,
        [{ resource: "TcpEdge *", [expectation]: ranges }],
        answers,
      );
      const isHeld = holds(edge, expectation, address, answers);
      expectEqual(`${expectation} ${ranges[0]}`, failures.length === 0, isHeld);
      count(counts, `${expectation} ${isHeld ? "holds" : "fails"}`);
    }
  }
}

type Kind = AccessDifference["kind"];
const mirrored: readonly [Kind, Kind][] = [
  ["newly allowed", "no longer allowed"],
  ["newly denied", "no longer denied"],
];

function differencesOf(preview: string, answers: Answers): Map<Kind, readonly string[]> {
  // The part of a review that compares access: its rules about anything else take most of its time.
  const read = readPreview(preview);
  const actions = new Map(read.subjects.map(({ urn, action }) => [urn, action]));
  const { differences } = accessReport(compareAccess(inventoriesOf(read), actions, answers)).guarded.find(
    ({ type }) => type === "TcpEdge",
  )!;
  return new Map(differences.map(({ kind, cidrs }) => [kind, cidrs]));
}

function isOpen({ enabled, policies }: Edge): boolean {
  return enabled === false || policies.length === 0;
}

function hasUnknown({ policies, enabled }: World): boolean {
  return (
    enabled === "unknown" ||
    policies.some(({ rules }) => rules.some((each) => Object.values(each).includes("unknown")))
  );
}

function askReview(
  { before, after, answers }: Pair,
  there: string,
  back: string,
  addresses: readonly Address[],
  counts: Counts,
): void {
  const found = differencesOf(there, answers);
  const reverse = differencesOf(back, answers);
  for (const [kind, mirror] of mirrored) {
    expectEqual(`the mirror of ${kind}`, found.get(kind), reverse.get(mirror));
    expectEqual(`the mirror of ${mirror}`, found.get(mirror), reverse.get(kind));
  }
  const [from, to] = [edgeOf(before), edgeOf(after)];
  if (isOpen(from) || isOpen(to)) return;
  const isDecided = answers.unmatched !== "unknown" || answers.empty !== "unknown";
  for (const address of addresses) {
    const [old, next] = [known(from, address, answers), known(to, address, answers)];
    const [gained, lost] = [next.letsIn && !old.letsIn, old.letsIn && !next.letsIn];
    const wanted: [Kind, boolean][] = [
      ["newly allowed", gained],
      ["no longer allowed", lost],
      ["newly denied", next.keepsOut && !old.keepsOut && !(isDecided && lost)],
      ["no longer denied", old.keepsOut && !next.keepsOut && !(isDecided && gained)],
    ];
    for (const [kind, isIn] of wanted) {
      const isFound = setOf(found.get(kind) ?? []).overlaps(one(address));
      expectEqual(`${kind} ${text(address)}`, isFound, isIn);
      count(counts, `${kind} ${isIn}`);
    }
  }
}

function askClients(
  { before, after, answers }: Pair,
  preview: string,
  addresses: readonly Address[],
  counts: Counts,
): void {
  const clients = addresses.filter(({ family, value }) =>
    family === 4 ? value >> 24n !== 0n : value >> 125n === 1n,
  );
  const log = new ClientLog();
  log.push(Buffer.from(clients.map((each) => `${text(each)}\n`).join("")));
  log.end();
  const [change] = clientChanges(readPreview(preview), log, undefined, answers);
  const level = (edge: Edge, address: Address): number | undefined => {
    const verdict = verdictOf(edge, address, answers);
    if (verdict === "unknown") return undefined;
    if (verdict === "allowed" || verdict === "open") return 2;
    return holds(edge, "notAllowed", address, answers) ? 0 : 1;
  };
  const moves = clients.map((each) => [level(edgeOf(before), each), level(edgeOf(after), each)] as const);
  const of = (isMove: (a: number, b: number) => boolean): number =>
    moves.filter(([a, b]) => a !== undefined && b !== undefined && isMove(a, b)).length;
  const wanted = [of((a, b) => b < a), of((a, b) => b > a)];
  const found = [change?.counts.losing.clients ?? 0, change?.counts.gaining.clients ?? 0];
  expectEqual("the clients that lose and gain access", found, wanted);
  count(counts, wanted[0]! + wanted[1]! > 0 ? "clients change" : "clients stay");
}

function ask(pair: Pair, counts: Counts): void {
  const { before, after, answers } = pair;
  const addresses = addressesOf(pair);
  const [olds, news] = [resourcesOf(before, plain), resourcesOf(after, plain)];
  const [there, back] = [previewText(olds, news), previewText(news, olds)];
  const inventories = inventoriesOf(readPreview(there));
  askVerdicts("preview", inventories.after, edgeOf(after), addresses, answers, counts);
  askTests(inventories.after, edgeOf(after), addresses, answers, counts);
  askVerdicts("stack", stackOf(olds), edgeOf(before), addresses, answers, counts);
  askVerdicts("account", accountOf(before), edgeOf(before, true), addresses, answers, counts);
  askClients(pair, there, addresses, counts);
  if (!hasUnknown(after)) askReview(pair, there, back, addresses, counts);
  const renamed = resourcesOf(before, { suffix: "-new", isReversed: true, isSplit: true });
  expectEqual(
    "renamed, split and in another order",
    [...differencesOf(previewText(olds, renamed), answers)],
    [],
  );
  expectEqual("merged again", [...differencesOf(previewText(renamed, olds), answers)], []);
}

/** Asks about this many pairs. Throws at the first disagreement, with the smallest pair that shows it. */
export function askPairs(number: number, seed: number): Counts {
  const counts: Counts = {};
  fc.assert(
    fc.property(pairs, (pair) => ask(pair, counts)),
    { seed, numRuns: number },
  );
  return counts;
}

export function countsText(number: number, seed: number, counts: Counts): string {
  const texts = Object.entries(counts)
    .sort()
    .map(([what, times]) => `${what} ${times}`);
  return `The oracle agrees about ${number} pairs from seed ${seed}: ${texts.join(", ")}\n`;
}
