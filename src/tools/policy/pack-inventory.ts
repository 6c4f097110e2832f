/** The resources that a policy pack sees, as an inventory. */
import { Inventory } from "../inventory/inventory";
import type { InventoryObject } from "../inventory/inventory";
import { objectWith } from "../inventory/read-preview";
import { ProviderAccounts } from "../inventory/provider-accounts";
import type { Json } from "../../schema/json";
import { idSlots } from "../../schema/references";
import { unknown, mapDeep, mapValues } from "../../schema/unknown";
import { identityOf } from "../stack/engine-identity";
import type { Identity } from "../stack/engine-identity";
import { engineState, mismatchIn, providerSettings, urlIn } from "../stack/state";
import { explicitProvider, isProviderType, nameIn } from "../../provider/urn";

/** The resource that a policy checks: the part of `ResourceValidationArgs` that is used here. */
export interface ResourceArgs {
  /** The type token, such as `pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule`. */
  readonly type: string;
  /** The resource's name in the program. */
  readonly name: string;
  /** The URN of the resource. */
  readonly urn?: string;
  /** The arguments of the resource. */
  readonly props: Readonly<Record<string, unknown>>;
  /** The provider that manages the resource; a component has none. */
  readonly provider?: { readonly urn: string; readonly props: Readonly<Record<string, unknown>> };
}

/** A resource of a stack: the part of `PolicyResource` that is used here. */
export interface StackResource extends ResourceArgs {
  readonly urn: string;
  /** The resources that each argument comes from. */
  readonly propertyDependencies: Readonly<Record<string, readonly { readonly urn: string }[]>>;
}

/**
 * An inventory of the resources that a pack gets, which have no ids. An id that comes from a resource of the stack is therefore
 * found only by the data flow, as in a preview that creates everything.
 */
export function inventoryOfPack(resources: readonly StackResource[]): Inventory {
  const identities = new Map(resources.map((each) => [each.urn, packIdentity(each)]));
  const mismatches = resources.flatMap(({ urn, type, provider }) => {
    const identity = identities.get(urn)!;
    return mismatchIn(urn, { type, custom: provider !== undefined, identity }) ?? [];
  });
  const objects = resources.flatMap((resource) => packObject(resource, identities) ?? []);
  return new Inventory(objects, undefined, mismatches, accountsOf(resources));
}

/** The accounts of the providers that manage resources of the stack. */
function accountsOf(resources: readonly StackResource[]): ProviderAccounts {
  const providers = resources.flatMap(({ provider }) => provider ?? []);
  return new ProviderAccounts(
    new Map(
      providers.map(({ urn, props }) => [explicitProvider(urn), urlIn(providerSettings(knownValues(props)))]),
    ),
  );
}

/** The identity of a resource as a pack sees it: the engine does not pass properties whose names begin with `__`. */
export function packIdentity({ type, urn, props, provider }: ResourceArgs): Identity {
  const custom = provider !== undefined || isProviderType(type);
  const state = { type, urn, custom, inputs: knownValues(props), provider: provider && `${provider.urn}::` };
  return identityOf(state, true);
}

function packObject(
  { type, urn, props, provider: worker, propertyDependencies }: StackResource,
  identities: ReadonlyMap<string, Identity>,
): InventoryObject | undefined {
  const identity = identities.get(urn)!;
  if (identity.kind !== "own") return undefined;
  const { declaration } = identity;
  const provider = explicitProvider(worker?.urn);
  const values = knownValues(props);
  const dependencies: Record<string, readonly string[]> = Object.fromEntries(
    Object.entries(propertyDependencies).map(([name, all]) => [name, all.map((each) => each.urn)]),
  );
  const slots = idSlots(declaration.fields, values);
  const outputs = mapValues(values, (value, name) => {
    const own = new Set(slots.filter(({ argument }) => argument === name).map(({ id }) => id));
    const isFlow = (dependencies[name] ?? []).some((each) => identities.get(each)?.kind === "own");
    return isFlow ? withoutIds(value, own) : value;
  });
  const state = {
    ...engineState({ type, custom: true, propertyDependencies: dependencies }),
    ...{ identity, provider, anyProvider: worker?.urn, inputs: outputs, outputs },
  };
  return objectWith({ urn, declaration, name: nameIn(urn, type) }, state, undefined, outputs);
}

/** The values of a resource. A pack throws if a policy reads an unknown value, so each value is read here once. */
export function knownValues(props: Json): Json {
  return read(props) as Json;
}

function read(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.keys(value).map((name): [string, unknown] => [name, memberOf(value, name)]);
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

function memberOf(values: object, name: string): unknown {
  try {
    return read((values as Readonly<Record<string, unknown>>)[name]);
  } catch {
    return unknown;
  }
}

function withoutIds(value: unknown, ids: ReadonlySet<unknown>): unknown {
  return mapDeep(value, (part) => (typeof part === "string" && ids.has(part) ? unknown : part));
}
