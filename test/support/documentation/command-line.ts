/** Whether commands that a text names are those of the command line. */
import type { Command } from "commander";
import { commandLine } from "../../../src/tools/cli/main";

/** The words of `npx pulumi-tunnel-gateway …` that the command line does not know. */
export function unknownWords(line: string): string[] {
  // What follows -- is another command.
  const own = line.replace(/^(npx pulumi-)?tunnel-gateway\s*/, "").replace(/ -- .*$/s, "");
  const words = own.split(/\s+/);
  const [first] = words;
  let command = commandLine();
  const known = [...optionsOf(command)];
  for (const word of words) {
    const inner = command.commands.find((each) => each.name() === word);
    if (inner === undefined) break;
    command = inner;
    known.splice(0, Infinity, ...optionsOf(command));
  }
  if (command.parent === null && first && !first.startsWith("-")) return [first];
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0]!);
  return options.filter((option) => !known.includes(option));
}

/** The calls of the command line in a line of a shell, without npx. */
export function callsIn(line: string): string[] {
  const call = /(?<![\w-])(?:npx pulumi-)?(tunnel-gateway(?= )(?:<[\w ]+>|[^|&;<>])*)/g;
  return [...line.matchAll(call)].map(([, words]) => words!.trim());
}

function optionsOf(command: Command): string[] {
  return ["--help", ...command.options.map(({ long }) => long!)];
}
