/** Random pairs of worlds for the oracle, and how a preview, a stack and an account show them. */
import fc from "fast-check";
import { accountObject, inventoryOfAccount } from "../../src/inventory/account";
import type { Inventory } from "../../src/inventory/inventory";
import { contentsOf } from "../../src/inventory/stack";
import { declarationOf } from "../../src/resources/registry";
import { unknown } from "../../src/schema/unknown";
import { recordedState } from "../support/recorded";
import type { Action, Address, Answers, Edge, Policy, Range } from "./oracle";

interface RuleSpec {
  readonly action: Action | "unknown";
  readonly range: Range | "unknown";
}

interface PolicySpec {
  /** `own`: of the program; `read`: the program only reads it; `outside`: nothing but its id is in the program. */
  readonly kind: "own" | "read" | "outside";
  readonly rules: readonly RuleSpec[];
  readonly form: "rules" | "set" | "open set";
  readonly ends: boolean;
}

export interface World {
  readonly policies: readonly [PolicySpec, PolicySpec];
  readonly enabled: boolean | "unset" | "unknown";
  readonly uses: readonly number[];
}

export interface Pair {
  readonly before: World;
  readonly after: World;
  readonly answers: Answers;
}

const bases = [
  { family: 4, base: 0x0a000000n },
  { family: 4, base: 0x0a000000n },
  { family: 6, base: 0x20010db8n << 96n },
  { family: 6, base: (0xffffn << 32n) + 0x0a000000n },
  { family: 6, base: (0x64ff9bn << 96n) + 0x0a000000n },
  { family: 6, base: 0x0a000000n },
  { family: 6, base: (0xffffn << 48n) + 0x0a000000n },
  { family: 6, base: (0x64ff9b0001n << 80n) + (0x1234n << 64n) + 0x0a000000n },
  { family: 6, base: (0x64ff9b0001n << 80n) + (0x0a00n << 64n) },
] as const;

const range = fc
  .tuple(fc.constantFrom(...bases), fc.nat(7), fc.constantFrom(0, 0, 1, 2, 3, 3, 99))
  .map(([{ family, base }, low, hostBits]): Range => {
    const width = family === 4 ? 32 : 128;
    const bits = BigInt(hostBits === 99 ? width : hostBits);
    return { family, value: ((base + BigInt(low)) >> bits) << bits, prefix: width - Number(bits) };
  });

const worldOf = (mayBeUnknown: boolean): fc.Arbitrary<World> => {
  const or = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | "unknown"> =>
    mayBeUnknown ? fc.oneof({ weight: 9, arbitrary }, fc.constant("unknown" as const)) : arbitrary;
  const policy = fc.record({
    kind: fc.constantFrom<PolicySpec["kind"]>("own", "own", "own", "own", "read", "outside"),
    rules: fc.array(
      fc.record({ action: or(fc.constantFrom<Action>("allow", "allow", "deny")), range: or(range) }),
      { maxLength: 3 },
    ),
    form: fc.constantFrom<PolicySpec["form"]>("rules", "rules", "set", "set", "open set"),
    ends: fc.boolean(),
  });
  return fc.record({
    policies: fc.tuple(policy, policy),
    enabled: or<boolean | "unset">(
      fc.constantFrom<boolean | "unset">(true, "unset", "unset", "unset", "unset", false),
    ),
    uses: fc.constantFrom([0], [1], [0, 1], [0, 1], []),
  });
};

const answers: fc.Arbitrary<Answers> = fc.record({
  overlap: fc.constantFrom("unknown", "deny-wins", "allow-wins"),
  unmatched: fc.constantFrom("unknown", "denied", "allowed"),
  empty: fc.constantFrom("unknown", "open", "closed"),
  policies: fc.constantFrom("unknown", "any", "all"),
});

/** Everything is known before; after, some is not. Half of the second worlds are small changes of the first. */
export const pairs: fc.Arbitrary<Pair> = fc
  .tuple(worldOf(false), worldOf(false), worldOf(true), answers, fc.nat(3))
  .map(([before, other, open, given, kind]): Pair => {
    const near: World = { ...before, policies: [before.policies[0], other.policies[1]] };
    const after = kind === 0 ? open : kind === 1 ? other : near;
    // Who a policy belongs to does not change.
    const policies = after.policies.map((each, i) => ({ ...each, kind: before.policies[i]!.kind }));
    return {
      before,
      after: { ...after, policies: policies as unknown as World["policies"] },
      answers: given,
    };
  });

/** A rule of a set has a known key: without a range it is a rule of its own. A range stands once in a set. */
function inSet({ form, rules }: PolicySpec): { entries: RuleSpec[]; single: RuleSpec[] } {
  if (form === "rules") return { entries: [], single: [...rules] };
  const distinct = new Map(rules.map((each) => [cidr(each.range), each]));
  return {
    entries: [...distinct.values()].filter((each) => each.range !== "unknown"),
    single: rules.filter((each) => each.range === "unknown"),
  };
}

/** What the oracle is asked about. In an account every policy exists, with all of its rules. */
export function edgeOf({ policies, enabled, uses }: World, inAccount = false): Edge {
  return {
    enabled: enabled === "unset" ? true : enabled,
    policies: uses.map((index): Policy => {
      const spec = policies[index]!;
      const { entries, single } = inSet(spec);
      const hasOthers = spec.kind !== "own" || (spec.form === "open set" && entries.length > 0);
      return { hasOthers: hasOthers && !inAccount, rules: [...entries, ...single] };
    }),
  };
}

export function addressesOf({ before, after }: Pair): Address[] {
  const ranges = [before, after].flatMap(({ policies }) =>
    policies.flatMap(({ rules }) => rules.flatMap((each) => (each.range === "unknown" ? [] : [each.range]))),
  );
  const near = ranges.flatMap(({ family, value, prefix }) => {
    const width = family === 4 ? 32n : 128n;
    const last = value + (1n << (width - BigInt(prefix))) - 1n;
    return [value - 1n, value, last, last + 1n]
      .filter((each) => each >= 0n && each < (1n << width) - 1n)
      .map((each): Address => ({ family, value: each }));
  });
  const all: Address[] = [...near, { family: 4, value: 0x0a000001n }, { family: 4, value: 0xcb007107n }];
  return [...new Map(all.map((each) => [text(each), each])).values()];
}

export function text({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  return value.toString(16).padStart(32, "0").match(/.{4}/g)!.join(":");
}

const cidr = (each: Range | "unknown"): string =>
  each === "unknown" ? unknown : `${text(each)}/${each.prefix}`;
const word = (action: Action | "unknown"): string => (action === "unknown" ? unknown : action);

const urn = (type: string, name: string): string =>
  `urn:pulumi:dev::p::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;

interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly custom: true;
  readonly external: boolean;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

/** How a world is written: names and order say nothing about access, nor do halves of a range. */
export interface Spelling {
  readonly suffix: string;
  readonly isReversed: boolean;
  readonly isSplit: boolean;
}

export const plain: Spelling = { suffix: "", isReversed: false, isSplit: false };

function halves(rule: RuleSpec): RuleSpec[] {
  const { range: whole } = rule;
  const width = whole === "unknown" ? 0 : whole.family === 4 ? 32 : 128;
  if (whole === "unknown" || whole.prefix === width) return [rule];
  const size = 1n << BigInt(width - whole.prefix - 1);
  const half = { ...whole, prefix: whole.prefix + 1 };
  return [
    { ...rule, range: half },
    { ...rule, range: { ...half, value: whole.value + size } },
  ];
}

export function resourcesOf(world: World, { suffix, isReversed, isSplit }: Spelling): Resource[] {
  const found: Resource[] = [];
  const add = (
    type: string,
    name: string,
    id: string,
    inputs: Record<string, unknown>,
    external = false,
  ): void => {
    const outputs = { ...inputs, __args: Object.keys(inputs) };
    const token = `pulumi-nodejs:dynamic/tunnel-gateway:${type}`;
    const state = { urn: urn(type, name), type: token, external, id, inputs, outputs };
    found.push(recordedState(state) as unknown as Resource);
  };
  for (const [index, spec] of world.policies.entries()) {
    const ipPolicyId = `ipp_${index}`;
    if (spec.kind !== "outside") add("IpPolicy", `p${index}`, ipPolicyId, {}, spec.kind === "read");
    const { entries, single } = inSet(spec);
    const split = (rules: RuleSpec[]): RuleSpec[] => {
      const all = isSplit ? rules.flatMap(halves) : rules;
      return isReversed ? [...all].reverse() : all;
    };
    split(single).forEach((rule, i) => {
      const inputs = { ipPolicyId, cidr: cidr(rule.range), action: word(rule.action) };
      add("IpPolicyRule", `r${index}-${i}${suffix}`, `ipr_${index}_${i}${suffix}`, inputs);
    });
    if (entries.length > 0) {
      const until = "2099-01-01T00:00:00Z";
      const rules = Object.fromEntries(
        (isReversed ? [...entries].reverse() : entries).map((rule) => [
          cidr(rule.range),
          spec.ends ? { action: word(rule.action), until } : word(rule.action),
        ]),
      );
      const exclusive = spec.form === "open set" ? { exclusive: false } : {};
      add("IpPolicyRuleSet", `s${index}${suffix}`, ipPolicyId, { ipPolicyId, rules, ...exclusive });
    }
  }
  const enabled =
    world.enabled === "unset" ? {} : { enabled: world.enabled === "unknown" ? unknown : world.enabled };
  const ipPolicyIds = world.uses.map((index) => `ipp_${index}`);
  add("TcpEdge", "edge", "edgtcp_1", { ipRestriction: { ipPolicyIds, ...enabled } });
  return isReversed ? found.reverse() : found;
}

/** What `pulumi preview --json --show-sames` prints. */
export function previewText(before: readonly Resource[], after: readonly Resource[]): string {
  const [olds, news] = [before, after].map((all) => new Map(all.map((each) => [each.urn, each])));
  const steps = [...new Set([...olds!.keys(), ...news!.keys()])].map((each) => {
    const [oldState, next] = [olds!.get(each), news!.get(each)];
    const newState = next && { ...next, outputs: next.external ? next.outputs : {} };
    const isSame = JSON.stringify(oldState?.inputs) === JSON.stringify(next?.inputs);
    const op = (next ?? oldState)!.external
      ? next
        ? "read"
        : "read-discard"
      : !oldState
        ? "create"
        : !next
          ? "delete"
          : isSame
            ? "same"
            : "update";
    return { op, urn: each, oldState, newState };
  });
  return JSON.stringify({ steps, changeSummary: {} });
}

export function stackOf(resources: readonly Resource[]): Inventory {
  return contentsOf({ deployment: { resources } }, "dev").inventory;
}

/** The account, whose policies all exist. */
export function accountOf(world: World): Inventory {
  const ref = (index: number): object => ({ id: `ipp_${index}`, uri: "https://api.example.com" });
  const object = (type: string, id: string, answer: object) =>
    accountObject(declarationOf(type), id, { id, ...answer });
  return inventoryOfAccount([
    ...world.policies.flatMap((spec, index) => {
      const { entries, single } = inSet(spec);
      return [
        object("IpPolicy", `ipp_${index}`, {}),
        ...[...entries, ...single].map(({ action, range: each }, i) =>
          object("IpPolicyRule", `ipr_${index}_${i}`, { action, cidr: cidr(each), ip_policy: ref(index) }),
        ),
      ];
    }),
    object("TcpEdge", "edgtcp_1", {
      description: "edge",
      ip_restriction: { enabled: world.enabled !== false, ip_policies: world.uses.map(ref) },
    }),
  ]);
}
