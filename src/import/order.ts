/** The order of the resources in the generated program. */
import { compareTexts } from "../text/order";
import { placeOf } from "./program-files";
import type { Imported } from "./arguments";
import { idSlots } from "../schema/references";
import { ownerOf, referable } from "./references";

/**
 * The objects in the order of their statements: file by file, each below those of its file that it refers to, and
 * below its owner. Otherwise the order of classes and ids decides, also where references form a circle.
 */
export function statementOrder(imported: readonly Imported[]): Imported[] {
  const byId = referable(imported);
  const keys = new Map(imported.map((each) => [each, sortKey(each, byId)]));
  const sorted = [...imported].sort((a, b) => compareTexts(keys.get(a)!, keys.get(b)!));
  return dependenciesFirst(sorted, (each) =>
    idSlots(each.declaration.fields, each.args)
      .flatMap(({ id = "" }) => byId.get(id) ?? [])
      .filter((target) => fileOf(target) === fileOf(each)),
  );
}

/** How many owners a sort key holds: a policy, its rule. */
const deepestOwner = 3;

function sortKey(each: Imported, byId: ReadonlyMap<string, Imported>, depth = 0): string {
  const { file, rank } = placeOf(each.declaration.type);
  const owner = depth < deepestOwner ? byId.get(ownerOf(each) ?? "") : undefined;
  const isNear = owner !== undefined && owner !== each && fileOf(owner) === file;
  return `${isNear ? sortKey(owner, byId, depth + 1) : String(file)} ${rank} ${each.id}`;
}

function fileOf({ declaration }: Imported): number {
  return placeOf(declaration.type).file;
}

/** The items in their order, but each behind its dependencies. A circle keeps the order of its items. */
export function dependenciesFirst<T>(items: readonly T[], dependenciesOf: (item: T) => readonly T[]): T[] {
  const order = new Set<T>();
  const visiting = new Set<T>();
  const visit = (item: T): void => {
    if (visiting.has(item)) return;
    visiting.add(item);
    dependenciesOf(item).forEach(visit);
    order.add(item);
  };
  items.forEach(visit);
  return [...order];
}
