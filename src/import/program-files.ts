/** The files of a generated program: one for each group of collections. A file refers only to those before it. */
import { declarations, typesIn } from "../resources/registry";

export interface ProgramFile {
  /** The file's name, without its ending. */
  readonly file: string;
  /** The heading of the file. */
  readonly title: string;
  /** The classes, in the order of their statements. */
  readonly types: readonly string[];
}

export const programFiles: readonly ProgramFile[] = [...new Set(declarations.map(({ group }) => group))].map(
  ({ name, title }) => ({ file: name, title, types: typesIn(name) }),
);

/** The position of a class: the index of its file, and its rank within the file. */
export function placeOf(type: string): { readonly file: number; readonly rank: number } {
  const file = programFiles.findIndex(({ types }) => types.includes(type));
  return { file, rank: programFiles[file]!.types.indexOf(type) };
}
