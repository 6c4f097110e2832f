/** Which files a run writes, and which of them it must not touch. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { GatewayError } from "../provider/errors";
import { version } from "../version";
import { areas } from "./areas";
import type { Block } from "./code";
import { originOf } from "./generated-file";
import { configKeys, notesText, templateText } from "./notes";
import type { Note } from "./plan";
import { areaText, indexText, parseFile } from "./program";
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
}

export interface Written {
  /** Names of files, relative to the folder. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Statements that the program's own main file must get. */
  readonly mainNeeds: readonly string[];
  /** The names of all files of areas. */
  readonly files: readonly string[];
}

/** Writes all files, or none: throws where one was changed by hand. */
export function writeProgram(writing: Writing): Written {
  const { folder, standing, added, stays, force } = writing;
  const texts = new Map<string, string>();
  const removed: string[] = [];
  const files: string[] = [];
  for (const area of areas) {
    const old = standing.files.get(area.file);
    const kept = old?.blocks.filter(stays) ?? [];
    const fresh = added.get(area.file) ?? [];
    const isForeign = old !== undefined && originOf(old.text) === "foreign" && old.blocks.length === 0;
    if (kept.length + fresh.length > 0 || (isForeign && fresh.length > 0)) files.push(area.file);
    if (fresh.length === 0 && kept.length === (old?.blocks.length ?? 0)) continue;
    if (kept.length + fresh.length === 0) removed.push(`${area.file}.ts`);
    else
      texts.set(`${area.file}.ts`, areaText({ area, kept, added: fresh, modules: modulesFor(writing, old) }));
  }
  const all = files.map((file) => texts.get(`${file}.ts`) ?? standing.files.get(file)!.text);
  if (files.length > 0) texts.set("config.template.yaml", templateText(configKeys(all)));
  texts.set("IMPORT-NOTES.md", notesText(writing.notes, writing.imported));
  const mainNeeds = mainFile(folder, files, texts);
  refuseEdited(folder, [...texts.keys(), ...removed], texts, force);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of texts) writeWhole(join(folder, name), text);
  for (const name of removed) rmSync(join(folder, name));
  return { written: [...texts.keys()], removed, mainNeeds, files };
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

/** index.ts is written where there is none of the user's own; else it must load the areas. */
function mainFile(folder: string, files: readonly string[], texts: Map<string, string>): string[] {
  const existing = readIf(join(folder, "index.ts"));
  if (existing === undefined || originOf(existing) === "generated") {
    texts.set("index.ts", indexText(files));
    return [];
  }
  return files.filter((file) => !existing.includes(`./${file}`)).map((file) => `import "./${file}";`);
}

function refuseEdited(
  folder: string,
  names: readonly string[],
  texts: ReadonlyMap<string, string>,
  force: boolean,
): void {
  const edited = names.filter((name) => {
    const text = readIf(join(folder, name));
    return text !== undefined && text !== texts.get(name) && originOf(text) !== "generated";
  });
  if (edited.length === 0 || force) return;
  throw new GatewayError(
    `${edited.join(", ")} in ${folder} ${edited.length === 1 ? "was" : "were"} not left as generated, so nothing was ` +
      `written. Give another folder with --out, or --force: then what stands for objects of the stack stays as it ` +
      `is, and the rest is written anew`,
  );
}

/** What a folder needs to be a Pulumi project, as far as it is missing. */
export function writeProject(folder: string): string[] {
  const name = basename(folder).replace(/[^A-Za-z0-9_.-]/g, "-") || "account";
  const files: Record<string, string> = {
    "Pulumi.yaml": `name: ${JSON.stringify(name)}\nruntime: nodejs\n`,
    "package.json": `${JSON.stringify({ name: name.toLowerCase(), private: true, main: "index.ts", dependencies: { "@pulumi/pulumi": "^3.230.0", "pulumi-tunnel-gateway": `^${version}` }, devDependencies: { typescript: "^5.9.0" } }, undefined, 2)}\n`,
    "tsconfig.json": `${JSON.stringify({ compilerOptions: { target: "ES2022", module: "node16", moduleResolution: "node16", strict: true, skipLibCheck: true, noEmit: true }, include: ["*.ts"] }, undefined, 2)}\n`,
  };
  if (existsSync(join(folder, "Pulumi.yaml"))) return [];
  mkdirSync(folder, { recursive: true });
  const missing = Object.keys(files).filter((file) => !existsSync(join(folder, file)));
  for (const file of missing) writeFileSync(join(folder, file), files[file]!);
  return missing;
}

/** The folder's file for `pulumi import`: it holds secrets in clear, so git ignores it and nobody else reads it. */
export function writePrivate(folder: string, name: string, text: string): string {
  const place = join(folder, ".tunnel-gateway");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  writeFileSync(join(place, ".gitignore"), "*\n");
  const file = join(place, name);
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return file;
}

/** Takes away what `writePrivate` left. */
export function removePrivate(folder: string, name: string): void {
  const place = join(folder, ".tunnel-gateway");
  rmSync(join(place, name), { force: true });
  if (existsSync(place) && readdirSync(place).every((file) => file === ".gitignore")) {
    rmSync(place, { recursive: true, force: true });
  }
}

function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

function readIf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
