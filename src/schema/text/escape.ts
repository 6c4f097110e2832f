/**
 * Text of services, stacks, previews and files may hold characters that control a terminal, end a line or change the
 * direction of text. It is cleaned where it becomes part of a message, and again where a message is printed.
 */

/**
 * C0 (with ESC and BEL), DEL and C1, the line separators of Unicode, marks that change the direction of text or are not
 * visible, and halves of characters. The joiners of emoji and of Persian are left alone. Some of them end a line in
 * JavaScript, so none may stand in a comment of a program either. Each program would pay for a literal at its start.
 */
const controls = (): RegExp => (compiled ??= new RegExp(notVisible, "gu"));
const notVisible = "(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]";
let compiled: RegExp | undefined;
const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Whether the text holds a character that `escapeControls` replaces. */
export function hasControls(text: string): boolean {
  return text.search(controls()) >= 0;
}

/** The text on one line, its control characters as escapes such as `\u001b`, which are also those of JSON. */
export function escapeControls(text: string): string {
  return text.replace(controls(), (character) => shortEscapes[character] ?? unitsOf(character));
}

function unitsOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** The text with its lines and tabs, all other control characters as escapes. For code and JSON. */
export function escapeControlsInLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split("\t").map(escapeControls).join("\t"))
    .join("\n");
}

/**
 * A message with its lines and tabs, all other control characters as escapes. Lines after the first are indented: a CI takes
 * a line such as `::stop-commands::` for a command only where the line begins with it.
 */
export function escapeMessage(text: string): string {
  return escapeControlsInLines(text).replace(/\n(?=\S)/g, "\n  ");
}

/**
 * The text without commands to a CI system, which reads the output of a job: GitHub Actions obeys `::command::` at the
 * beginning of a line, also after white space, and like other systems `##[command]` and `##system[command]` anywhere.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1\\u003a").replace(/#(?=#\w*\[)/g, "\\u0023");
}

/** The text as one word of a command that a reader may copy: what means something to a shell is in quotation marks. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}
