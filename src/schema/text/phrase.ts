import { escapeControls } from "./escape";

/** The plural of an English noun phrase: "IP policies", "API keys". */
export function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, "ies") : `${noun}s`;
}

/** A count with its noun: "1 object", "2 IP policies". Give `plural` if it is irregular. */
export function counted(count: number, noun: string, plural = pluralOf(noun)): string {
  return `${inDigits(count)} ${count === 1 ? noun : plural}`;
}

/** The lengths of units of time in milliseconds. */
export const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const unitLengths = { second, minute, hour, day };

/** A length of time in a unit: "1 second", "1.5 hours". Default: the largest unit up to an hour in which it is a whole number. */
export function durationText(milliseconds: number, unit = wholeUnit(milliseconds)): string {
  return counted(milliseconds / unitLengths[unit], unit);
}

/** A length of time in the largest unit of which it has one or more: "1.5 days", "36 seconds". */
export function fractionText(milliseconds: number): string {
  const unit = (["day", "hour", "minute"] as const).find((each) => milliseconds >= unitLengths[each]);
  return durationText(milliseconds, unit ?? (milliseconds === 0 ? "day" : "second"));
}

/** A time that was measured: "3 seconds". */
export function wholeSeconds(milliseconds: number): string {
  return durationText(Math.round(milliseconds / second) * second, "second");
}

function wholeUnit(milliseconds: number): keyof typeof unitLengths {
  return milliseconds % hour === 0 ? "hour" : milliseconds % minute === 0 ? "minute" : "second";
}

/** The text with an upper-case first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text with at most `most` characters, and how many it has if that is more: names may have any length. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Never half of a surrogate pair.
  const head = [...text.slice(0, most)].slice(0, -1).join("");
  return `${head}… (${inDigits(text.length)} characters)`;
}

/** The text with at most `most` characters, the last one an ellipsis if it has more: for a cell or a line. */
export function clipped(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** The words for a value that no preview knows. */
export const later = "known after the deployment";

/** A count in digits: "12,000". */
export function inDigits(count: number): string {
  return count.toLocaleString("en-US");
}

/**
 * How many items a text names of a list that it counts: 3 in the middle of a sentence, 20 in lines of their own. Pages
 * and pictures have limits of their own, which are their sizes.
 */
export const [most3, most5, most10, most20] = [3, 5, 10, 20];

/**
 * The first items of a list, the others, and what to say of those, if there are any: "3 more ranges".
 * @param total the number of items where the list itself has only the first of them.
 */
export function firstItems<T>(items: readonly T[], most: number, noun = "", total = items.length) {
  const shown: readonly T[] = items.slice(0, most);
  const count = total - shown.length;
  const more = (): string => (noun === "" ? `${inDigits(count)} more` : counted(count, `more ${noun}`));
  return { shown, others: items.slice(most), more: count > 0 ? more() : undefined };
}

/** The first texts of a list, and the number of the others: "a, b", or "a, b and 3 more ranges". */
export function firstOf(texts: readonly string[], most: number, noun?: string, total?: number): string {
  const { shown, more } = firstItems(texts, most, noun, total);
  return more === undefined ? shown.join(", ") : `${shown.join(", ")} and ${more}`;
}

/** The first lines of a list, and one about the others: "and 3 more ranges". */
export function firstLines<T>(lines: readonly T[], most: number, noun?: string, total?: number) {
  const { shown, more } = firstItems<T | string>(lines, most, noun, total);
  return more === undefined ? shown : [...shown, `and ${more}`];
}

/** The first few texts of a list in a sentence, which has an "and" in any case: "a and b", "a, b, c and 3 more ranges". */
export function listText(texts: readonly string[], noun: string): string {
  const { shown, more } = firstItems(texts, most3, noun);
  return joined(more === undefined ? shown : [...shown, more], "and");
}

/** The noun with its article. An abbreviation is spelled out, so the name of its first letter decides: an SSH key. */
export function withArticle(noun: string): string {
  const isSpelledOut = /^[A-Z]{2}/.test(noun);
  return (isSpelledOut ? /^[AEFHILMNORSX]/ : /^[aeio]/i).test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** The longest part of a value that a message shows, in characters. */
const longestQuote = 60;

/**
 * Shows a value in a message: JSON-quoted, at most 60 characters and then an ellipsis. Characters that
 * would change how a terminal draws the line are escaped. Never for a secret.
 */
export function quote(value: string): string {
  // Cut roughly first, so that a value of a megabyte costs nothing; a character takes at most two units.
  const characters = Array.from(value.slice(0, 2 * longestQuote + 2));
  const shown = characters.length > longestQuote ? `${characters.slice(0, longestQuote).join("")}…` : value;
  return escapeControls(JSON.stringify(shown));
}

/** Joins alternatives for a message: `a`, `a or b`, `a, b or c`. */
export function either(alternatives: readonly string[]): string {
  return joined(alternatives, "or");
}

function joined(texts: readonly string[], word: string): string {
  return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1)}`;
}
