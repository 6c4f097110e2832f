/**
 * Where clients reach objects. Whatever is served at one address before and after a deployment is one place: the names in
 * the program are its author's choice and prove nothing.
 */
import { keyOf } from "../inventory/inventory";
import type { InventoryObject } from "../inventory/inventory";
import { namesIn } from "../../provider/http/path";
import { canonicalOf } from "../../schema/field";
import type { AnyField } from "../../schema/field";
import { hasUnknown, isUnknown } from "../../schema/unknown";

/**
 * What the gates of an object guard: the edge or route that a module belongs to, else the object itself. It is the same
 * before and after a deployment, whatever the name of a module in the program is.
 */
export function placeKey(object: InventoryObject): string {
  const { declaration, values, provider = "" } = object;
  if (declaration.style !== "singleton") return keyOf(object);
  const ids = namesIn(declaration.path).map((name) => values[name]);
  if (ids.some((id) => typeof id !== "string" || isUnknown(id))) return keyOf(object);
  const filled = ids.reduce<string>(
    (path, id) => path.replace(/\{\w+\}/, () => String(id)),
    declaration.path,
  );
  return `${provider} ${filled.slice(0, filled.lastIndexOf("/"))}`;
}

/** The addresses that an object serves, or the key that it knows, in one spelling; none where they are not known. */
export function addressesOf({ declaration: { address, fields }, values }: InventoryObject): string[] {
  if (address === undefined) return [];
  const value = values[address];
  const { shape } = fields[address]!;
  const item = shape.kind === "list" ? shape.item : fields[address]!;
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => (typeof each === "string" && !isUnknown(each) ? spelled(item, each) : []));
}

function spelled({ shape }: AnyField, value: string): string {
  return shape.kind === "string" ? canonicalOf(shape.format, value) : value;
}

/** The objects of one type at one place before and after a deployment, whatever their names are. */
export interface Pair {
  readonly old: InventoryObject;
  readonly next: InventoryObject;
}

/** Whether there is an object at the place both before and after the deployment. */
export function isPair(pair: Partial<Pair>): pair is Pair {
  return pair.old !== undefined && pair.next !== undefined;
}

/**
 * Pairs each object with what was at its place before. An object that serves several addresses is paired with all objects
 * that served one of them. If there are none, it is paired with itself.
 */
export function pairedByPlace(
  before: readonly InventoryObject[],
  after: readonly InventoryObject[],
): Partial<Pair>[] {
  const byKey = new Map(before.map((each) => [keyOf(each), each]));
  const byPlace = Map.groupBy(
    before.flatMap((object) => servedAt(object).map((key) => ({ object, key }))),
    ({ key }) => key,
  );
  const paired = new Set<InventoryObject>();
  const pairs = after.flatMap((next): Partial<Pair>[] => {
    const own = byKey.get(keyOf(next));
    const there = servedAt(next).map((key) => (byPlace.get(key) ?? []).map(({ object }) => object));
    const olds = new Set(there.flatMap((here) => nearest(here, next)));
    // A module that moves guards another place, so it is not paired with itself.
    if (olds.size === 0 && own && next.declaration.style !== "singleton") olds.add(own);
    for (const old of olds) paired.add(old);
    return olds.size === 0 ? [{ next }] : [...olds].map((old) => ({ old, next }));
  });
  const left = before.filter((old) => !paired.has(old));
  return [...pairs, ...left.map((old) => ({ old }))];
}

/** Among the objects at an address: the object itself, else those of its provider, else all. */
function nearest(here: readonly InventoryObject[], next: InventoryObject): readonly InventoryObject[] {
  const own = here.filter((old) => keyOf(old) === keyOf(next));
  if (own.length > 0) return own;
  const near = here.filter(({ provider }) => provider === next.provider);
  return near.length > 0 ? near : here;
}

/** Whether an object may serve an address that is not known yet. */
function mayServeAnything({ declaration: { address, style, path }, values }: InventoryObject): boolean {
  const names = style === "singleton" ? namesIn(path) : address === undefined ? [] : [address];
  return names.some((name) => hasUnknown(values[name]));
}

/**
 * The objects that may take over an address: another object of their type served it before the deployment, and nothing is
 * known to serve it afterwards.
 */
export function possibleSuccessors(
  before: readonly InventoryObject[],
  after: readonly InventoryObject[],
): Pair[] {
  // The deployment changes nothing that the program only reads.
  const open = after.filter((on) => mayServeAnything(on) && on.record?.external !== true);
  if (open.length === 0) return [];
  const served = new Set(after.flatMap(servedAt));
  const lost = before.filter((old) => servedAt(old).some((each) => !served.has(each)));
  return lost.flatMap((old) =>
    open.flatMap((next) => (next.declaration === old.declaration ? [{ old, next }] : [])),
  );
}

/** The addresses that an object serves, or the edge or route that a module belongs to. */
function servedAt(object: InventoryObject): string[] {
  const { declaration } = object;
  const own = declaration.style === "singleton" ? [placeKey(object)] : addressesOf(object);
  return own.map((each) => `${declaration.type} ${each}`);
}
