/** The ranges that every IP policy of a world allows and denies. */
import { AddressSet } from "../../access/address-set";
import { blockOf } from "../../access/block";
import type { Block } from "../../access/block";
import { declarationOf } from "../../resources/registry";
import { entryArguments } from "../../schema/entry-set";
import type { Json } from "../../schema/json";
import { isUnknown, membersOf } from "../../schema/unknown";
import type { Resource, World } from "../world";

const ipPolicy = declarationOf("IpPolicy");
const ipPolicyRule = declarationOf("IpPolicyRule");

/** One range of a policy. */
export interface Entry {
  readonly action: "allow" | "deny";
  readonly cidr: string;
  readonly block: Block;
  /** The resource that declares the range. */
  readonly from: Resource;
}

/** The state of one policy. The service does not say how its ranges are weighed, so there is no verdict per address. */
export interface PolicyState {
  /** The policy's URN; its id if the policy is not part of the program. */
  readonly key: string;
  /** Undefined if the policy is not part of the program: other ranges of it are not known then. */
  readonly policy: Resource | undefined;
  readonly entries: readonly Entry[];
  /** The resources with ranges that are not known before the deployment. */
  readonly unknown: readonly Resource[];
  /** The union of the allowed ranges. */
  readonly allowed: AddressSet;
  /** The union of the denied ranges. */
  readonly denied: AddressSet;
}

/** Whether a resource declares ranges of the policy in its argument `ipPolicyId`: a rule, or a set of rules. */
export function declaresRanges({ declaration }: Resource): boolean {
  return declaration === ipPolicyRule || declaration.entries?.of === ipPolicyRule;
}

/** The arguments of the rules that a resource declares; one without arguments if they are not known. */
function rulesOf({ declaration, values }: Resource): Json[] {
  const set = declaration.entries;
  if (!set) return [values];
  const entries = values[set.entries];
  if (isUnknown(entries)) return [{ cidr: entries }];
  return Object.entries(membersOf(entries)).map(([key, entry]) =>
    entryArguments(declaration, set, values, key, entry),
  );
}

/** The keys of the policies that an argument refers to. */
export function policyTargets(world: World, resource: Resource, field: string): string[] {
  const isPolicy = (target: string): boolean =>
    world.all.get(target)?.type === ipPolicy.type || target.startsWith(ipPolicy.idPrefix!);
  return world.targets(resource, field).filter(isPolicy);
}

const known = new WeakMap<World, ReadonlyMap<string, PolicyState>>();

/** The policies of a world by their keys: those of the program, and those that a rule of the program refers to. */
export function policiesOf(world: World): ReadonlyMap<string, PolicyState> {
  const states = known.get(world) ?? statesOf(world);
  known.set(world, states);
  return states;
}

/** The ranges of the rules and sets whose policy is not known: it may be any policy. */
export function unplacedRanges(world: World): PolicyState[] {
  const sources = [...world.all.values()].filter(declaresRanges);
  return sources
    .filter((source) => policyTargets(world, source, "ipPolicyId").length === 0)
    .map((source) => stateOf(source.urn, undefined, [source]));
}

function statesOf(world: World): Map<string, PolicyState> {
  const sources = new Map<string, Resource[]>(world.ofType("IpPolicy").map(({ urn }) => [urn, []]));
  for (const source of [...world.all.values()].filter(declaresRanges)) {
    for (const key of policyTargets(world, source, "ipPolicyId")) {
      const others = sources.get(key);
      if (others) others.push(source);
      else sources.set(key, [source]);
    }
  }
  return new Map([...sources].map(([key, from]) => [key, stateOf(key, world.all.get(key), from)]));
}

/** The policy with a key; it has no ranges if no resource of the program declares any. */
export function policyIn(world: World, key: string): PolicyState {
  return policiesOf(world).get(key) ?? stateOf(key, undefined, []);
}

function stateOf(key: string, policy: Resource | undefined, sources: readonly Resource[]): PolicyState {
  const entries: Entry[] = [];
  const unknown = new Set<Resource>();
  for (const from of sources) {
    for (const { cidr, action } of rulesOf(from)) {
      const block = blockOf(cidr);
      if (block && isAction(action)) entries.push({ action, cidr: cidr as string, block, from });
      else if (isUnknown(cidr) || isUnknown(action)) unknown.add(from);
    }
  }
  const empty = { entries: [], allowed: AddressSet.empty, denied: AddressSet.empty };
  return withEntries({ key, policy, unknown: [...unknown], ...empty }, entries);
}

/** The policy with other ranges. */
export function withEntries(policy: PolicyState, entries: readonly Entry[]): PolicyState {
  const union = (action: Entry["action"]): AddressSet =>
    AddressSet.ofBlocks(entries.filter((entry) => entry.action === action).map(({ block }) => block));
  return { ...policy, entries, allowed: union("allow"), denied: union("deny") };
}

function isAction(value: unknown): value is Entry["action"] {
  return value === "allow" || value === "deny";
}
