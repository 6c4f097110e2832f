/** Writes the files of the program, and preserves the statements and files that must not change. */
import { constants, copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { declarationOf } from "../../../resources/registry";
import type { Group } from "../../../schema/declaration";
import { GatewayError } from "../../../provider/errors";
import { fileText, indexText } from "./file-text";
import { configKeys, templateText } from "./config-template";
import { namesUsedIn, statementKey, statementsOf, withoutReferences } from "./existing-program";
import type { ExistingFile, ExistingProgram } from "./existing-program";
import { isGenerated } from "./generated-file";
import { modulesIn } from "./main-file";
import { notesText } from "./import-notes";
import type { NotesContent } from "./import-notes";
import type { DoorChoice } from "../objects/door-choice";
import { programFiles } from "../objects/program-order";
import { writeComplete } from "../project/private-files";
import type { NewStatement } from "./statement";

export interface ProgramChange extends Omit<NotesContent, "statements"> {
  readonly folder: string;
  readonly existing: ExistingProgram;
  readonly added: readonly NewStatement[];
  readonly doorOf: DoorChoice;
  /** Whether to overwrite edited files. */
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
  /** Statements that the user's main file needs. */
  readonly mainNeeds: readonly string[];
  /** The names of all files with resources, without their endings. */
  readonly files: readonly string[];
}

/** Writes all files or none: throws if one was edited, unless forced. */
export function writeProgram(change: ProgramChange): Written {
  const { folder, existing } = change;
  const lost = lostVariables(change);
  const after = programFiles.map((group) => {
    const old = existing.get(group.name);
    return { group, old, text: textAfter(group, old, change, lost) };
  });
  const present = after.filter(({ text }) => text !== "");
  const files = present.map(({ group }) => group.name);
  const gone = after.filter(({ old, text }) => text === "" && old?.statements.length);
  const removed = gone.map(({ group }) => `${group.name}.ts`);
  const program = present.map(({ text }) => text);
  const texts = new Map(present.map(({ group, text }) => [`${group.name}.ts`, text]));
  if (files.length > 0) texts.set("config.template.yaml", templateText(configKeys(program)));
  const staying = statementsOf(existing).filter(({ isManaged }) => isManaged);
  const hasNotes = files.length + change.notes.length + change.unreadEdges.length > 0;
  if (hasNotes || existsSync(join(folder, "IMPORT-NOTES.md")))
    texts.set("IMPORT-NOTES.md", notesText({ ...change, statements: [...staying, ...change.added] }));
  const { index, mainNeeds } = mainFileAfter(change, files);
  if (index !== undefined) texts.set("index.ts", index);

  const edited = [...texts.keys(), ...removed].filter((name) => isEdited(folder, name, texts.get(name)));
  if (edited.length > 0 && !change.force) throw editedFiles(folder, edited);
  const overwritten = edited.map((name) => ({ name, copy: copyOf(folder, name) }));
  const changed = new Map([...texts].filter(([name, text]) => existingText(join(folder, name)) !== text));
  writeComplete(folder, changed);
  for (const name of removed) rmSync(join(folder, name));
  return { written: [...changed.keys()], removed, overwritten, mainNeeds, files };
}

/**
 * The text of a file after the import; empty if it has no statements. If its statements do not change, the whole text stays
 * unchanged.
 */
function textAfter(
  group: Group,
  old: ExistingFile | undefined,
  change: ProgramChange,
  lost: ReadonlyMap<string, string>,
): string {
  const before = old?.statements ?? [];
  const staying = before.filter(({ isManaged }) => isManaged);
  const kept = staying.map((statement) => withoutReferences(statement, lost));
  const added = change.added.filter(({ type }) => declarationOf(type).group === group);
  if (kept.length + added.length === 0) return "";
  const isUntouched =
    added.length === 0 &&
    kept.length === before.length &&
    kept.every((statement, i) => statement === staying[i]);
  if (isUntouched) return old!.text;
  const all = [...kept.map((statement) => ({ ...statement, uses: namesUsedIn(statement) })), ...added];
  return fileText(group, all, before, change.doorOf(group).module, modulesFor(old, change));
}

/** The variables of statements that the program loses, with the ids of their objects. */
function lostVariables({ existing, added }: ProgramChange): Map<string, string> {
  const again = new Set(added.map(statementKey));
  const lost = statementsOf(existing).filter(
    (statement) => !statement.isManaged && !again.has(statementKey(statement)),
  );
  return new Map(lost.map(({ variable, id }) => [variable, id]));
}

/** The modules of all variables that the file may use. */
function modulesFor(
  old: ExistingFile | undefined,
  { existing, added, otherModules = new Map<string, string>() }: ProgramChange,
): Map<string, string> {
  const kept = [...existing].flatMap(([file, { statements }]) =>
    statements.map(({ variable }) => [variable, `./${file}`] as const),
  );
  const own = added.map(({ variable, type }) => [variable, `./${declarationOf(type).group.name}`] as const);
  return new Map([...otherModules, ...(old?.imports ?? []), ...kept, ...own]);
}

/**
 * The text of index.ts. It is generated unless the folder has the user's own main file, which must load the files itself. Without
 * files, only a project without a main file needs it.
 */
function mainFileAfter(
  { folder, main }: ProgramChange,
  files: readonly string[],
): { index?: string; mainNeeds: string[] } {
  const isMainHere = main !== undefined && dirname(main) === folder;
  const own = existingText(join(folder, "index.ts")) ?? (isMainHere ? existingText(main) : undefined);
  if (own === undefined && files.length === 0 && main !== join(folder, "index.ts")) return { mainNeeds: [] };
  if (own === undefined || isGenerated(own)) return { index: indexText(files), mainNeeds: [] };
  const loaded = modulesIn(own);
  const missing = files.filter((file) => !loaded.includes(`./${file}`));
  return { mainNeeds: missing.map((file) => `import "./${file}";`) };
}

/** Whether a file has edits that its new text would overwrite. */
function isEdited(folder: string, name: string, newText: string | undefined): boolean {
  const text = existingText(join(folder, name));
  return text !== undefined && text !== newText && !isGenerated(text);
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

function existingText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
