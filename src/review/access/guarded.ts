/** The resources that IP policies guard: edges and modules whose arguments refer to policies. */
import { declarationOf } from "../../resources/registry";
import { accessValues } from "../../schema/access-fields";
import { argumentsWithIds, prefixesIn } from "../../schema/id-prefixes";
import { isUnknown } from "../../schema/unknown";
import { guardOf, guards } from "../rules/single";
import { idsInPath } from "../world";
import type { Resource, World } from "../world";
import { declaresRanges, policyTargets } from "./policies";

const ipPolicy = declarationOf("IpPolicy");

/** A guarded resource in one world. */
export interface Guarded {
  readonly resource: Resource;
  /** The keys of its policies. */
  readonly policies: readonly string[];
  /** The guard is enabled and has a policy. */
  readonly isRestricted: boolean;
  /** It refers to policies that are not known before the deployment. */
  readonly hasUnknown: boolean;
  /** It is not known before the deployment whether the guard is enabled. */
  readonly mayBeOff: boolean;
}

/** The guarded resources of a world. A key is the same before and after the deployment. */
export function guardedOf(world: World): Map<string, Guarded> {
  const found = new Map<string, Guarded>();
  for (const resource of world.all.values()) {
    const fields = declaresRanges(resource) ? [] : policyFields(resource);
    if (fields.length > 0) found.set(keyOf(resource), guarded(world, resource, fields));
  }
  return found;
}

function guarded(world: World, resource: Resource, fields: readonly string[]): Guarded {
  const module = guards[resource.type]?.module;
  const settings = guardOf(resource.type, resource.values);
  const isEnabled = settings?.enabled !== false;
  const mayBeOff = isUnknown(settings?.enabled) || isUnknown(resource.values[module ?? ""]);
  const policies = [...new Set(fields.flatMap((field) => policyTargets(world, resource, field)))].sort();
  // A policy of the program without an id yet explains one unknown value.
  const explained = policies.filter((key) => world.all.has(key) && world.all.get(key)!.id === undefined);
  const hasUnknown = unknownIds(resource) > explained.length;
  const isRestricted = isEnabled && (policies.length > 0 || hasUnknown);
  return { resource, policies, isRestricted, hasUnknown, mayBeOff };
}

/** A module is known by the path of its edge, because its name in the program may change. */
function keyOf(resource: Resource): string {
  const { urn, type, declaration } = resource;
  if (declaration.style !== "singleton") return urn;
  const ids = idsInPath(resource);
  return ids.some(isUnknown) ? urn : `${type} ${ids.map(String).join("/")}`;
}

/** The arguments that refer to IP policies. */
function policyFields({ declaration }: Resource): string[] {
  const holding = argumentsWithIds(declaration.fields);
  return holding.filter(({ prefixes }) => prefixes.includes(ipPolicy.idPrefix!)).map(({ name }) => name);
}

/** The number of unknown ids of policies. The dependencies of an argument name the policies that they belong to. */
function unknownIds({ declaration, values }: Resource): number {
  return accessValues(
    declaration.fields,
    values,
    (value, field) => isUnknown(value) && prefixesIn(field).includes(ipPolicy.idPrefix!),
  ).length;
}
