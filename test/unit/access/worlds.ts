/** Random policies, rules and guards, as a preview, a stack or an account shows them; and who gets in, address by address. */
import fc from "fast-check";
import { accountObject, inventoryOfAccount } from "../../../src/inventory/account";
import type { Inventory } from "../../../src/inventory/inventory";
import { inventoriesOf } from "../../../src/inventory/preview";
import { declarationOf } from "../../../src/resources/registry";
import { unknown } from "../../../src/schema/unknown";
import { contentsOf, readPreview } from "../../support/recorded";

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}
interface Range extends Address {
  readonly prefix: number;
}

type Action = "allow" | "deny";
interface RuleSpec {
  readonly action: Action | "unknown";
  readonly range: Range | "unknown";
  /** The index of its policy; several come into question for a list; any does for "unknown". */
  readonly policy: number | readonly number[] | "unknown";
  readonly inSet: boolean;
}
interface GuardSpec {
  readonly type: "TcpEdge" | "TlsEdgeIpRestriction";
  readonly enabled: boolean | "unset" | "unknown";
  /** Indices of policies; or the list, or one member of it, is not known and comes from these policies. */
  readonly policies: readonly number[];
  readonly open: "none" | "list" | "member";
  readonly openFrom: readonly number[];
}
export interface World {
  /** `new`: created by the deployment; `outside`: of no resource; `gone`: deleted by the deployment. */
  readonly policies: readonly ("kept" | "new" | "outside" | "gone")[];
  readonly rules: readonly RuleSpec[];
  readonly guards: readonly GuardSpec[];
}
export type Source = "preview" | "stack" | "account";

const width = (family: 4 | 6): number => (family === 4 ? 32 : 128);

const mapped = (0xffffn << 32n) + 0x0a000000n;
const bases = {
  4: [0x0a000000n],
  6: [0x20010db8n << 96n, 0x20010db8n << 96n, mapped, (0x64ff9bn << 96n) + 0x0a000000n],
} as const;

const network = fc
  .tuple(fc.constantFrom<4 | 6>(4, 4, 6), fc.nat(15), fc.integer({ min: 0, max: 6 }))
  .map(([family, low, hostBits]): Range => {
    // Few distinct networks, so that rules touch, overlap and repeat.
    const base = bases[family][low % bases[family].length]!;
    const bits = BigInt(hostBits === 6 ? width(family) : hostBits);
    return { family, value: ((base + BigInt(low)) >> bits) << bits, prefix: width(family) - Number(bits) };
  });

const indices = (max: number) => fc.uniqueArray(fc.nat(max), { maxLength: 3 });

const worldOf = (knownOnly: boolean): fc.Arbitrary<World> =>
  fc.record({
    policies: fc.array(
      knownOnly
        ? fc.constantFrom("kept", "kept", "outside")
        : fc.constantFrom("kept", "kept", "new", "new", "outside", "gone"),
      { minLength: 1, maxLength: 4 },
    ),
    rules: fc.array(
      fc.record({
        action: fc.constantFrom<RuleSpec["action"]>("allow", "allow", "deny", knownOnly ? "deny" : "unknown"),
        range: knownOnly
          ? network
          : fc.oneof({ weight: 9, arbitrary: network }, fc.constant("unknown" as const)),
        policy: knownOnly
          ? fc.nat(3)
          : fc.oneof({ weight: 12, arbitrary: fc.nat(3) }, indices(3), fc.constant("unknown" as const)),
        inSet: fc.boolean(),
      }),
      { maxLength: 6 },
    ),
    guards: fc.array(
      fc.record({
        type: fc.constantFrom("TcpEdge", "TlsEdgeIpRestriction"),
        enabled: fc.constantFrom<GuardSpec["enabled"]>(
          ...([true, "unset", "unset", false] as const),
          knownOnly ? true : "unknown",
        ),
        policies: indices(3),
        open: knownOnly
          ? fc.constant("none" as const)
          : fc.constantFrom<GuardSpec["open"]>("none", "none", "none", "list", "member"),
        openFrom: indices(3),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  });

/** A world with the source that shows it: only a preview has values that are not known. */
export const worlds: fc.Arbitrary<{ source: Source; world: World }> = fc
  .constantFrom<Source>("preview", "preview", "stack", "account")
  .chain((source) => worldOf(source !== "preview").map((world) => ({ source, world: settled(world) })));

/** Indices that name a policy of the world. A policy that does not exist yet has no rules or guards of an old state. */
function settled({ policies, rules, guards }: World): World {
  const at = (index: number): number => index % policies.length;
  const each = (all: readonly number[]): number[] => [...new Set(all.map(at))];
  return {
    policies,
    rules: rules.map((rule) => ({
      ...rule,
      policy:
        rule.policy === "unknown"
          ? "unknown"
          : typeof rule.policy === "number"
            ? at(rule.policy)
            : each(rule.policy),
    })),
    guards: guards.map((guard) => ({
      ...guard,
      policies: each(guard.policies),
      openFrom: each(guard.openFrom),
    })),
  };
}

/** The first and the last address of every range, their neighbours, and one that no range is near to. */
export function addressesOf({ rules }: World): Address[] {
  const near = rules.flatMap(({ range }) => {
    if (range === "unknown") return [];
    const { family, value, prefix } = range;
    const last = value + (1n << BigInt(width(family) - prefix)) - 1n;
    return [value - 1n, value, last, last + 1n]
      .filter((each) => each >= 0n && each < 1n << BigInt(width(family)))
      .map((each): Address => ({ family, value: each }));
  });
  const all = [
    ...near,
    { family: 4 as const, value: 0xcb007107n },
    { family: 6 as const, value: 1n << 100n },
  ];
  return [...new Map(all.map((each) => [text(each), each])).values()];
}

export function text({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  return value.toString(16).padStart(32, "0").match(/.{4}/g)!.join(":");
}

const cidr = (range: Range | "unknown"): string =>
  range === "unknown" ? unknown : `${text(range)}/${range.prefix}`;

const providerOf = (account: number): string =>
  `urn:pulumi:dev::p::pulumi:providers:pulumi-nodejs::${account === 0 ? "default" : `other${account}`}`;
const urn = (type: string, name: string): string =>
  `urn:pulumi:dev::p::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;

interface Made {
  readonly type: string;
  readonly name: string;
  readonly id: string | undefined;
  readonly inputs: Record<string, unknown>;
  readonly dependencies: Record<string, readonly string[]>;
}

/** The inventory of worlds, each in an account of its own, and so under another base URL: their objects have equal ids. */
export function inventoryOf(source: Source, shown: readonly World[]): Inventory {
  if (source === "account") return inventoryOfAccount(shown.flatMap(accountObjects));
  const steps = shown.flatMap((world, account) =>
    made(world, account).map(({ type, name, id, inputs, dependencies }) => {
      const state = {
        ...{ urn: urn(type, name), type: `pulumi-nodejs:dynamic/tunnel-gateway:${type}`, id, inputs },
        outputs: { ...inputs, __args: Object.keys(inputs) },
        provider: `${providerOf(account)}::id`,
        propertyDependencies: dependencies,
      };
      const isGone = type === "IpPolicy" && world.policies[Number(name.split("-")[1])] === "gone";
      if (isGone) return { op: "delete", urn: state.urn, oldState: state };
      if (id === undefined) return { op: "create", urn: state.urn, newState: state };
      return { op: "update", urn: state.urn, oldState: state, newState: state };
    }),
  );
  const urls = shown.map((_, account) => ({ "tunnel-gateway:baseUrl": `https://${account}.example.com` }));
  const providers = urls.map((inputs, account) => ({
    urn: providerOf(account),
    id: "id",
    inputs,
    outputs: inputs,
  }));
  if (source === "stack") {
    const resources = [...providers, ...steps.map((each) => each.newState)];
    return contentsOf({ deployment: { resources } }, "dev").inventory;
  }
  const known = providers
    .slice(1)
    .map((state) => ({ op: "same", urn: state.urn, oldState: state, newState: state }));
  const preview = { config: urls[0], steps: [...known, ...steps], changeSummary: {} };
  return inventoriesOf(readPreview(JSON.stringify(preview))).after;
}

function made({ policies, rules, guards }: World, account: number): Made[] {
  const name = (kind: string, index: number): string => `${kind}-${index}-${account}`;
  const idOf = (index: number): string => (policies[index] === "new" ? unknown : `ipp_${index}`);
  const urnsOf = (indexes: readonly number[]): string[] =>
    indexes.flatMap((index) =>
      policies[index] === "outside" || policies[index] === "gone"
        ? []
        : [urn("IpPolicy", name("policy", index))],
    );
  return [
    ...policies.flatMap((state, index): Made[] =>
      state === "outside"
        ? []
        : [
            {
              ...{ type: "IpPolicy", name: name("policy", index), inputs: {}, dependencies: {} },
              id: state === "new" ? undefined : `ipp_${index}`,
            },
          ],
    ),
    ...rules.map(({ action, range, policy, inSet }, index): Made => {
      const ipPolicyId = typeof policy === "number" ? idOf(policy) : unknown;
      const from = policy === "unknown" ? [] : typeof policy === "number" ? [policy] : policy;
      const dependencies = { ipPolicyId: urnsOf(from) };
      const word = action === "unknown" ? unknown : action;
      // The key of a set's entry is always known.
      if (inSet && range !== "unknown") {
        const inputs = { ipPolicyId, rules: { [cidr(range)]: index % 2 === 0 ? word : { action: word } } };
        return {
          type: "IpPolicyRuleSet",
          name: name("set", index),
          id: `set_${index}`,
          inputs,
          dependencies,
        };
      }
      const inputs = { ipPolicyId, cidr: cidr(range), action: word };
      return { type: "IpPolicyRule", name: name("rule", index), id: `ipr_${index}`, inputs, dependencies };
    }),
    ...guards.map((guard, index): Made => {
      const ids: unknown =
        guard.open === "list"
          ? unknown
          : [...guard.policies.map(idOf), ...(guard.open === "member" ? [unknown] : [])];
      const module: Record<string, unknown> = { ipPolicyIds: ids };
      if (guard.enabled !== "unset") module.enabled = guard.enabled === "unknown" ? unknown : guard.enabled;
      const urns = urnsOf([...guard.policies, ...(guard.open === "none" ? [] : guard.openFrom)]);
      if (guard.type === "TcpEdge") {
        const dependencies = { ipRestriction: urns };
        return {
          type: "TcpEdge",
          name: name("guard", index),
          id: `edgtcp_${index}`,
          inputs: { ipRestriction: module },
          dependencies,
        };
      }
      const inputs = { ...module, edgeId: `edgtls_${index}` };
      const dependencies = { ipPolicyIds: urns };
      return {
        type: "TlsEdgeIpRestriction",
        name: name("guard", index),
        id: `edgtls_${index}`,
        inputs,
        dependencies,
      };
    }),
  ];
}

function accountObjects({
  policies,
  rules,
  guards,
}: World): Parameters<typeof inventoryOfAccount>[0][number][] {
  const refTo = (index: number): object => ({ id: `ipp_${index}`, uri: "https://api.example.com" });
  const object = (type: string, id: string, answer: object) =>
    accountObject(declarationOf(type), id, { id, ...answer });
  return [
    ...policies.flatMap((state, index) => (state === "kept" ? [object("IpPolicy", `ipp_${index}`, {})] : [])),
    ...rules.map(({ action, range, policy }, index) =>
      object("IpPolicyRule", `ipr_${index}`, {
        action,
        cidr: cidr(range),
        ip_policy: refTo(policy as number),
      }),
    ),
    ...guards.map(({ type, enabled, policies: own }, index) => {
      const module = { enabled: enabled !== false, ip_policies: own.map(refTo) };
      return type === "TcpEdge"
        ? object(type, `edgtcp_${index}`, { description: `guard-${index}-0`, ip_restriction: module })
        : object(type, `edgtls_${index}`, module);
    }),
  ];
}

/**
 * The verdict about one address at one guard: in every state that the world can turn out to have, and "unknown" where
 * they differ.
 */
export function naiveVerdict(source: Source, world: World, guard: GuardSpec, address: Address): string {
  const possible = new Set<string>();
  for (const choice of choices(source, world, guard, address)) possible.add(choice);
  return possible.size === 1 ? [...possible][0]! : "unknown";
}

function* choices(source: Source, world: World, guard: GuardSpec, address: Address): Generator<string> {
  const { policies, rules } = world;
  const flags = guard.enabled === "unknown" ? [true, false] : [guard.enabled !== false];
  for (const enabled of flags) {
    for (const { ids, isForeign } of policyLists(world, guard)) {
      if (!enabled || (ids.length === 0 && !isForeign)) {
        yield "open";
        continue;
      }
      // A policy that nobody can see may allow and deny the address.
      const isHidden =
        isForeign || (source !== "account" && ids.some((index) => policies[index] === "outside"));
      const exists = (index: number): boolean =>
        policies[index] === "kept" ||
        policies[index] === "new" ||
        (source !== "account" && policies[index] === "outside");
      const seen = ids.filter(exists);
      for (const [extraAllow, extraDeny] of isHidden ? bools(2) : [[false, false]]) {
        for (const actions of actionsOf(rules.map((rule) => effects(world, rule, seen, address)))) {
          const allow = [extraAllow, actions.includes("allow")].includes(true);
          const deny = [extraDeny, actions.includes("deny")].includes(true);
          yield allow ? (deny ? "undecided" : "allowed") : deny ? "denied" : "unmatched";
        }
      }
    }
  }
}

/** The policies that the guard can turn out to have. `isForeign`: another one too. */
function policyLists(
  { policies }: World,
  guard: GuardSpec,
): { ids: readonly number[]; isForeign: boolean }[] {
  if (guard.open === "none") return [{ ids: guard.policies, isForeign: false }];
  if (guard.open === "list") {
    return [
      { ids: [], isForeign: false },
      { ids: guard.policies, isForeign: false },
      { ids: [], isForeign: true },
    ];
  }
  const isNew = (index: number): boolean => policies[index] === "new";
  const named = guard.policies;
  const candidates = guard.openFrom.filter((index) => isNew(index) && !named.includes(index));
  const others = guard.openFrom.filter((index) => policies[index] === "kept" && !named.includes(index));
  // One unknown member for exactly one policy that does not exist yet: it is that one.
  if (candidates.length === 1 && others.length === 0) {
    return [{ ids: [...named, ...candidates], isForeign: false }];
  }
  // Otherwise nobody knows which of the unknown members is which policy.
  const known = named.filter((index) => !isNew(index));
  return [{ ids: known, isForeign: true }];
}

/** What one rule can turn out to do to the address in a guard with these policies. */
function effects(
  world: World,
  rule: RuleSpec,
  seen: readonly number[],
  address: Address,
): (Action | "none")[] {
  const { range } = rule;
  const covers = (action: Action): boolean[] =>
    range === "unknown"
      ? [true, false]
      : [holds(range, address) || (action === "allow" && embeds(range, address))];
  const belongs =
    typeof rule.policy === "number" ? [seen.includes(rule.policy)] : membership(world, rule.policy, seen);
  const actions: Action[] = rule.action === "unknown" ? ["allow", "deny"] : [rule.action];
  return actions.flatMap((action) =>
    covers(action).flatMap((covering) =>
      belongs.map((belonging) => (covering && belonging ? action : ("none" as const))),
    ),
  );
}

/** An id that is computed can be that of any policy that it is computed from; else that of any policy at all. */
function membership(
  { policies }: World,
  policy: readonly number[] | "unknown",
  seen: readonly number[],
): boolean[] {
  const from =
    policy === "unknown" ? [] : policy.filter((index) => ["kept", "new"].includes(policies[index]!));
  const [only] = from;
  // The id of a policy that does not exist yet.
  if (from.length === 1 && policies[only!] === "new") return [seen.includes(only!)];
  const can = from.length === 0 ? seen.length > 0 : from.some((each) => seen.includes(each));
  return can ? [true, false] : [false];
}

function* actionsOf(each: readonly (readonly (Action | "none")[])[]): Generator<string[]> {
  // Only whether an allow and whether a deny is among them counts, so few states are kept.
  let states = new Set([""]);
  for (const possible of each) {
    states = new Set(
      [...states].flatMap((state) =>
        possible.map((action) =>
          [...new Set([...state.split(" "), action === "none" ? "" : action])].sort().join(" ").trim(),
        ),
      ),
    );
  }
  for (const state of states) yield state.split(" ");
}

function bools(count: number): boolean[][] {
  return count === 0
    ? [[]]
    : bools(count - 1).flatMap((rest) => [
        [...rest, true],
        [...rest, false],
      ]);
}

function holds(range: Range, address: Address): boolean {
  const bits = BigInt(width(range.family) - range.prefix);
  return range.family === address.family && range.value >> bits === address.value >> bits;
}

const embedding = [0n, 0xffffn << 32n, 0xffffn << 48n, 0x64ff9bn << 96n];

/** Whether an IPv6 range holds the mapped form or the NAT64 form of an IPv4 address. */
function embeds(range: Range, { family, value }: Address): boolean {
  return family === 4 && embedding.some((prefix) => holds(range, { family: 6, value: prefix + value }));
}

/** An address, and the IPv4 address that it embeds. */
export function withEmbedded(address: Address): Address[] {
  const { family, value } = address;
  const isEmbedding = family === 6 && embedding.some((prefix) => value >> 32n === prefix >> 32n);
  return isEmbedding ? [address, { family: 4, value: value & 0xffffffffn }] : [address];
}
