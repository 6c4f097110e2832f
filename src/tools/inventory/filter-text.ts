/** Filters of the command line: `field=value`. */
import { GatewayError } from "../../provider/errors";
import { jsonIn } from "../../schema/json";
import { isAbsent, isRecord, membersOf, valueAt } from "../../schema/unknown";
import { globPattern } from "../../schema/text/glob";
import type { Glob } from "../../schema/text/glob";

/**
 * Whether an object matches all texts of `--filter`; `*` matches any text, and a list matches if one of its items does. A missing
 * field counts as empty text. Throws a GatewayError for a malformed text, or with the problem that `problemWith` finds in a
 * field.
 */
export function textFilter(
  texts: readonly string[],
  problemWith: (field: string) => string | undefined,
): (object: object) => boolean {
  const wanted = patternsIn("--filter", "description=office*", texts, problemWith);
  return (object) => wanted.every(({ path, pattern }) => fits(fieldAt(object, path), pattern));
}

/**
 * Whether an object matches one of the texts of `--exclude`. An object without the field matches none, not even `*`: nothing
 * shows that it should be excluded.
 */
export function textExclusion(
  texts: readonly string[],
  problemWith: (field: string) => string | undefined,
): (object: object) => boolean {
  const wanted = patternsIn("--exclude", "metadata.owned-by=*", texts, problemWith);
  return (object) =>
    wanted.some(({ path, pattern }) => {
      const value = fieldAt(object, path);
      return !isAbsent(value) && fits(value, pattern);
    });
}

function patternsIn(
  option: string,
  example: string,
  texts: readonly string[],
  problemWith: (field: string) => string | undefined,
) {
  return texts.map((text) => {
    const [path = "", ...value] = text.split("=");
    const parts = path.split(".");
    if (parts.includes("") || value.length === 0)
      throw new GatewayError(`${option} takes field=value, such as ${example}; not ${JSON.stringify(text)}`);
    const problem = problemWith(parts[0]!);
    if (problem !== undefined) throw new GatewayError(problem);
    return { path, pattern: globPattern(value.join("=")) };
  });
}

const inMetadata = "metadata.";

/** The value at a path. A path under `metadata.` names a key of metadata that is a JSON object, as other programs write it. */
function fieldAt(object: object, path: string): unknown {
  if (!path.startsWith(inMetadata)) return valueAt(object, path);
  const { metadata } = membersOf(object);
  const members = typeof metadata === "string" ? jsonIn(metadata) : metadata;
  return valueAt(members, path.slice(inMetadata.length));
}

function fits(value: unknown, pattern: Glob): boolean {
  return Array.isArray(value) ? value.some((item) => fits(item, pattern)) : pattern.test(inline(value));
}

/** Any value as one line. */
export function inline(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(inline).join(", ");
  if (isRecord(value)) {
    // In a reference, the id is enough for a reader.
    if (typeof value.id === "string" && typeof value.uri === "string") return value.id;
    return Object.entries(value)
      .map(([name, member]) => `${name}=${inline(member)}`)
      .join(", ");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
