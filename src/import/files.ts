/** Which files a run writes, and which of them it must not touch. */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { GatewayError } from "../provider/errors";
import { isProject, modulesIn } from "./main-file";
import { version } from "../version";
import { areas } from "./areas";
import type { Block } from "./code";
import { originOf } from "./generated-file";
import { configKeys, notesText, templateText } from "./notes";
import type { Note } from "./plan";
import { areaText, indexText, keyOfBlock, parseFile, withoutReferences } from "./program";
import type { ParsedFile, Standing } from "./program";

/** The files of an area that earlier runs left in a folder. */
export interface StandingProgram {
  readonly files: ReadonlyMap<string, ParsedFile & { readonly text: string }>;
}

export function standingIn(folder: string): StandingProgram {
  const files = new Map<string, ParsedFile & { text: string }>();
  for (const { file } of areas) {
    const text = readIf(join(folder, `${file}.ts`));
    if (text !== undefined) files.set(file, { ...parseFile(text), text });
  }
  return { files };
}

export interface Writing {
  readonly folder: string;
  readonly standing: StandingProgram;
  /** New statements by the area's file. */
  readonly added: ReadonlyMap<string, readonly Block[]>;
  /** Whether a statement that stands already is to stay: `<class> <id>`. */
  readonly stays: (block: Standing) => boolean;
  readonly notes: readonly Note[];
  readonly imported: number;
  readonly force: boolean;
  /** Where variables come from that no area exports. */
  readonly otherModules?: ReadonlyMap<string, string>;
  /** The file that Pulumi runs. */
  readonly main?: string;
}

/** Names of files, relative to the folder. */
export interface Written {
  /** Files that did not have the text already. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files that were changed by hand and written all the same, and where their old text is. */
  readonly kept: readonly { readonly name: string; readonly copy: string }[];
  /** Statements that the program's own main file must get. */
  readonly mainNeeds: readonly string[];
  /** The names of all files of areas. */
  readonly files: readonly string[];
}

/** Writes all files, or none: throws where one was changed by hand, unless forced. */
export function writeProgram(writing: Writing): Written {
  const { folder, standing, added, stays, force } = writing;
  const texts = new Map<string, string>();
  const removed: string[] = [];
  const files: string[] = [];
  const dropped = droppedBy(writing);
  for (const area of areas) {
    const old = standing.files.get(area.file);
    const stands = old?.blocks.filter(stays) ?? [];
    const kept = stands.map((block) => withoutReferences(block, dropped));
    const fresh = added.get(area.file) ?? [];
    const isForeign = old !== undefined && originOf(old.text) === "foreign" && old.blocks.length === 0;
    if (kept.length + fresh.length > 0 || (isForeign && fresh.length > 0)) files.push(area.file);
    const isSame = fresh.length === 0 && kept.length === (old?.blocks.length ?? 0);
    if (isSame && kept.every((block, i) => block === stands[i])) continue;
    if (kept.length + fresh.length === 0) removed.push(`${area.file}.ts`);
    else {
      const before = old?.blocks.map(keyOfBlock) ?? [];
      const modules = modulesFor(writing, old);
      texts.set(`${area.file}.ts`, areaText({ area, kept, added: fresh, before, modules }));
    }
  }
  const all = files.map((file) => texts.get(`${file}.ts`) ?? standing.files.get(file)!.text);
  if (files.length > 0) texts.set("config.template.yaml", templateText(configKeys(all)));
  texts.set("IMPORT-NOTES.md", notesText(writing.notes, writing.imported));
  const mainNeeds = mainFile(writing, files, texts);
  const edited = editedAmong(folder, [...texts.keys(), ...removed], texts);
  if (edited.length > 0 && !force) throw refusal(folder, edited);
  const kept = edited.map((name) => ({ name, copy: copyOf(folder, name) }));
  const changed = new Map([...texts].filter(([name, text]) => readIf(join(folder, name)) !== text));
  writeWhole(folder, changed);
  for (const name of removed) rmSync(join(folder, name));
  return { written: [...changed.keys()], removed, kept, mainNeeds, files };
}

/** The variables of statements that go, with the ids that they stood for. */
function droppedBy({ standing, added, stays }: Writing): Map<string, string> {
  const blocks = [...standing.files.values()].flatMap((file) => file.blocks);
  const fresh = new Set([...added.values()].flat().map(keyOfBlock));
  const going = blocks.filter((block) => !stays(block) && !fresh.has(keyOfBlock(block)));
  return new Map(going.map(({ variable, id }) => [variable, id]));
}

function modulesFor(
  { standing, added, otherModules = new Map<string, string>() }: Writing,
  old: ParsedFile | undefined,
): Map<string, string> {
  const modules = new Map([...otherModules, ...(old?.imported ?? [])]);
  for (const { file } of areas) {
    const here = [...(standing.files.get(file)?.blocks ?? []), ...(added.get(file) ?? [])];
    for (const { variable } of here) modules.set(variable, `./${file}`);
  }
  return modules;
}

/** index.ts is written where there is no main file of the user's own in the folder; else that must load the areas. */
function mainFile({ folder, main }: Writing, files: readonly string[], texts: Map<string, string>): string[] {
  const index = readIf(join(folder, "index.ts"));
  const own = index ?? (main !== undefined && dirname(main) === folder ? readIf(main) : undefined);
  if (own === undefined || originOf(own) === "generated") {
    texts.set("index.ts", indexText(files));
    return [];
  }
  const loaded = modulesIn(own);
  return files.filter((file) => !loaded.includes(`./${file}`)).map((file) => `import "./${file}";`);
}

function editedAmong(folder: string, names: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  return names.filter((name) => {
    const text = readIf(join(folder, name));
    return text !== undefined && text !== texts.get(name) && originOf(text) !== "generated";
  });
}

function refusal(folder: string, edited: readonly string[]): GatewayError {
  return new GatewayError(
    `${edited.join(", ")} in ${folder} ${edited.length === 1 ? "was" : "were"} not left as generated, so nothing was ` +
      `written. Give another folder with --out, or --force: then what stands for objects of the stack stays as it ` +
      `is, the rest is written anew, and the old text is kept in a file named .orig`,
  );
}

/** Keeps the text of a file beside it, and no earlier copy is lost. */
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

/** Makes a folder a Pulumi project, as far as that is missing; answers the names of the files written. */
export function writeProject(folder: string): string[] {
  if (isProject(folder)) return [];
  const name = basename(folder).replace(/[^A-Za-z0-9_.-]/g, "-") || "account";
  const files: Record<string, string> = {
    "package.json": `${JSON.stringify({ name: name.toLowerCase(), private: true, main: "index.ts", dependencies: { "@pulumi/pulumi": "^3.230.0", "pulumi-tunnel-gateway": `^${version}` }, devDependencies: { typescript: "^5.9.0" } }, undefined, 2)}\n`,
    "tsconfig.json": `${JSON.stringify({ compilerOptions: { target: "ES2022", module: "node16", moduleResolution: "node16", strict: true, skipLibCheck: true, noEmit: true }, include: ["*.ts"] }, undefined, 2)}\n`,
    // The last one: a folder that has it is taken for whole.
    "Pulumi.yaml": `name: ${JSON.stringify(name)}\nruntime: nodejs\nmain: index.ts\n`,
  };
  // Where a project names no compiler Pulumi takes an old one of its own, with options of its own.
  if (!namesCompiler(folder)) delete files["tsconfig.json"];
  const missing = Object.entries(files).filter(([file]) => !existsSync(join(folder, file)));
  writeWhole(folder, new Map(missing));
  return missing.map(([file]) => file);
}

/** Whether a folder's package.json, or the one that it gets, asks for TypeScript. */
function namesCompiler(folder: string): boolean {
  const text = readIf(join(folder, "package.json"));
  if (text === undefined) return true;
  const manifest = JSON.parse(text) as Record<"dependencies" | "devDependencies", object | undefined>;
  return "typescript" in { ...manifest.dependencies, ...manifest.devDependencies };
}

/** What a run needs for itself: git ignores it, and nobody else reads it. */
const place = ".tunnel-gateway";
const staging = "new";

function privateFolder(folder: string): string {
  const own = join(folder, place);
  mkdirSync(folder, { recursive: true });
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, ".gitignore"), "*\n");
  return own;
}

/** A file for `pulumi import`, which holds secrets in clear. */
export function writePrivate(folder: string, name: string, text: string): string {
  const file = join(privateFolder(folder), name);
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return file;
}

/** Takes away such files, and what a run that was killed has left. */
export function removePrivate(folder: string, ...names: readonly string[]): void {
  const own = join(folder, place);
  for (const name of [...names, staging]) rmSync(join(own, name), { recursive: true, force: true });
  if (existsSync(own) && readdirSync(own).every((file) => file === ".gitignore")) {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Each file is whole before it gets its name, so a run that is killed leaves none half written. */
function writeWhole(folder: string, texts: ReadonlyMap<string, string>): void {
  const whole = join(privateFolder(folder), staging);
  mkdirSync(whole, { recursive: true });
  for (const [name, text] of texts) writeFileSync(join(whole, name), text);
  for (const name of texts.keys()) renameSync(join(whole, name), join(folder, name));
  removePrivate(folder);
}

function readIf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
