/** The order of a replacement. */
import { changesOf } from "./differences";
import type { ResourceChange } from "../inventory/world";

/** Whether the old object is deleted before the new one is created. */
export function deletesFirst(resource: ResourceChange): boolean {
  const { action, deletedFirst, declaration, replaceReasons } = resource;
  if (action !== "replace") return false;
  const { unique } = declaration;
  // A module is never deleted first where it stands, unless the engine is told to.
  if (deletedFirst || unique === undefined || declaration.style === "singleton") return deletedFirst;
  const { differences } = changesOf(resource);
  const names = new Set([...replaceReasons, ...differences.map(({ path }) => path.split(".")[0]!)]);
  return !unique.some((name) => names.has(name));
}
