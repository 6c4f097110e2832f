/** The references between objects, as the declarations of their arguments say. */
import type { Group } from "../schema/declaration";
import { visit } from "../schema/field";
import type { AnyField } from "../schema/field";
import { argumentsWithIds, prefixesIn } from "../schema/id-prefixes";
import { isUnknown, membersOf } from "../schema/unknown";
import { declarations } from "../resources/registry";
import type { Resource, World } from "../review/world";

/** A reference of an object to another one. */
export interface Reference {
  /** The URN of the other object; its id if it is not part of the world; undefined if it is not known yet. */
  readonly to: string | undefined;
  /** The place in a list whose order counts, from 0; undefined if it is not known. */
  readonly position?: number;
  /** The number that a map gives the id. */
  readonly weight?: number;
  /** The object that contains the reference is disabled. */
  readonly isOff: boolean;
}

type Place = Omit<Reference, "to">;

/** A place for an id. */
interface Slot extends Place {
  /** The prefixes of the ids that the place takes. */
  readonly prefixes: readonly string[];
  /** Undefined if it is not known yet. */
  readonly id: string | undefined;
}

/** The references of a resource to objects of a group of collections. */
export function referencesOf(
  world: World,
  { declaration, values, state }: Resource,
  group: Group,
): Reference[] {
  return argumentsWithIds(declaration.fields).flatMap(({ name, field }) => {
    const slots = slotsIn(field, values[name], { isOff: values.enabled === false });
    const own = slots.filter(({ prefixes }) => isIn(group, prefixes));
    return resolved(world, own, state.propertyDependencies[name] ?? []);
  });
}

/** Whether objects of the declaration refer to a group of collections. */
export function refersToGroup({ declaration }: Resource, group: Group): boolean {
  return argumentsWithIds(declaration.fields).some(({ prefixes }) => isIn(group, prefixes));
}

const groups = new Map(declarations.map(({ idPrefix, group }) => [idPrefix, group]));

function isIn(group: Group, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => groups.get(prefix) === group);
}

/** The places for ids in a value, each with the id that it holds. */
function slotsIn(field: AnyField, value: unknown, at: Place): Slot[] {
  const prefixes = prefixesIn(field);
  if (prefixes.length === 0 || value === undefined || value === null || value === "") return [];
  if (isUnknown(value)) return [{ ...at, prefixes, id: undefined }];
  const members = membersOf(value);
  return visit<Slot[]>(field, {
    string: () => (typeof value === "string" ? [{ ...at, prefixes, id: value }] : []),
    leaf: () => [],
    list: ({ item, ordered }) =>
      Array.isArray(value)
        ? value.flatMap((each, index) => slotsIn(item, each, ordered ? { ...at, position: index } : at))
        : [],
    map: ({ key: { refersTo }, value: entry }) =>
      Object.entries(members).flatMap(([key, member]) => [
        ...(refersTo ? [keySlot(refersTo, key, member, at)] : []),
        ...slotsIn(entry, member, at),
      ]),
    object: ({ fields }) => {
      const inside = { ...at, isOff: at.isOff || members.enabled === false };
      return Object.entries(fields).flatMap(([name, member]) =>
        member.presence === "computed" ? [] : slotsIn(member, members[name], inside),
      );
    },
  });
}

function keySlot(prefixes: readonly string[], id: string, value: unknown, at: Place): Slot {
  return typeof value === "number"
    ? { ...at, prefixes, id, weight: value, isOff: at.isOff || value === 0 }
    : { ...at, prefixes, id };
}

/**
 * The references of one argument. An id that is not known yet belongs to one of the resources that the argument
 * depends on. If several come into question, their places are not known.
 */
function resolved(world: World, slots: readonly Slot[], dependencies: readonly string[]): Reference[] {
  const known = slots.filter(({ id }) => id !== undefined);
  const references = known.map(({ id, position, weight, isOff }): Reference => {
    return { to: world.urnOf(id!) ?? id, position, weight, isOff };
  });
  const open = slots.filter(({ id }) => id === undefined);
  const [first] = open;
  if (first === undefined) return references;
  const taken = new Set(references.map(({ to }) => to));
  const { prefixes, position, weight, isOff } = first;
  const candidates = [...new Set(dependencies)]
    .filter((urn) => !taken.has(urn) && prefixes.includes(world.all.get(urn)?.declaration.idPrefix ?? ""))
    .sort();
  const place = open.length === 1 && candidates.length < 2 ? { position, weight, isOff } : { isOff };
  const targets = open.length > candidates.length ? [...candidates, undefined] : candidates;
  return [...references, ...targets.map((to) => ({ to, ...place }))];
}
