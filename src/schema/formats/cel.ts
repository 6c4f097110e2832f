import { escapeControls } from "../text/escape";
import { quote } from "../text/phrase";

/** What is used of @marcbachmann/cel-js, whose own types an ECMAScript module keeps from CommonJS. */
interface CelLibrary {
  Environment: new (options: object) => { parse(expression: string): unknown };
}

/** A parse error of the library; anything else it throws lacks these members. */
interface CelError {
  readonly code?: string;
  readonly summary?: string;
  readonly range?: { readonly start: number; readonly end: number };
}

let environment: { parse(expression: string): unknown } | undefined;

/**
 * An endpoint selector: a CEL expression that parses. Names and types are never checked, as the
 * specification does not show what a selector sees.
 */
export function check(value: string): string | undefined {
  if (value.trim() === "") return "must be a CEL expression, which is not empty";
  const error = parseError(value);
  if (error === undefined || isTooDeep(error)) return undefined;
  const { code, summary, range } = error;
  if (code === "limit_exceeded" || beyondLibrary(value, range!.start)) return undefined;
  return `must be a CEL expression; ${quote(value)} ${positionText(value, range!.start)}: ${explain(summary, value, range!.start)}`;
}

/**
 * The language limits no depth, so an expression that is too deep to be parsed here is not refused.
 * @public It is read where the module as a whole is a field's format.
 */
export function advise(value: string): string | undefined {
  const error = parseError(value);
  if (error === undefined || !isTooDeep(error)) return undefined;
  return "is nested so deeply that it is not checked here, and the service may refuse it";
}

function parseError(value: string): CelError | undefined {
  const library = parser();
  try {
    library.parse(withPlainTokens(value));
    return undefined;
  } catch (error) {
    return error as CelError;
  }
}

/** Without a place it is not an error of the parser: the recursion ran out of stack. */
function isTooDeep({ range, summary }: CelError): boolean {
  return range === undefined || summary?.includes("maxDepth") === true;
}

const ESCAPE = /\\(?:[abfnrtv?"'`\\]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/
  .source;

/** A text between three marks or one, with the escapes of the language. */
const quoted = (mark: string) =>
  String.raw`${mark}{3}(?:[^${mark}\\]|${mark}(?!${mark}{2})|${ESCAPE})*${mark}{3}|${mark}(?:[^${mark}\\\r\n]|${ESCAPE})*${mark}`;

/** Those tokens of the language that the library reads in part only, and names, so that no token begins inside one. */
const TOKEN = new RegExp(
  [
    /(?<blank>\/\/[^\n]*|\f)/.source,
    /(?<raw>[bB]?[rR](?:"""[^]*?"""|'''[^]*?'''|"[^"\r\n]*"|'[^'\r\n]*'))/.source,
    `(?<text>[bB]?(?:${quoted('"')}|${quoted("'")}))`,
    /[A-Za-z_]\w*/.source,
    /(?<number>0[xX][0-9a-fA-F]+[uU]?|\d*\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+|[uU])?)/.source,
  ].join("|"),
  "g",
);

/**
 * The expression with every string, number and comment in its simplest form and in its place. The library does not read
 * `br'x'`, `.5`, a backslash at the end of a raw string, a number that is too large for it, and form feeds.
 */
function withPlainTokens(value: string): string {
  return value.replace(TOKEN, (token: string, ...rest) => {
    const { blank, raw, text, number } = rest[rest.length - 1] as Readonly<
      Record<string, string | undefined>
    >;
    if (blank !== undefined) return " ".repeat(token.length);
    if ((raw ?? text) !== undefined) return "''".padEnd(token.length);
    if (number === undefined) return token;
    // The space keeps `a.5` wrong.
    return (token.startsWith(".") ? " 1" : "1").padEnd(token.length);
  });
}

function parser(): { parse(expression: string): unknown } {
  if (environment === undefined) {
    const { Environment } = require("@marcbachmann/cel-js") as CelLibrary;
    // The language limits no lists. A hundred thousand nodes, the library's own limit, are not parsed; a
    // depth of 250 is the limit of other implementations too.
    const many = Number.MAX_SAFE_INTEGER;
    const limits = { maxListElements: many, maxMapEntries: many, maxCallArguments: many };
    environment = new Environment({ enableOptionalTypes: true, limits });
  }
  return environment;
}

/**
 * Whether the parser stopped at something that CEL has and the library has not: a message literal
 * (`Type{field: 1}`), a name from the root (`.a.b`), a quoted field (`` a.`b-c` ``), an optional element
 * (`[?a]`, `{?k: v}`). Such an expression cannot be checked here.
 */
function beyondLibrary(value: string, start: number): boolean {
  const before = value
    .slice(Math.max(0, start - 50), start)
    .trimEnd()
    .slice(-1);
  const after = value.slice(start, start + 50);
  if (after.startsWith("{")) return /[\w`]/.test(before) && /^\{\s*(\}|\?|`|[A-Za-z_]\w*\s*:)/.test(after);
  if (after.startsWith("`")) return before === "." && /^`[\w./ -]+`/.test(after);
  if (after.startsWith(".")) return /^\.[A-Za-z_]/.test(after) && !/[\w.)\]}"'`]/.test(before);
  return after.startsWith("?") && /[[{,]/.test(before);
}

function positionText(value: string, start: number): string {
  const lines = value.slice(0, start).split("\n");
  const character = lines[lines.length - 1]!.length + 1;
  return lines.length > 1 ? `at line ${lines.length}, character ${character}` : `at character ${character}`;
}

function explain(summary: string | undefined, value: string, start: number): string {
  if (start >= value.trimEnd().length) return "the expression ends too early";
  const text = (summary ?? "it does not parse").slice(0, 120);
  return escapeControls(text.charAt(0).toLowerCase() + text.slice(1));
}
