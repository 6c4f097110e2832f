/** The text with at most `most` characters, and how many it has if that is more: names may have any length. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Never half of a surrogate pair.
  const head = [...text.slice(0, most)].slice(0, -1).join("");
  return `${head}… (${text.length.toLocaleString("en")} characters)`;
}
