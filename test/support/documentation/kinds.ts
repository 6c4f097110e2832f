/** The kinds of blocks on a page. The kind decides how a block is tested. */
import { parse } from "yaml";
import type { Block } from "./blocks";

/**
 * - `session`: commands for a shell;
 * - `repository`: commands of this repository, whose runs are proven elsewhere;
 * - `steps`: steps of a workflow, whose commands are run in the session;
 * - `file`: what the reader writes into a file of that name;
 * - `program`, `data`: code without a name, which test/docs compiles and runs, or which must parse;
 * - `output`: what a command prints;
 * - `diagram`: a drawing;
 * - `foreign`: a program in another language, which test/night runs.
 */
export type Kind =
  | "session"
  | "steps"
  | "repository"
  | "file"
  | "program"
  | "data"
  | "output"
  | "diagram"
  | "foreign";

const unnamed: Readonly<Record<string, Kind>> = {
  typescript: "program",
  json: "data",
  yaml: "data",
  text: "output",
  mermaid: "diagram",
  python: "foreign",
  go: "foreign",
};

/** The kind of a block. Throws if it has none, because nothing would test such a block. */
export function kindOf({ where, language, code, file }: Block): Kind {
  if (language === "sh") {
    const own = commandsOf(code).map((line) => repositoryCommand.test(line));
    if (own.every((is) => !is)) return "session";
    if (own.every((is) => is)) return "repository";
    throw new Error(
      `${where}: put the commands of the repository and those of its users into separate blocks`,
    );
  }
  const kind = unnamed[language];
  if (kind === undefined) {
    const known = ["sh", ...Object.keys(unnamed)].join(", ");
    throw new Error(`${where}: blocks are of the languages ${known}, not ${JSON.stringify(language)}`);
  }
  if (file !== undefined) return "file";
  return language === "yaml" && runsOf(code).length > 0 ? "steps" : kind;
}

/** Whether the page's session uses the block. */
export function isRun(block: Block): boolean {
  return ["session", "steps", "file"].includes(kindOf(block));
}

/** What the steps of a part of a workflow run. */
export function runsOf(code: string): string[] {
  const value = parse(code) as unknown;
  return Array.isArray(value) ? (value as { run?: string }[]).flatMap(({ run }) => run ?? []) : [];
}

const repositoryCommand = /^(npm (run|test|ci)\b|node scripts\/)/;

/** The lines that are commands, a continued one as one line and without comments. */
export function commandsOf(code: string): string[] {
  return code
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#\s.*$/, "").trim())
    .filter((line) => line !== "");
}
