import { escapeControls } from "../../text/escape";

/** The longest part of a value that a message shows, in characters. */
const SHOWN = 60;

/**
 * Shows a value in a message: JSON-quoted, at most 60 characters and then an ellipsis. Characters that
 * would change how a terminal draws the line are escaped. Never for a secret.
 */
export function quote(value: string): string {
  // Cut roughly first, so that a value of a megabyte costs nothing; a character takes at most two units.
  const characters = Array.from(value.slice(0, 2 * SHOWN + 2));
  const shown = characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : value;
  return escapeControls(JSON.stringify(shown));
}

/** Joins alternatives for a message: `a`, `a or b`, `a, b or c`. */
export function either(alternatives: readonly string[]): string {
  if (alternatives.length < 2) return alternatives.join("");
  return `${alternatives.slice(0, -1).join(", ")} or ${alternatives[alternatives.length - 1]}`;
}
