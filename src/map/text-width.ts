/** An upper estimate of the width of a text, so that no box is too narrow whatever sans-serif font the reader has. */
import { isSquare } from "../text/columns";

const narrow = /[ijltfrI.,:;'|!()[\]{}"\- ]/;
const wide = /[mwMW@%&#…→×]/;
const capital = /[A-Z0-9_=/+~]/;

/** The width of a text in pixels. */
export function widthOf(text: string, fontSize: number): number {
  return [...text].reduce((sum, character) => sum + shareOf(character), 0) * fontSize;
}

/** The width of a character in relation to the font size. */
function shareOf(character: string): number {
  if (narrow.test(character)) return 0.42;
  if (wide.test(character)) return 1;
  if (capital.test(character)) return 0.7;
  if (isSquare(character)) return 1.4;
  return character <= "\u007f" ? 0.64 : 0.85;
}
