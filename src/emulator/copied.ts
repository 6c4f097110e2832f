/** Objects that were copied from the answers of a service: their fields, and their form in answers. */
import { isDeepStrictEqual } from "node:util";
import type { Fields, Stored } from "./store";

/** The object in answers. A copied object appears as the service answered it, except for later changes. */
export function shownOf(stored: Stored, response: (stored: Stored) => object): object {
  const { copy, fields } = stored;
  if (copy === undefined) return response(stored);
  if (fields === copy.fields) return copy.answer;
  const then = response({ ...stored, fields: copy.fields }) as Fields;
  const changed = Object.entries(response(stored)).filter(
    ([name, value]) => !isDeepStrictEqual(value, then[name]),
  );
  return { ...copy.answer, ...Object.fromEntries(changed) };
}

/** A module of an edge or route in answers. A copied module stays unchanged until another one replaces it. */
export function shownModule(
  name: string,
  { fields, copy }: Stored,
  response: (kept: Fields) => object,
): object {
  const isCopied = copy !== undefined && isDeepStrictEqual(copy.fields[name], fields[name]);
  return isCopied ? (copy.answer[name] as object) : response(fields[name] as Fields);
}

/** The members of an answer that are set, without those that every object has. */
export function membersSet(answer: Fields): Fields {
  const { id: _id, uri: _uri, created_at: _at, ...members } = answer;
  return withoutNull(members);
}

/** A module in the form of a request; undefined if it is not set. */
export function moduleSet<T>(module: unknown, read: (module: Fields) => T): T | undefined {
  if (module === null || module === undefined) return undefined;
  if (typeof module !== "object") throw new TypeError("a module is no object");
  return read(withoutNull(module as Fields));
}

/** The id in a Ref. */
export function refId(ref: unknown): string {
  const id = (ref as Fields | undefined | null)?.id;
  if (typeof id !== "string") throw new TypeError("a Ref has no id");
  return id;
}

function withoutNull(members: Fields): Fields {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}
