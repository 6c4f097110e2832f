/** Text that wants to control the terminal, the direction of text or the CI system that shows it. */

/** The title of the window, a bell, a cleared screen in C0 and C1, a reversed text, and a command to a CI. */
export const evil =
  "a\u001b]0;t\u0007\u001b[2J\u009b31m\u0085\u202eb\u2028c\r\u{e0041}\n::stop-commands::x\n\u001b[1Atail";
const harmful = /(?![\n\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** What does harm in a text that is printed. */
export function harmIn(text: string): string[] {
  const lines = text.split("\n").filter((line) => harmful.test(line) || line.startsWith("::"));
  return lines.map((line) => JSON.stringify(line));
}
