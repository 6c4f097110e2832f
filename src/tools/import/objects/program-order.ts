/** The order of the resources in the generated program: the files, and the places in them. */
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { declarationOf, declarations, typesIn } from "../../../resources/registry";
import type { Group } from "../../../schema/declaration";
import { takesId } from "../../../schema/references";
import { compareTexts } from "../../../schema/text/compare-texts";

/** The groups of collections: each has a file with its name. A file refers only to earlier files. */
export const programFiles: readonly Group[] = [...new Set(declarations.map(({ group }) => group))];

/** The position of a class: the index of its file, and its rank within the file. */
export function positionOf(type: string): { readonly file: number; readonly rank: number } {
  const { group } = declarationOf(type);
  return { file: programFiles.indexOf(group), rank: typesIn(group.name).indexOf(type) };
}

/** The object that an object belongs to, by its first required id; undefined if that object is not imported. */
export function ownerOf<T extends InventoryObject>(
  { declaration: { fields }, args }: T,
  inventory: Inventory<T>,
): T | undefined {
  const owner = Object.keys(fields).find(
    (name) => fields[name]!.presence === "required" && takesId(fields[name]!),
  );
  return owner === undefined ? undefined : inventory.byId(args[owner] as string);
}

/**
 * The objects in the order of their statements: by file, each below the objects of its file that it refers to, and below its
 * owner. Otherwise, classes and ids determine the order, even if references form a cycle.
 */
export function statementOrder<T extends InventoryObject>(inventory: Inventory<T>): T[] {
  const keys = new Map([...inventory.all.values()].map((each) => [each, sortKey(each, inventory)]));
  const sorted = [...keys].sort(([, a], [, b]) => compareTexts(a, b)).map(([each]) => each);
  return dependenciesFirst(sorted, (each) =>
    inventory.references(each).flatMap(({ to }) => (to && fileOf(to) === fileOf(each) ? [to] : [])),
  );
}

/** The maximum depth of owners in a sort key: a policy, its rule. */
const deepestOwner = 3;

function sortKey<T extends InventoryObject>(each: T, inventory: Inventory<T>, depth = 0): string {
  const { file, rank } = positionOf(each.declaration.type);
  const owner = depth < deepestOwner ? ownerOf(each, inventory) : undefined;
  return `${owner ? sortKey(owner, inventory, depth + 1) : String(file)} ${rank} ${each.id}`;
}

function fileOf({ declaration }: InventoryObject): number {
  return positionOf(declaration.type).file;
}

/** The items in their order, but each after its dependencies. The items of a cycle keep their order. */
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
