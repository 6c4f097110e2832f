/**
 * Lists of objects that a program gives instead of maps. The check turns them into maps, so the engine, the state, the requests
 * and the tools see only maps, and a program can change from one form to the other without a change of the object.
 */
import type { Fields, ShapeOf } from "./field";
import type { Json } from "./json";
import { isAbsent, isRecord, isUnknown, unknown } from "./unknown";
import { shorten } from "./walk";

/** The arguments, with each such list turned into its map. */
export function withMaps<Values extends Json>(fields: Fields, args: Values): Values {
  let changed = args;
  for (const [name, { shape }] of Object.entries(fields)) {
    const value = args[name];
    if (shape.kind !== "map" || shape.listed === undefined || !Array.isArray(value)) continue;
    const entries = value.map((item, i) => entryOf(shape, item, `${name}[${i}]`));
    changed = { ...changed, [name]: Object.fromEntries(entries) };
  }
  return changed;
}

/**
 * The arguments of a program in a language without a union of a map and a list, with each list moved to the map's argument.
 * @param twice called with the names of a map and a list that are both given.
 */
export function withNamedLists(
  fields: Fields,
  args: Json,
  twice: (map: string, list: string) => void = () => undefined,
): Json {
  let changed = args;
  for (const [name, { shape }] of Object.entries(fields)) {
    if (shape.kind !== "map" || shape.listed === undefined) continue;
    const { [shape.listed.argument]: list, ...others } = changed;
    if (isAbsent(list)) continue;
    if (!isAbsent(others[name])) twice(name, shape.listed.argument);
    changed = { ...others, [name]: list };
  }
  return changed;
}

/**
 * The entry of an item. If the key is not known yet, the position of the item is the key, and the value keeps the unknown
 * member, which marks the entry as unknown.
 */
function entryOf({ value, listed }: ShapeOf<"map">, item: unknown, position: string): [string, unknown] {
  const { [listed!.key]: key, ...members } = isRecord(item) ? item : { [listed!.key]: unknown };
  if (typeof key !== "string" || isUnknown(key)) return [`unknown (${position})`, item];
  const given = Object.entries(members).filter(([, member]) => !isAbsent(member));
  return [key, shorten(value, Object.fromEntries(given))];
}
