/**
 * Who gets in while a deployment runs: random programs one after the other, with random faults. After every write the
 * promise of docs/reliability.md holds, with no other exceptions than the page names.
 */
import fc from "../../../support/fast-check";
import { IpPolicy, IpPolicyRule, IpPolicyRuleSet, TcpEdge, TlsEdgeIpRestriction } from "../../../../src";
import { accessGaps } from "../../../../src/emulator";
import type { AccessGap, AccessMoment, EdgeAccess, FaultRule } from "../../../../src/emulator/types";
import { cases } from "../../../support/cases";
import { Plugin } from "../../../support/plugin";
import { overHooks } from "../../../support/in-process/provider";
import { InProcessStack } from "../../../support/in-process/stack";
import { sharedEmulator } from "../../../support/emulators";

type Action = "allow" | "deny";
type Rules = Readonly<Record<string, Action>>;

/** How a program manages the rules of a policy, always in the same way. */
const policies = { one: "set", two: "set", three: "part", four: "single" } as const;
type PolicyName = keyof typeof policies;
const policyNames = Object.keys(policies) as PolicyName[];

/** Undefined where the program has none. */
interface World {
  readonly rules: Readonly<Record<PolicyName, Rules | undefined>>;
  readonly edges: Readonly<Record<EdgeName, readonly PolicyName[] | "open" | undefined>>;
  /** Where in the program the edges stand. */
  readonly edgesFirst: boolean;
}

const edgeNames = ["tcp 1", "tcp 2", "edgtls_1"] as const;
type EdgeName = (typeof edgeNames)[number];

const ranges = [
  ...["10.0.0.0/8", "10.0.0.0/9", "10.128.0.0/9", "10.0.0.0/16", "10.0.0.1/32", "192.0.2.1/32"],
  ...["2001:db8::/32", "2001:db8:8000::/33"],
];
const rules = fc.dictionary(fc.constantFrom(...ranges), fc.constantFrom<Action>("allow", "deny"), {
  maxKeys: 4,
});
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 6 });
const used = fc.oneof(
  { weight: 8, arbitrary: fc.uniqueArray(fc.constantFrom(...policyNames), { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant("open" as const) },
);
const parts = {
  ...Object.fromEntries(policyNames.map((name) => [name, maybe(rules)])),
  ...Object.fromEntries(edgeNames.map((name) => [name, maybe(used)])),
};
const partNames = Object.keys(parts);

/** A change: the parts that become other ones. Most changes are small, so that what they lead to is not hidden. */
const change = fc.record({
  next: fc.record(parts),
  which: fc.oneof(
    { weight: 4, arbitrary: fc.subarray(partNames, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.subarray(partNames) },
    { weight: 2, arbitrary: fc.constant(partNames) },
  ),
  /** Ranges that flip beside. */
  flips: fc.array(fc.constantFrom(...policyNames), { maxLength: 1 }),
  edgesFirst: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const fault = fc.record({
  // What is lost is repeated, so that only a refusal fails a deployment.
  kind: fc.constantFrom("status", "status", "status", "dropBefore", "dropAfter", "truncate", "html"),
  status: fc.constantFrom(400, 400, 422, 429, 503),
  method: fc.constantFrom("POST", "PATCH", "PUT", "DELETE"),
  path: fc.constantFrom("/ip_policy_rules", "/edges"),
  after: fc.nat(2),
  times: fc.integer({ min: 1, max: 3 }),
}) as fc.Arbitrary<FaultRule>;
const step = fc.record({
  change,
  faults: fc.oneof(
    { weight: 1, arbitrary: fc.constant<FaultRule[]>([]) },
    { weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
  ),
});

const nothing = Object.fromEntries([...policyNames, ...edgeNames].map((name) => [name, undefined]));
const worldOf = (values: Record<string, unknown>, edgesFirst = false): World => ({
  rules: values as unknown as World["rules"],
  edges: values as unknown as World["edges"],
  edgesFirst,
});

function changed(values: Record<string, unknown>, { next, which, flips }: Change) {
  const result = { ...values };
  for (const name of which) result[name] = (next as Record<string, unknown>)[name];
  for (const name of flips) {
    const flipped = Object.entries((result[name] ?? {}) as Rules).map(([range, action]) => [
      range,
      action === "allow" ? "deny" : "allow",
    ]);
    if (result[name] !== undefined) result[name] = Object.fromEntries(flipped);
  }
  return result;
}

/** The world as a program. A policy always exists, so that only its rules and the edges decide. */
function program({ rules, edges, edgesFirst }: World): () => void {
  return () => {
    const ids = Object.fromEntries(
      policyNames.map((name) => [name, new IpPolicy(name, { description: name }).id]),
    );
    const makeRules = (): void => {
      for (const name of policyNames) {
        const own = rules[name];
        const ipPolicyId = ids[name]!;
        if (own === undefined) continue;
        if (policies[name] !== "single") {
          const exclusive = policies[name] === "set";
          ids[name] = new IpPolicyRuleSet(name, { ipPolicyId, rules: own, exclusive }).ipPolicyId;
          continue;
        }
        for (const [cidr, action] of Object.entries(own))
          new IpPolicyRule(`${name} ${cidr}`, { ipPolicyId, cidr, action });
      }
    };
    if (!edgesFirst) makeRules();
    for (const name of edgeNames) {
      const own = edges[name];
      if (own === undefined) continue;
      const module =
        own === "open"
          ? { enabled: false }
          : { enabled: true, ipPolicyIds: own.map((policy) => ids[policy]!) };
      if (name === "edgtls_1") new TlsEdgeIpRestriction(name, { edgeId: name, ...module });
      else new TcpEdge(name, { description: name, ipRestriction: module });
    }
    if (edgesFirst) makeRules();
  };
}

const emulator = sharedEmulator({ accessHistory: true });

/** The rules that the account holds, by policy. */
function rulesInAccount(): Record<string, Rules> {
  const { ip_policies: all, ip_policy_rules: each } = emulator.snapshot();
  return Object.fromEntries(
    all!.map(({ id, description }) => {
      const own = each!.filter(({ ip_policy: policy }) => (policy as { id: string }).id === id);
      return [description, Object.fromEntries(own.map(({ cidr, action }) => [cidr, action]))];
    }),
  ) as Record<string, Rules>;
}

/** The ids of the edges, by their names. */
function idsOfEdges(): Map<EdgeName, string> {
  const tcp = emulator.snapshot()["edges/tcp"] ?? [];
  return new Map([
    ["edgtls_1", "edgtls_1"],
    ...tcp.map(({ id, description }): [EdgeName, string] => [description as EdgeName, id as string]),
  ]);
}

/** The moment that the deployment leads to. */
function target({ rules, edges }: World, ids: ReadonlyMap<EdgeName, string>): AccessMoment {
  const rangesOf = (names: readonly PolicyName[], wanted: Action): string[] =>
    names.flatMap((name) =>
      Object.entries(rules[name] ?? {}).flatMap(([range, action]) => (action === wanted ? [range] : [])),
    );
  return {
    edges: edgeNames.flatMap((name): EdgeAccess[] => {
      const own = edges[name] ?? (name === "edgtls_1" ? "open" : undefined);
      const id = ids.get(name);
      if (own === undefined || id === undefined) return [];
      const names = own === "open" ? [] : own;
      const guards = { allowed: rangesOf(names, "allow"), denied: rangesOf(names, "deny") };
      return [{ id, restricted: own !== "open", policyIds: [], ...guards }];
    }),
  };
}

/** Which exceptions of the page a deployment meets at an edge. */
interface Exceptions {
  /** The edge leaves a policy that changes, or joins one that loses a single rule or its set. */
  readonly moves: boolean;
  /** Several policies of the edge change, or its list changes with one of them. */
  readonly several: boolean;
  /** Single rules change side by side; one of them flips. */
  readonly single: boolean;
  readonly singleFlips: boolean;
  /** An address flips that is its policy's only rule. */
  readonly address: boolean;
}

function exceptions(
  before: { readonly policies: readonly string[]; readonly rules: Record<string, Rules> },
  after: World,
  edge: EdgeName,
): Exceptions {
  const next = after.edges[edge];
  const later: readonly string[] = Array.isArray(next) ? next : [];
  const own = before.policies as PolicyName[];
  const isSame = (a: Rules, b: Rules): boolean =>
    ranges.every((range) => a[range] === b[range]) && Object.keys(a).every((range) => ranges.includes(range));
  const rulesOf = (name: PolicyName): [Rules, Rules] => [before.rules[name] ?? {}, after.rules[name] ?? {}];
  const changing = own.filter((name) => !isSame(...rulesOf(name)));
  /** What is removed only goes at the end, after the edges. */
  const isEarly = (name: PolicyName): boolean =>
    policies[name] === "single"
      ? Object.entries(rulesOf(name)[1]).some(([range, action]) => rulesOf(name)[0][range] !== action)
      : after.rules[name] !== undefined;
  const losesLate = (name: PolicyName): boolean =>
    policies[name] === "single"
      ? Object.keys(rulesOf(name)[0]).some((range) => rulesOf(name)[1][range] === undefined)
      : after.rules[name] === undefined && Object.keys(rulesOf(name)[0]).length > 0;
  const isListSame = own.length === later.length && own.every((name) => later.includes(name));
  const singles = changing.filter((name) => policies[name] === "single");
  const flips = (name: PolicyName): string[] => {
    const [old, wanted] = rulesOf(name);
    return Object.keys(wanted).filter((range) => old[range] !== undefined && old[range] !== wanted[range]);
  };
  return {
    moves:
      changing.some((name) => !later.includes(name) && isEarly(name)) ||
      policyNames.some((name) => later.includes(name) && !own.includes(name) && losesLate(name)),
    several: changing.length > 1 || (changing.length === 1 && !isListSame),
    single: singles.length > 0,
    singleFlips: singles.some((name) => flips(name).length > 0),
    address: changing.some((name) => {
      const [old, wanted] = rulesOf(name);
      const flipped = flips(name);
      return (
        Object.keys(old).length === 1 &&
        Object.keys(wanted).length === 1 &&
        /\/(32|128)$/.test(flipped[0] ?? "")
      );
    }),
  };
}

/** The gaps of a history that no exception explains. */
function unexplained(
  history: readonly AccessMoment[],
  ids: ReadonlyMap<EdgeName, string>,
  met: (edge: EdgeName, gap: AccessGap) => Exceptions,
): AccessGap[] {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  // Whatever deny rules do, the ranges of the allow rules are those of an end.
  const allowsOnly = history.map(({ edges, ...others }) => ({
    ...others,
    edges: edges.map((edge) => ({ ...edge, denied: [] })),
  }));
  const widened = accessGaps(allowsOnly).filter(({ problem }) => problem === "allowed");
  const isExplained = (gap: AccessGap, isWidened: boolean): boolean => {
    const name = names.get(gap.edge);
    if (name === undefined) return false;
    const { moves, several, single, singleFlips, address } = met(name, gap);
    if (moves) return true;
    if (isWidened) return false;
    if (several) return true;
    if (gap.problem === "allowed") return single;
    return singleFlips || (gap.problem === "no rules" && address);
  };
  return [
    ...widened.filter((gap) => !isExplained(gap, true)),
    ...accessGaps(history).filter((gap) => !isExplained(gap, false)),
  ];
}

const changesPerStack = 8;
const stacks = cases(10, 200);

it("is at every moment no more open than before and after, over changes with random faults", async () => {
  const tally = { changes: 0, failures: 0, moments: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: changesPerStack, maxLength: changesPerStack }),
      async (steps) => {
        await emulator.reset();
        await emulator.seed({ tls_edges: [{ id: "edgtls_1" }] });
        const stack = new InProcessStack(
          {},
          {
            plugin: () => {
              const plugin = Plugin.for(emulator);
              return { providerOf: ({ type }) => overHooks(plugin.calledHooks(type)) };
            },
          },
        );
        let values: Record<string, unknown> = nothing;
        for (const { change, faults } of steps) {
          values = changed(values, change);
          await deploy(stack, worldOf(values, change.edgesFirst), faults);
        }
        await deploy(stack, worldOf(nothing), []);
        tally.changes += steps.length + 1;
      },
    ),
    { numRuns: stacks },
  );
  expect(tally.changes).toBeGreaterThanOrEqual(cases(90, 1500));
  // Else the test would show less than it says.
  expect(tally.failures).toBeGreaterThan(cases(1, 15));
  expect(tally.moments).toBeGreaterThan(cases(200, 4500));

  async function deploy(stack: InProcessStack, world: World, faults: FaultRule[]): Promise<void> {
    emulator.clearRequests();
    const before = rulesInAccount();
    const names = new Map(
      emulator.snapshot().ip_policies!.map(({ id, description }) => [id, description as string]),
    );
    const idsBefore = idsOfEdges();
    emulator.setFaults({ rules: faults });
    let failure: unknown;
    await stack.up(program(world)).catch((error: unknown) => (failure = error));
    emulator.setFaults();
    if (failure !== undefined) {
      if (faults.length === 0) throw failure as Error;
      tally.failures += 1;
    }
    const ids = new Map([...idsBefore, ...idsOfEdges()]);
    const actual = emulator.accessHistory();
    const history = [...actual, target(world, ids)];
    tally.moments += actual.length;
    const found = unexplained(history, ids, (edge) => {
      const guard = actual[0]!.edges.find(({ id }) => id === ids.get(edge));
      return exceptions(
        { policies: (guard?.policyIds ?? []).map((id) => names.get(id)!), rules: before },
        world,
        edge,
      );
    });
    if (found.length > 0) {
      const shown = { before: [before, actual[0]], world, faults, failure: String(failure), found };
      throw new Error(
        JSON.stringify({ ...shown, history: actual.map(({ request, edges }) => [request, edges]) }, null, 1),
      );
    }
  }
}, 280_000);
