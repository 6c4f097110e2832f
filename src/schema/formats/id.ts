import { withArticle, either, quote } from "../text/phrase";
import { hasControls } from "../text/escape";

/** What has an id with the prefix: what the specification names without a collection, and all that is declared. */
const owners = new Map([
  ["usr_", "user"],
  ["cr_", "tunnel credential"],
  ["sshca_", "SSH certificate authority"],
]);

/** Names what has ids with the prefix, for the message about an id of another collection. */
export function nameOwner(prefix: string, noun: string): void {
  owners.set(prefix, noun);
}

/** The id of an object in one of the collections with these prefixes, or of any object where none is given. */
export function format(...prefixes: readonly string[]) {
  return {
    check: prefixes.length === 0 ? checkPath : prefixed(...prefixes),
    refersTo: prefixes,
    example: (label: string) => `${prefixes[0] ?? ""}${label}`,
  };
}

/** An id with one of the prefixes, each with its underscore: `prefixed("usr_", "bot_")`. */
export function prefixed(...prefixes: readonly string[]): (value: string) => string | undefined {
  return (value) => {
    const prefix = prefixes.find((candidate) => value.startsWith(candidate));
    if (prefix !== undefined && value.length > prefix.length && checkPath(value) === undefined) {
      return undefined;
    }
    const other = prefix === undefined ? ownerOf(value) : undefined;
    const got = other === undefined ? `got ${quote(value)}` : `${quote(value)} is the id of ${other}`;
    return `must be an id that starts with ${either(prefixes)}; ${got}`;
  };
}

/**
 * Whether a text can be the id of an object: one segment of a path, and one word of a line. An id is not empty, "." or
 * "..", and has no "/", white space, control characters, invisible marks and halves of characters.
 */
export function isId(value: string): boolean {
  return value !== "" && value !== "." && value !== ".." && !/[/\s]/.test(value) && !hasControls(value);
}

/** An id whose form the specification does not state, and that becomes one segment of a path. */
export function checkPath(value: string): string | undefined {
  if (value === "") return "must be an id, which is not empty";
  if (!isId(value)) {
    return `must be an id, without "/", white space and control characters and not "." or ".."; got ${quote(value)}`;
  }
  return undefined;
}

function ownerOf(value: string): string | undefined {
  const noun = owners.get(/^[a-z]{2,8}_/.exec(value)?.[0] ?? "");
  return noun === undefined ? undefined : withArticle(noun);
}
