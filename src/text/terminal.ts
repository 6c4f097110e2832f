// eslint-disable-next-line no-control-regex -- control characters are what is escaped
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Text that is safe to print on a terminal: control characters and marks that change the direction of text are
 * replaced by their escapes.
 */
export function escapeControls(text: string): string {
  return text.replace(
    controls,
    (character) => shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
