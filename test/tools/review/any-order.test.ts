/** The rules about moments, beside all moments of all orders in which the engine may send the writes. */
import fc from "../../support/fast-check";
import { cases } from "../../support/cases";
import { deletedFirst, keptPolicy, saidOfRun, urnOf, type Written } from "./support";

/** Ranges of four addresses, which are the bits of a number. */
const ranges = {
  "203.0.113.0/30": 0b1111,
  "203.0.113.0/31": 0b0011,
  "203.0.113.2/31": 0b1100,
  "203.0.113.0/32": 0b0001,
  "203.0.113.1/32": 0b0010,
  "203.0.113.2/32": 0b0100,
  "203.0.113.3/32": 0b1000,
} as const;
type Range = keyof typeof ranges;

interface Rule {
  readonly cidr: Range;
  readonly action: "allow" | "deny";
}

type Change = "create" | "delete" | "same" | "update" | "delete first" | "create first";
interface Resource {
  readonly name: string;
  readonly change: Change;
  readonly old: Rule;
  readonly next: Rule;
  /** The names of the resources before it that it depends on. */
  readonly needs: readonly string[];
}

/** A write of the deployment. */
interface Write {
  readonly resource: Resource;
  readonly removes: boolean;
  readonly adds: boolean;
  readonly isLate: boolean;
}

const isUsual = fc.integer({ min: 0, max: 3 }).map((n) => n > 0);
/** Most rules allow several addresses, or deny one of them. */
const ruleOf = (cidr: Range, usual: boolean): Rule => ({
  cidr,
  action: cidr.endsWith("/32") === usual ? "deny" : "allow",
});

const programs = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(ranges) as Range[], { minLength: Object.keys(ranges).length }),
    fc.array(
      fc.record({
        change: fc.constantFrom<Change>("create", "delete", "same", "update", "delete first", "create first"),
        usual: fc.tuple(isUsual, isUsual),
        isMoved: fc.boolean(),
        needs: fc.array(fc.nat(3), { maxLength: 2 }),
      }),
      { minLength: 2, maxLength: 5 },
    ),
  )
  .map(([shuffled, all]) => {
    const cidrs = [...shuffled];
    const resources: Resource[] = [];
    for (const [i, { change, usual, isMoved, needs }] of all.entries()) {
      const old = ruleOf(cidrs.pop()!, usual[0]);
      // A range can be in a policy once, so that its rule is replaced in one order only.
      const canMove = cidrs.length >= all.length - i && change !== "same";
      const next = canMove && (isMoved || change !== "delete first") ? ruleOf(cidrs.pop()!, usual[1]) : old;
      const isInPlace = change === "update" || change === "create first";
      // A resource needs what exists after the deployment, or before it if it is deleted.
      const there = resources.filter((each) => each.change !== (change === "delete" ? "create" : "delete"));
      resources.push({
        name: `r${i}`,
        ...{ change: next === old && isInPlace ? "delete first" : change, old },
        next: change === "update" ? { ...next, action: old.action } : next,
        needs: [...new Set(needs.flatMap((n) => there[n]?.name ?? []))],
      });
    }
    return resources;
  });

function stepsOf({ name, change, old, next, needs }: Resource): { now: Written[]; later: Written[] } {
  const from = {
    ipPolicyId: [urnOf("IpPolicy", "office"), ...needs.map((each) => urnOf("IpPolicyRule", each))],
  };
  const [before, after] = [old, next].map((rule) => ({ ipPolicyId: "ipp_office", ...rule }));
  const both: Written = { type: "IpPolicyRule", name, before, after, from };
  if (change === "create") return { now: [{ ...both, before: undefined }], later: [] };
  if (change === "delete") return { now: [], later: [{ ...both, after: undefined }] };
  if (change === "delete first") return { now: deletedFirst(both), later: [] };
  if (change !== "create first") return { now: [both], later: [] };
  const [gone, replace, made] = deletedFirst(both) as [Written, Written, Written];
  return { now: [made, replace], later: [gone] };
}

function writesOf(resource: Resource): Write[] {
  const write = (removes: boolean, adds: boolean, isLate = false): Write => ({
    resource,
    removes,
    adds,
    isLate,
  });
  switch (resource.change) {
    case "same":
      return [];
    case "create":
      return [write(false, true)];
    case "update":
      return [write(true, true)];
    case "delete":
      return [write(true, false, true)];
    case "delete first":
      return [write(true, false), write(false, true)];
    case "create first":
      return [write(false, true), write(true, false, true)];
  }
}

/** All sets of writes that may be done at one time. */
function momentsOf(resources: readonly Resource[]): Write[][] {
  const writes = resources.flatMap(writesOf);
  const byName = new Map(resources.map((each) => [each.name, each]));
  const needs = ({ needs: names }: Resource, other: Resource): boolean =>
    names.some((name) => name === other.name || needs(byName.get(name)!, other));
  const isBefore = (one: Write, other: Write): boolean => {
    if (one.isLate !== other.isLate) return other.isLate;
    if (one.resource === other.resource) return one.removes && other.adds && one !== other;
    // Deletions go from the users to what they use, all else the other way.
    if (one.isLate) return one.resource.needs.includes(other.resource.name);
    return one.adds && other.adds && needs(other.resource, one.resource);
  };
  return Array.from({ length: 2 ** writes.length }, (_, set) =>
    writes.filter((_write, i) => (set >> i) % 2 === 1),
  ).filter((done) =>
    writes.every((each) => done.includes(each) || !done.some((other) => isBefore(each, other))),
  );
}

/** The rules after some of the writes. */
function rulesAfter(done: readonly Write[], resources: readonly Resource[]): Rule[] {
  return resources.flatMap((resource) => {
    const own = done.filter((each) => each.resource === resource);
    const hasOld = resource.change !== "create" && !own.some(({ removes }) => removes);
    const hasNext = own.some(({ adds }) => adds);
    return [...(hasOld ? [resource.old] : []), ...(hasNext ? [resource.next] : [])];
  });
}

function openTo(rules: readonly Rule[]): number {
  const union = (action: string): number =>
    rules.filter((each) => each.action === action).reduce((all, { cidr }) => all | ranges[cidr], 0);
  return union("allow") & ~union("deny");
}

/** The addresses that several deny rules have, before or after. */
function deniedTwice(resources: readonly Resource[]): number {
  const denied = resources
    .flatMap(({ change, old, next }) => [
      ...(change === "create" ? [] : [old]),
      ...(change === "delete" ? [] : [next]),
    ])
    .filter(({ action }) => action === "deny")
    .map(({ cidr }) => ranges[cidr]);
  return denied.reduce(
    (twice, each, i) => twice | denied.slice(0, i).reduce((all, other) => all | (each & other), 0),
    0,
  );
}

/** The findings of a rule. */
async function said(
  rule: string,
  resources: readonly Resource[],
  more: readonly Written[] = [],
  users: readonly Written[] = [],
): Promise<string[]> {
  const steps = resources.map(stepsOf);
  const [now, later] = [steps.flatMap((each) => each.now), steps.toReversed().flatMap((each) => each.later)];
  const all = await saidOfRun([keptPolicy("office"), ...more, ...now, ...users, ...later]);
  expect(all.filter((each) => /interruption\/refused|unknown-moment/.test(each))).toEqual([]);
  return all.filter((each) => each.includes(rule));
}

const anyRule: Rule = { cidr: "203.0.113.0/32", action: "allow" };

const lasting: Written = {
  ...{ type: "IpPolicyRule", name: "lasting", from: { ipPolicyId: [urnOf("IpPolicy", "office")] } },
  ...{ before: { ipPolicyId: "ipp_office", cidr: "192.0.2.0/24", action: "allow" } },
  ...{ after: { ipPolicyId: "ipp_office", cidr: "192.0.2.0/24", action: "allow" } },
};

/** The addresses in findings. */
function addressesIn(texts: readonly string[]): number {
  const found = texts.flatMap((text) => text.split(" may be allowed")[0]!.match(/203[\d./]+/g) ?? []);
  return found.reduce((all, each) => all | ranges[each as Range], 0);
}

/** An edge that gets the policy or loses it, and has another one before or after. */
const users = fc.record({ gets: fc.boolean(), waits: fc.boolean() });
const [other, edge] = ["other", "edge"];
const shared: Written[] = [
  keptPolicy(other),
  {
    ...{ type: "IpPolicyRule", name: other, from: { ipPolicyId: [urnOf("IpPolicy", other)] } },
    before: { ipPolicyId: "ipp_other", cidr: "203.0.113.0/31", action: "allow" },
    after: { ipPolicyId: "ipp_other", cidr: "203.0.113.0/31", action: "allow" },
  },
];

describe("in any order of the engine", () => {
  it("finds all addresses that are open for a moment, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (resources) => {
        const moments = momentsOf(resources).map((done) => openTo(rulesAfter(done, resources)));
        const ends = moments[0]! | moments.at(-1)!;
        const open = moments.reduce((all, each) => all | each, 0) & ~ends;
        const reported = addressesIn(await said("access/open-for-a-moment", resources, [lasting]));
        expect(open & ~reported).toBe(0);
        // Two deny rules may each be missing, and never both at once: the review reports addresses of both.
        expect(reported & ~open & ~deniedTwice(resources)).toBe(0);
      }),
      { numRuns: cases(200, 2500) },
    );
  });

  it("finds all addresses to which an edge is open for a moment because it gets or loses a policy", async () => {
    await fc.assert(
      fc.asyncProperty(programs, users, async (resources, { gets, waits }) => {
        const needs = resources.filter(({ change }) => waits && change !== "delete").map(({ name }) => name);
        const user: Resource = { name: edge, change: "update", old: anyRule, next: anyRule, needs };
        const moments = momentsOf([...resources, user]).map((done) => {
          const hasOffice = done.some(({ resource }) => resource === user) === gets;
          return hasOffice ? openTo(rulesAfter(done, resources)) : ranges["203.0.113.0/31"];
        });
        const ends = moments[0]! | moments.at(-1)!;
        const open = moments.reduce((all, each) => all | each, 0) & ~ends;
        const policies = ["ipp_other", "ipp_office"].map((id) => ({ ipRestriction: { ipPolicyIds: [id] } }));
        const [before, after] = gets ? policies : policies.toReversed();
        const from = {
          ipRestriction: ["office", other].map((name) => urnOf("IpPolicy", name)),
          description: needs.map((name) => urnOf("IpPolicyRule", name)),
        };
        const written: Written = { type: "TcpEdge", name: edge, before: before!, after: after!, from };
        const found = await said("access/open-for-a-moment", resources, [lasting, ...shared], [written]);
        const reported = addressesIn(found.filter((text) => text.includes(`TcpEdge ${edge}: `)));
        expect(open & ~reported).toBe(0);
        expect(reported & ~open & ~deniedTwice(resources)).toBe(0);
      }),
      { numRuns: cases(200, 2500) },
    );
  });

  it("finds a policy that has no rule for a moment, and no other", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (resources) => {
        const moments = momentsOf(resources).map((done) => rulesAfter(done, resources).length);
        const isEmptied = moments.includes(0) && moments[0]! > 0 && moments.at(-1)! > 0;
        const found = await said("interruption/no-rule-for-a-moment", resources);
        expect(found.length).toBe(isEmptied ? 1 : 0);
      }),
      { numRuns: cases(200, 2500) },
    );
  });
});
