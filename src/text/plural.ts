/** The plural of an English noun phrase: "IP policies", "API keys". */
export function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, "ies") : `${noun}s`;
}

/** A count with its noun: "1 object", "2 IP policies". Give `many` where the plural is irregular. */
export function counted(count: number, noun: string, many = pluralOf(noun)): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? noun : many}`;
}
