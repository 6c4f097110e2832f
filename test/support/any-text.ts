import fc from "./fast-check";

const count = 0x110000 - 0x800;

/** The number of a code point. The printable ones of ASCII come first and the controls last, so that both are frequent. */
function numberOf(text: unknown): number {
  const point = typeof text === "string" ? (text.codePointAt(0) ?? -1) : -1;
  if (point < 0 || text !== String.fromCodePoint(point)) throw new Error("no code point");
  return ((point < 0xd800 ? point : point - 0x800) - 0x20 + count) % count;
}

function textOf(number: number): string {
  const point = (number + 0x20) % count;
  return String.fromCodePoint(point < 0xd800 ? point : point + 0x800);
}

/**
 * Any code point, for `fc.string`. The unit "binary" of fast-check makes a table of all of them first, which takes half a second
 * of each test file.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: count - 1 }).map(textOf, numberOf);
