/** The plural of an English noun phrase: "IP policies", "API keys". */
export function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, "ies") : `${noun}s`;
}

/** A count with its noun: "1 object", "2 IP policies". Give `many` where the plural is irregular. */
export function counted(count: number, noun: string, many = pluralOf(noun)): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? noun : many}`;
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
  return `${head}… (${text.length.toLocaleString("en")} characters)`;
}

/** The first texts of a list, and the number of the others: "a, b", or "a, b and 3 more ranges". */
export function firstOf(texts: readonly string[], most: number, noun = ""): string {
  const rest = texts.length - most;
  if (rest <= 0) return texts.join(", ");
  const others = noun === "" ? `${rest.toLocaleString("en-US")} more` : counted(rest, `more ${noun}`);
  return `${texts.slice(0, most).join(", ")} and ${others}`;
}
