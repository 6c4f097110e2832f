/** The width of a text, in a terminal and in a picture. */

const ascii = /^[ -~]*$/;

/** A character of an East Asian script, or a pictograph: about two letters wide. */
const square =
  /[\p{Extended_Pictographic}\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\uff60\u{20000}-\u{3ffff}]/u;

/** A combining mark on the previous character. */
const mark = /\p{M}|\u200c|\u200d/u;

/** The number of terminal columns that a text takes. */
export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  return [...text].reduce(
    (sum, character) => sum + (mark.test(character) ? 0 : isSquare(character) ? 2 : 1),
    0,
  );
}

function isSquare(character: string): boolean {
  return square.test(character);
}

const narrow = /[ijltfrI.,:;'|!()[\]{}"\- ]/;
const wide = /[mwMW@%&#…→×]/;
const capital = /[A-Z0-9_=/+~]/;

/** The width of a text in pixels. */
export function widthOf(text: string, fontSize: number): number {
  return [...text].reduce((sum, character) => sum + shareOf(character), 0) * fontSize;
}

/** The width of a character relative to the font size. */
function shareOf(character: string): number {
  if (narrow.test(character)) return 0.42;
  if (wide.test(character)) return 1;
  if (capital.test(character)) return 0.7;
  if (isSquare(character)) return 1.4;
  return character <= "\u007f" ? 0.64 : 0.85;
}
