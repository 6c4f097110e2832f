/** The tests of blocks that no shell runs. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { blocks as programs, root } from "../../docs/blocks";
import type { Block } from "./blocks";

/** What is wrong with commands of the repository: scripts and paths that do not exist. */
export function wrongCommands(commands: readonly string[]): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  return commands.filter((command) => {
    const [program, verb, name, ...args] = command.split(/\s+/);
    if (program === "node") return !existsSync(join(root, verb!));
    if (verb === "ci") return false;
    const script = verb === "run" ? name! : verb!;
    const paths = [...(verb === "run" ? [] : [name ?? ""]), ...args].filter((arg) => arg.includes("/"));
    return !(script in scripts) || !paths.every((path) => existsSync(join(root, path)));
  });
}

/** Whether test/docs compiles a program, and runs it where it declares resources. */
export function isCompiled({ code }: Block): boolean {
  return programs().some((each) => each.code === code);
}

/** Fails if the data cannot be read. */
export function parseData({ language, code }: Block): void {
  // A name in the first line is for the reader, and for programs that allow comments.
  if (language === "json") return void JSON.parse(code.replace(/^\/\/ .*\n/, ""));
  const errors = parseAllDocuments(code).flatMap((document) => document.errors);
  if (errors.length > 0) throw errors[0]!;
}

/**
 * The lines of an output block that the text does not contain in this order. Ids may differ, a line of an ellipsis
 * stands for any lines, and white space does not count: a terminal breaks long lines.
 */
export function missingLines({ code }: Block, text: string): string[] {
  const all = plain(text);
  let from = 0;
  return code.split("\n").filter((line) => {
    const wanted = plain(line);
    if (wanted === "" || wanted === "…" || wanted === "...") return false;
    const at = all.indexOf(wanted, from);
    if (at >= 0) from = at + wanted.length;
    return at < 0;
  });
}

function plain(text: string): string {
  return text.replace(/\b([a-z]+_)[0-9A-Za-z]{27}\b/g, "$1").replace(/\s+/g, "");
}
