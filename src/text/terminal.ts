/**
 * Text of services, stacks, previews and files may hold characters that control a terminal, end a line or change the
 * direction of text. It is cleaned where it becomes part of a message, and again where a message is printed.
 */

/**
 * C0 (with ESC and BEL), DEL and C1, the line separators of Unicode, and the marks that change the direction of text.
 * Some of them end a line in JavaScript, so none may stand in a comment of a program either.
 */
// eslint-disable-next-line no-control-regex -- control characters are what is escaped
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Whether the text holds a character that `escapeControls` replaces. */
export function hasControls(text: string): boolean {
  return text.search(controls) >= 0;
}

/** The text on one line, its control characters as escapes such as `\u001b`, which are also those of JSON. */
export function escapeControls(text: string): string {
  return text.replace(
    controls,
    (character) => shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The text with its lines and tabs, all other control characters as escapes. For messages of several lines. */
export function escapeControlsInLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(escapeControls).join("\t"))
    .join("\n");
}
