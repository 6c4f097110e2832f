/**
 * The text without commands to a CI system, which reads the output of a job: GitHub Actions obeys `::command::` at the
 * beginning of a line, also after white space, and like other systems `##[command]` and `##system[command]` anywhere.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1\\u003a").replace(/#(?=#\w*\[)/g, "\\u0023");
}
