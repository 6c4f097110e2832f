/** Whether commands that a text names are those of the command line. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { engineSetup } from "../engine-setup";

/** The words of `npx tunnel-gateway …` that the command line does not know. */
export function unknownWords(command: string): string[] {
  const words = command.replace(/^(npx )?tunnel-gateway /, "").split(/\s+/);
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0]!);
  const [first, second] = words;
  if (first === undefined || first.startsWith("--"))
    return options.filter((each) => !helpOf([]).includes(each));
  const help = helpOf([first]);
  if (help === "") return [first];
  // Some commands have commands of their own.
  const inner = second !== undefined && /^[a-z-]+$/.test(second) ? helpOf([first, second]) : "";
  return options.filter((option) => !`${help}\n${inner}`.includes(option));
}

const known = new Map<string, string>();

/** Empty where there is no such command. */
function helpOf(words: readonly string[]): string {
  const key = words.join(" ");
  const bin = join(engineSetup().template, "node_modules/.bin/tunnel-gateway");
  const help = known.get(key) ?? ask(bin, words);
  known.set(key, help);
  return help;
}

function ask(bin: string, words: readonly string[]): string {
  const { status, stdout } = spawnSync(process.execPath, [bin, ...words, "--help"], { encoding: "utf8" });
  // Of a command that there is not, it prints the help of the whole.
  const isOwn = stdout.startsWith(`Usage: ${["tunnel-gateway", ...words].join(" ")} `);
  return status === 0 && isOwn ? stdout : "";
}
