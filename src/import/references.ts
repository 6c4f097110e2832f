/** Which objects belong to which, and which others may refer to. */
import { takesId } from "../schema/references";
import type { Imported } from "./arguments";

/** The id of the object that an object belongs to: its first required id. */
export function ownerOf({ declaration: { fields }, args }: Imported): string | undefined {
  const owner = Object.keys(fields).find(
    (name) => fields[name]!.presence === "required" && takesId(fields[name]!),
  );
  return owner === undefined ? undefined : (args[owner] as string);
}

/**
 * The objects that others may refer to, by id. Modules and sources are left out: their ids are the paths of other
 * objects.
 */
export function referable<T extends Imported>(imported: readonly T[]): Map<string, T> {
  return new Map(
    imported.filter(({ declaration }) => declaration.style === "collection").map((each) => [each.id, each]),
  );
}
