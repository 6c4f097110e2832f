/** The addresses of requests and objects. Declarations that users compile import this file: it must not reach undici's. */
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
  /** What was being done, in the words of an error message: "creating the IP policy rule". */
  readonly operation: string;
}

/** The path with the query. */
export function pathAndQuery({ path, query }: Call): string {
  return query ? `${path}?${new URLSearchParams(query).toString()}` : path;
}

/**
 * A request path; each value becomes one encoded segment. A value that is empty, "." or ".." would name
 * another resource than the one that was meant, so it is refused.
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
 * What an id of several segments stands for, by the names in its path; nothing for an id of the service's own. The last
 * name takes the rest, because an event type may hold a slash.
 */
export function valuesIn(template: string, id: string): Outputs {
  const [names, values] = [namesIn(template), id.split("/")];
  const last = values.splice(Math.max(0, names.length - 1)).join("/");
  const named = names.map((name, i) => [name, values[i] ?? (i === names.length - 1 ? last : "")] as const);
  return outputsFrom(Object.fromEntries(named));
}

/** Whether the path of an object is its identity, so that no two can be at one. */
export function hasOwnPath({ path }: Pick<Declaration, "path">): boolean {
  return path.includes("{");
}

/**
 * What no two objects of the declaration may share, as a text: the path that is their identity, or some of their arguments.
 * Undefined where all of it may be equal.
 */
export function ownPlaceOf(
  declaration: Pick<Declaration, "path" | "unique">,
  values: FieldValues,
): string | undefined {
  const { path, unique } = declaration;
  if (hasOwnPath(declaration)) return idIn(path, values);
  return unique && JSON.stringify(unique.map((name) => values[name]));
}

/** The id of an object whose path is its identity; "" for an object whose id the service gives. */
export function idIn(template: string, values: FieldValues): string {
  return namesIn(template)
    .map((name) => String(values[name]))
    .join("/");
}

/**
 * Why a text cannot be the id of such an object, as a clause; undefined where it can. Ids come from answers, stacks and
 * previews, which may be hostile: what no path can carry, or no line can show, is refused where it enters.
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
