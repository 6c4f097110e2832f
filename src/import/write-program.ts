/** Writes the files of the program, and keeps the statements and files that must not change. */
import { constants, copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { GatewayError } from "../provider/errors";
import { fileText, indexText } from "./file-text";
import { programFiles } from "./program-files";
import type { ProgramFile } from "./program-files";
import { configKeys, templateText } from "./config-template";
import { statementKey, statementsOf, withoutReferences } from "./existing-program";
import type { ExistingProgram, ExistingStatement } from "./existing-program";
import { originOf } from "./generated-file";
import { modulesIn } from "./main-file";
import { notesText } from "./notes";
import type { NotesContent } from "./notes";
import { writeComplete } from "./private-files";
import type { NewStatement } from "./statement";

export interface ProgramChange extends NotesContent {
  readonly folder: string;
  readonly existing: ExistingProgram;
  /** New statements by their file, without its ending. */
  readonly added: ReadonlyMap<string, readonly NewStatement[]>;
  /** Whether an existing statement stays. */
  readonly stays: (statement: ExistingStatement) => boolean;
  /** Whether edited files are overwritten. */
  readonly force: boolean;
  /** The modules of variables that no file of the import exports. */
  readonly otherModules?: ReadonlyMap<string, string>;
  /** The file that Pulumi runs. */
  readonly main?: string;
}

/** Names of files, relative to the folder. */
export interface Written {
  /** Files whose text changed. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Edited files that were overwritten, and the copies with their old text. */
  readonly overwritten: readonly { readonly name: string; readonly copy: string }[];
  /** Statements that the program's own main file needs. */
  readonly mainNeeds: readonly string[];
  /** The names of all files with resources, without their endings. */
  readonly files: readonly string[];
}

/** Writes all files, or none: throws where one was edited, unless forced. */
export function writeProgram(change: ProgramChange): Written {
  const { folder } = change;
  const changes = programFiles.map((programFile) => fileAfter(programFile, change));
  const texts = new Map(changes.filter(({ isNew }) => isNew).map(({ name, text }) => [name, text]));
  const files = changes.filter(({ text }) => text !== "").map(({ file }) => file);
  const removed = changes.filter(({ isRemoved }) => isRemoved).map(({ name }) => name);
  if (files.length > 0) {
    texts.set("config.template.yaml", templateText(configKeys(changes.map(({ text }) => text))));
  }
  texts.set("IMPORT-NOTES.md", notesText(change));
  const { index, mainNeeds } = mainFileAfter(change, files);
  if (index !== undefined) texts.set("index.ts", index);

  const edited = [...texts.keys(), ...removed].filter((name) => isEdited(folder, name, texts.get(name)));
  if (edited.length > 0 && !change.force) throw editedFiles(folder, edited);
  const overwritten = edited.map((name) => ({ name, copy: copyOf(folder, name) }));
  const changed = new Map([...texts].filter(([name, text]) => textOf(join(folder, name)) !== text));
  writeComplete(folder, changed);
  for (const name of removed) rmSync(join(folder, name));
  return { written: [...changed.keys()], removed, overwritten, mainNeeds, files };
}

interface FileAfter {
  /** The file, without and with its ending. */
  readonly file: string;
  readonly name: string;
  /** Its text after the import; empty where there is no such file. */
  readonly text: string;
  readonly isNew: boolean;
  readonly isRemoved: boolean;
}

/** A file after the import. It stays untouched where its statements do, whatever else it holds. */
function fileAfter(programFile: ProgramFile, change: ProgramChange): FileAfter {
  const { file } = programFile;
  const name = `${file}.ts`;
  const old = change.existing.get(file);
  const before = old?.statements ?? [];
  const staying = before.filter(change.stays);
  const lost = lostVariables(change);
  const kept = staying.map((statement) => withoutReferences(statement, lost));
  const added = change.added.get(file) ?? [];
  const isUntouched =
    added.length === 0 &&
    kept.length === before.length &&
    kept.every((statement, i) => statement === staying[i]);
  if (isUntouched) {
    return { file, name, text: before.length > 0 ? old!.text : "", isNew: false, isRemoved: false };
  }
  if (kept.length + added.length === 0) return { file, name, text: "", isNew: false, isRemoved: true };
  const earlierOrder = before.map(statementKey);
  const text = fileText({ programFile, kept, added, earlierOrder, modules: modulesFor(change, file) });
  return { file, name, text, isNew: true, isRemoved: false };
}

/** The variables of statements that the program loses, with the ids of their objects. */
function lostVariables({ existing, added, stays }: ProgramChange): Map<string, string> {
  const again = new Set([...added.values()].flat().map(statementKey));
  const lost = statementsOf(existing).filter(
    (statement) => !stays(statement) && !again.has(statementKey(statement)),
  );
  return new Map(lost.map(({ variable, id }) => [variable, id]));
}

/** The modules of all variables that the file may use. */
function modulesFor(
  { existing, added, otherModules = new Map<string, string>() }: ProgramChange,
  file: string,
): Map<string, string> {
  const generated = programFiles.flatMap(({ file: name }) => {
    const statements = [...(existing.get(name)?.statements ?? []), ...(added.get(name) ?? [])];
    return statements.map(({ variable }) => [variable, `./${name}`] as const);
  });
  return new Map([...otherModules, ...(existing.get(file)?.imports ?? []), ...generated]);
}

/** index.ts is generated, unless the folder has a main file of the user's own: that must load the files itself. */
function mainFileAfter(
  { folder, main }: ProgramChange,
  files: readonly string[],
): { index?: string; mainNeeds: string[] } {
  const isMainHere = main !== undefined && dirname(main) === folder;
  const own = textOf(join(folder, "index.ts")) ?? (isMainHere ? textOf(main) : undefined);
  if (own === undefined || originOf(own) === "generated") return { index: indexText(files), mainNeeds: [] };
  const loaded = modulesIn(own);
  const missing = files.filter((file) => !loaded.includes(`./${file}`));
  return { mainNeeds: missing.map((file) => `import "./${file}";`) };
}

/** Whether a file has edits that its new text would overwrite. */
function isEdited(folder: string, name: string, newText: string | undefined): boolean {
  const text = textOf(join(folder, name));
  return text !== undefined && text !== newText && originOf(text) !== "generated";
}

function editedFiles(folder: string, edited: readonly string[]): GatewayError {
  return new GatewayError(
    `${edited.join(", ")} in ${folder} ${edited.length === 1 ? "was" : "were"} edited, so nothing was written. ` +
      `Choose another folder with --out, or use --force: code for resources that are already in the stack is ` +
      `kept, the rest of the file is generated again, and the old text is saved in a file named .orig`,
  );
}

/** Copies a file beside itself, without overwriting an earlier copy. */
function copyOf(folder: string, name: string): string {
  for (let i = 1; ; i++) {
    const copy = `${name}.orig${i === 1 ? "" : i}`;
    try {
      copyFileSync(join(folder, name), join(folder, copy), constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
