/** How wide a text is, in a terminal and in a picture. */

const ascii = /^[ -~]*$/;

/** A character of an East Asian script, or a picture: it is about two letters wide. */
const square =
  /[\p{Extended_Pictographic}\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\uff60\u{20000}-\u{3ffff}]/u;

/** A mark on the character before it. */
const mark = /\p{M}|\u200c|\u200d/u;

/** The number of columns of a terminal that a text takes. */
export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  return [...text].reduce(
    (sum, character) => sum + (mark.test(character) ? 0 : isSquare(character) ? 2 : 1),
    0,
  );
}

export function isSquare(character: string): boolean {
  return square.test(character);
}
