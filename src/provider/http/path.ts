/** Paths of requests and objects. Type declarations that users compile import this file, so it must not import undici's. */
import type { Declaration } from "../../schema/declaration";
import { isId } from "../../schema/formats/id";
import { quote } from "../../schema/text/phrase";
import { outputsFrom } from "../../schema/values";
import type { Body, FieldValues, Outputs } from "../../schema/values";
import { GatewayError } from "../errors";

/** One request to the API. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base URL, its segments encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | URLSearchParams;
  readonly body?: Body;
  /** Whether every account has what the path names, such as the list of a collection. */
  readonly isInEveryAccount?: boolean;
  /** The operation as an error message names it: "creating the IP policy rule". */
  readonly operation: string;
}

export function pathAndQuery({ path, query }: Call): string {
  return query ? `${path}?${new URLSearchParams(query).toString()}` : path;
}

/**
 * A request path; each value becomes one encoded segment. A value that is empty, "." or ".." is refused: it would name a
 * different resource.
 */
export function path(literals: TemplateStringsArray, ...values: string[]): string {
  return literals.reduce(
    (built, literal, i) => built + literal + (i < values.length ? segment(values[i]!) : ""),
    "",
  );
}

/** One encoded segment of a path. */
export function segment(value: string): string {
  if (value === "" || value === "." || value === ".." || !value.isWellFormed()) {
    throw new GatewayError(`${JSON.stringify(value)} cannot be a part of an object's address`);
  }
  return encodeURIComponent(value);
}

/** The names of a path's variable segments, in order: `{edgeId}` and `{routeId}`. */
export function namesIn(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/**
 * The values of the variable segments in an id, by their names; empty if the service assigns the id. The last name takes the
 * rest, because an event type may contain a slash.
 */
export function valuesIn(template: string, id: string): Outputs {
  const [names, values] = [namesIn(template), id.split("/")];
  const last = values.splice(Math.max(0, names.length - 1)).join("/");
  const named = names.map((name, i) => [name, values[i] ?? (i === names.length - 1 ? last : "")] as const);
  return outputsFrom(Object.fromEntries(named));
}

/** Whether the path of an object is its identity, so that only one object can exist at a path. */
export function hasOwnPath({ path }: Pick<Declaration, "path">): boolean {
  return path.includes("{");
}

/**
 * What must be unique among the objects of the declaration, as a text: the path that is their identity, or some of their
 * arguments. Undefined if nothing must be unique.
 */
export function ownPlaceOf(
  declaration: Pick<Declaration, "path" | "unique">,
  values: FieldValues,
): string | undefined {
  const { path, unique } = declaration;
  if (hasOwnPath(declaration)) return idIn(path, values);
  return unique && JSON.stringify(unique.map((name) => values[name]));
}

/** The id of an object whose path is its identity; "" if the service assigns the id. */
export function idIn(template: string, values: FieldValues): string {
  return namesIn(template)
    .map((name) => String(values[name]))
    .join("/");
}

/**
 * Why a text cannot be the id of such an object, as a clause; undefined if it can. Ids come from answers, stacks and previews,
 * which may be hostile. An id that does not fit in a path or in one line of output is refused on input.
 */
export function idProblem(
  declaration: Pick<Declaration, "path" | "idPrefix">,
  id: string,
): string | undefined {
  const segments = id.split("/");
  const isWhole = namesIn(declaration.path).length > 0 || segments.length === 1;
  if (isWhole && segments.every(isId)) return undefined;
  return `${quote(id)} is not a valid id; it must have the form ${formOf(declaration)}`;
}

/** What an id of the declaration looks like. */
export function formOf({ path, idPrefix = "" }: Pick<Declaration, "path" | "idPrefix">): string {
  const names = namesIn(path);
  return names.length === 0 ? `${idPrefix}…, one word` : names.map((name) => `<${name}>`).join("/");
}
