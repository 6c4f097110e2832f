/** The resources that IP policies guard: edges and modules whose arguments refer to policies. */
import { declarationOf } from "../../resources/registry";
import { argumentsWithIds } from "../../schema/id-prefixes";
import { isUnknown, isRecord } from "../../schema/unknown";
import { guardOf } from "../rules/single";
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
  const isEnabled = guardOf(resource.type, resource.values)?.enabled !== false;
  const policies = [...new Set(fields.flatMap((field) => policyTargets(world, resource, field)))].sort();
  const values = fields.map((field) => resource.values[field]);
  const hasUnknown =
    unknownsIn(values) > policies.filter((key) => world.all.get(key)?.id === undefined).length;
  return { resource, policies, isRestricted: isEnabled && (policies.length > 0 || hasUnknown), hasUnknown };
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

/** The number of unknown values. The dependencies of an argument name the policies that they belong to. */
function unknownsIn(value: unknown): number {
  if (isUnknown(value)) return 1;
  const members = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return members.reduce<number>((sum, member) => sum + unknownsIn(member), 0);
}
