/** The collections that `list` and `get` read, by their names on the command line. */
import type { Declaration } from "../../schema/declaration";
import { listPathOf } from "../../provider/http/pagination";
import { readable } from "../../resources/registry";
import { UsageError } from "./command";

export interface Collection {
  readonly name: string;
  readonly declaration: Declaration;
  /** The noun of the object that the list belongs to; undefined if it belongs to none. */
  readonly owner?: string;
  readonly lists: boolean;
  /** Whether its objects can be read one by one. */
  readonly gets: boolean;
}

export const collections: readonly Collection[] = readable.map((declaration) => {
  const lists = declaration.listKey !== undefined;
  return {
    // A module has no list, so it has the name of its class.
    name: kebab(lists ? declaration.plural.replace(/ /g, "-") : declaration.type),
    declaration,
    owner: lists ? ownerOf(declaration) : undefined,
    lists,
    gets: declaration.path.startsWith(declaration.listPath ?? ""),
  };
});

/** Finds a collection by its name, its class or its path. Throws a UsageError that lists the names. */
export function collectionOf(text: string | undefined, can: "lists" | "gets"): Collection {
  const able = collections.filter((collection) => collection[can]);
  const wanted = kebab(text ?? "");
  const found = able.find(({ name, declaration }) =>
    [name, kebab(declaration.type), kebab(declaration.path)].includes(wanted),
  );
  if (found) return found;
  const names = able.map(({ name }) => `  ${name}`).join("\n");
  throw new UsageError(
    text === undefined
      ? `name a collection; the collections are:\n${names}`
      : `${JSON.stringify(text)} is not a collection; the collections are:\n${names}`,
  );
}

function ownerOf(declaration: Declaration): string | undefined {
  const list = listPathOf(declaration);
  return readable.find(({ path }) => list.startsWith(`${path}/{`))?.noun;
}

function kebab(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[_/]/g, "-")
    .replace(/^-+|-+$/g, "");
}
