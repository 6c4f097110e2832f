/** The files of a generated program. */
import type { Group } from "../schema/declaration";
import { declarationOf, declarations, typesIn } from "../resources/registry";

/** The groups of collections: each has a file of its name. A file refers only to those before it. */
export const programFiles: readonly Group[] = [...new Set(declarations.map(({ group }) => group))];

/** The position of a class: the index of its file, and its rank within the file. */
export function placeOf(type: string): { readonly file: number; readonly rank: number } {
  const { group } = declarationOf(type);
  return { file: programFiles.indexOf(group), rank: typesIn(group.name).indexOf(type) };
}
