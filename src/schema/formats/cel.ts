import { escape, quote } from "./quote";

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
  const library = parser();
  try {
    library.parse(value);
    return undefined;
  } catch (error) {
    const { code, summary, range } = error as CelError;
    // Without a place it is no error of the parser: the recursion ran out of stack.
    if (range === undefined || summary?.includes("maxDepth")) {
      return `must be a CEL expression that is nested less deeply; got ${quote(value)}`;
    }
    if (code === "limit_exceeded" || beyondLibrary(value, range.start)) return undefined;
    return `must be a CEL expression; ${quote(value)} ${place(value, range.start)}: ${explain(summary, value, range.start)}`;
  }
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

function place(value: string, start: number): string {
  const lines = value.slice(0, start).split("\n");
  const character = lines[lines.length - 1]!.length + 1;
  return lines.length > 1 ? `at line ${lines.length}, character ${character}` : `at character ${character}`;
}

function explain(summary: string | undefined, value: string, start: number): string {
  if (start >= value.trimEnd().length) return "the expression ends too early";
  const text = (summary ?? "it does not parse").slice(0, 120);
  return escape(text.charAt(0).toLowerCase() + text.slice(1));
}
