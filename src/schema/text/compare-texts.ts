/** The order of texts that is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The items in the order of these texts, each of which is made once. */
export function sortedBy<T>(items: Iterable<T>, textOf: (item: T) => string): T[] {
  const keyed = [...items].map((item) => ({ item, text: textOf(item) }));
  return keyed.sort((a, b) => compareTexts(a.text, b.text)).map(({ item }) => item);
}

const numbered = new Intl.Collator("en", { numeric: true });

/** The order of texts by the numbers in them: 10.2.0.0 before 10.10.0.0. */
export function compareNumbered(a: string, b: string): number {
  return numbered.compare(a, b) || compareTexts(a, b);
}
