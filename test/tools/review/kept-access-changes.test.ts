/**
 * Every change of a table of who may get in: the review's rule of kept access reports exactly the addresses that are no longer
 * certainly let in where they were. Who gets in is computed here, one address at a time, from docs/access.md.
 */
import { cases } from "../../support/cases";
import { reviewText, writtenPreview } from "./support";
import type { Written } from "./support";

type Rules = Readonly<Record<string, "allow" | "deny">>;
type PolicyName = "one" | "two";
type PlaceType = "TcpEdge" | "TlsEdgeIpRestriction";
type Uses = readonly PolicyName[] | "absent";

/** A row of the table: the rules of the first policy, and the policies of the place. */
interface Row {
  readonly rules: Rules;
  readonly uses: Uses;
}
interface Change {
  readonly type: PlaceType;
  readonly before: Row;
  readonly after: Row;
}

/** The office is kept. One address of each of its halves stands for the half. */
const keepAccess = { office: ["203.0.113.0/24"] };
const halves = ["203.0.113.0/25", "203.0.113.128/25"] as const;
const halvesIn: Readonly<Record<string, readonly string[]>> = {
  "203.0.113.0/24": halves,
  [halves[0]]: [halves[0]],
  [halves[1]]: [halves[1]],
};
const ranges = Object.keys(halvesIn);
/** The rules of the second policy never change. */
const second: Rules = { [halves[0]]: "allow" };

/** Every way to allow and deny the ranges. */
const lists = ranges.reduce<Rules[]>(
  (all, range) => all.flatMap((own) => [own, { ...own, [range]: "allow" }, { ...own, [range]: "deny" }]),
  [{}],
);
const everyUses: readonly Uses[] = ["absent", [], ["one"], ["two"], ["one", "two"]];
const types: readonly PlaceType[] = ["TcpEdge", "TlsEdgeIpRestriction"];

const table: readonly Change[] = [
  ...[["one"], ["one", "two"], []].flatMap((uses) =>
    lists.flatMap((rules) =>
      lists.flatMap((next): Change[] => [
        {
          type: "TcpEdge",
          before: { rules, uses: uses as Uses },
          after: { rules: next, uses: uses as Uses },
        },
      ]),
    ),
  ),
  ...types.flatMap((type) =>
    lists.flatMap((rules) =>
      everyUses.flatMap((uses) =>
        everyUses.map((next): Change => ({ type, before: { rules, uses }, after: { rules, uses: next } })),
      ),
    ),
  ),
].filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));

/** What `npm test` takes of it. */
const changes = table.filter((_, i) => i % cases(11, 1) === 0);

/** 2: certainly in; 0: certainly not; 1: nobody can say. */
type Level = 0 | 1 | 2;

function levelBy(policies: readonly Rules[], half: string): Level {
  const covers = (wanted: string): boolean =>
    policies.some((own) =>
      Object.entries(own).some(([range, action]) => action === wanted && halvesIn[range]!.includes(half)),
    );
  const [allows, denies] = [covers("allow"), covers("deny")];
  if (allows || denies) return allows && denies ? 1 : allows ? 2 : 0;
  return policies.every((own) => Object.values(own).includes("allow")) ? 0 : 1;
}

function levelAt(type: PlaceType, { rules, uses }: Row, half: string): Level {
  // An edge without its module is open; one that does not exist serves nobody.
  if (uses === "absent") return type === "TcpEdge" ? 0 : 2;
  if (uses.length === 0) return 2;
  return levelBy(
    uses.map((name) => (name === "one" ? rules : second)),
    half,
  );
}

/** Whether a policy that no edge uses perhaps lets a half in, because it only denies others. */
function isBesideDenyRules(rules: Rules, half: string): boolean {
  const entries = Object.entries(rules);
  const isOfOthers = entries.every(
    ([range, action]) => action === "deny" && !halvesIn[range]!.includes(half),
  );
  return entries.length > 0 && isOfOthers;
}

/** Where each half loses access. */
function losses({ type, before, after }: Change): string[] {
  const isLost = (old: Level, next: Level): boolean => (old === 2 ? next !== 2 : old === 1 && next === 0);
  const place = halves.filter(
    (half) => after.uses !== "absent" && isLost(levelAt(type, before, half), levelAt(type, after, half)),
  );
  const isUsed = [before, after].some(({ uses }) => uses.includes("one"));
  const policy = halves.filter((half) => {
    const [old, next] = [before, after].map(({ rules }) => levelBy([rules], half));
    const perhaps = isBesideDenyRules(before.rules, half) && next === 0;
    return !isUsed && (perhaps || (old === 2 && next !== 2));
  });
  return [...place.map((half) => `${type} ${half}`), ...policy.map((half) => `IpPolicy ${half}`)].sort();
}

/** The same in the lines of a message. */
function lossesIn(lines: readonly (readonly [type: string, text: string])[]): string[] {
  return lines
    .flatMap(([type, text]) =>
      [...text.matchAll(/(\S+) \(\d+ addresses\)/g)].flatMap(([, range]) =>
        halvesIn[range!]!.map((half) => `${type} ${half}`),
      ),
    )
    .sort();
}

const titleOf = ({ type, before, after }: Change): string => JSON.stringify({ type, before, after });

it("the review's rule reports exactly what loses access, in every change of the table", () => {
  const wrong: unknown[] = [];
  let lost = 0;
  for (const change of changes) {
    const { findings } = reviewText(previewOf(change), { keepAccess });
    const own = findings.filter(({ rule }) => rule === "access/kept-access-lost");
    const found = lossesIn(own.map(({ type, message }) => [type, message]));
    const expected = losses(change);
    if (expected.length > 0) lost += 1;
    if (found.join() !== expected.join()) wrong.push([titleOf(change), { found, expected }]);
  }
  expect(wrong).toEqual([]);
  expect([lost, changes.length - lost].every((count) => count > changes.length / 5)).toBe(true);
});

function previewOf({ type, before, after }: Change): string {
  const set = (name: PolicyName, rules: Rules, next: Rules): Written[] => [
    { type: "IpPolicy", name, id: `ipp_${name}`, before: {}, after: {} },
    {
      ...{ type: "IpPolicyRuleSet", name, id: `ipp_${name}` },
      before: { ipPolicyId: `ipp_${name}`, rules },
      after: { ipPolicyId: `ipp_${name}`, rules: next },
    },
  ];
  const place = { type, name: "place", id: idOf[type] };
  return writtenPreview([
    ...set("one", before.rules, after.rules),
    ...set("two", second, second),
    { ...place, before: argsOf(type, before.uses), after: argsOf(type, after.uses) },
  ]);
}

const idOf: Readonly<Record<PlaceType, string>> = { TcpEdge: "edgtcp_1", TlsEdgeIpRestriction: "edgtls_1" };

function argsOf(type: PlaceType, uses: Uses): Record<string, unknown> | undefined {
  if (uses === "absent") return undefined;
  const restriction = { enabled: uses.length > 0, ipPolicyIds: uses.map((name) => `ipp_${name}`) };
  return type === "TcpEdge" ? { ipRestriction: restriction } : { edgeId: idOf[type], ...restriction };
}
