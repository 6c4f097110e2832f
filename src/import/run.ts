/** `tunnel-gateway import`: the whole of it, and for one object. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { clientWith } from "../functions/client";
import type { Client } from "../functions/client";
import { GatewayError } from "../provider/errors";
import { readSettings } from "../provider/settings";
import type { ConfigSource } from "../provider/settings";
import { declarationOf } from "../resources/declarations";
import { pulumi } from "../stack/pulumi";
import { providerInputs, readStack } from "../stack/state";
import type { StackContents } from "../stack/state";
import type { Modules } from "./account";
import { importedFrom, isLeftOut } from "./arguments";
import { blockFor } from "./code";
import type { Block } from "./code";
import { entryFor, problemsOf } from "./entries";
import type { ImportFile } from "./entries";
import { removePrivate, standingIn, writePrivate, writeProgram, writeProject } from "./files";
import type { Written } from "./files";
import { importText } from "./layout";
import { variables } from "./naming";
import { byFile, keyOfBlock, prepare } from "./prepare";
import type { NamedProvider, Prepared } from "./prepare";
import { typeNamed } from "./selection";
import type { Selection } from "./selection";

export interface ImportOptions extends Selection {
  /** The folder for the program's files. */
  readonly out: string;
  /** The folder of the Pulumi project. */
  readonly cwd: string;
  readonly stack?: string;
  readonly run: boolean;
  readonly force: boolean;
  readonly protect: boolean;
  readonly modules: Modules;
  readonly provider?: NamedProvider;
  /** The module that exports the provider's variable. */
  readonly providerFrom: string;
  /** Settings of the stack's configuration. */
  readonly source: () => Promise<ConfigSource>;
  readonly voice: Voice;
}

/** How the user is told. */
export interface Voice {
  /** What is going on now. */
  status(line: string): void;
  /** A line that stays. */
  note(line: string): void;
  /** A line of the result. */
  say(line: string): void;
}

const importFile = "import.json";

/** Turns the account into a program, and with `run` into a stack. */
export async function importAccount(options: ImportOptions): Promise<void> {
  const { out, cwd, voice } = options;
  const made = await projectIn(options);
  const stack = await stackOf(options, made);
  const client = await clientOf(options, stack, made);
  const standing = standingIn(out);
  const all = [...standing.files.values()].flatMap(({ blocks }) => blocks);
  voice.note(`Reading the account at ${client.settings.baseUrl}`);
  const prepared = await prepare({
    client,
    selection: options,
    modules: options.modules,
    stack,
    standing: all,
    protect: options.protect,
    provider: options.provider,
    tell: (line) => voice.status(line),
    now: Date.now(),
  });
  const { plan, blocks, file, managed } = prepared;
  voice.note(
    `${plan.resources.length} objects to import, ${managed} in the stack already, ${plan.notes.length} left out`,
  );
  const inStack = new Set(stack?.managed.map(({ type, id }) => `${type} ${id}`));
  const written = writeProgram({
    folder: out,
    standing,
    added: byFile(blocks),
    stays: (block) => inStack.has(keyOfBlock(block)),
    notes: plan.notes,
    imported: plan.resources.length + all.filter((block) => inStack.has(keyOfBlock(block))).length,
    force: options.force,
    ...(options.provider
      ? { otherModules: new Map([[options.provider.variable, options.providerFrom]]) }
      : {}),
  });
  tellWritten(options, written, made, prepared);
  const needed = [...written.mainNeeds, ...mainOfProject(options, written)];
  if (!options.run) return tellHow(options, file, needed);
  removePrivate(out, importFile);
  if (needed.length > 0) {
    throw new GatewayError(
      `nothing was imported yet: the program must load the new files first. Add to its main file, then run this ` +
        `again:\n${needed.map((line) => `  ${line}`).join("\n")}`,
    );
  }
  await intoStack(options, blocks, file);
  await pulumi(["preview", "--stack", options.stack!, "--diff", "--expect-no-changes"], { cwd, show: true });
  voice.say(`The preview of the stack ${options.stack!} shows no change.`);
}

/** Prints one object as code, and with `run` imports it. */
export async function importOne(
  options: ImportOptions,
  className: string,
  name: string,
  id: string,
): Promise<void> {
  const declaration = declarationOf(typeNamed(className));
  const stack = await stackOf(options, []);
  const client = await clientOf(options, stack, []);
  if (stack?.managed.some((each) => each.type === declaration.type && each.id === id)) {
    throw new GatewayError(`the stack ${stack.stack} manages the ${declaration.noun} ${id} already`);
  }
  const answer = await client.read(declaration, id);
  if (answer === undefined) throw new GatewayError(`the ${declaration.noun} ${id} does not exist`);
  const conditions = { settings: client.settings, now: Date.now() };
  const imported = importedFrom(declaration, id, answer, conditions);
  if (isLeftOut(imported)) throw new GatewayError(`${id} cannot be imported: ${imported.reason}`);
  const [variable] = variables(
    [{ id, type: declaration.type, name: name.replace(/[^A-Za-z0-9]+/g, "-") }],
    new Set(),
  );
  const block = blockFor(
    { ...imported, name, variable: variable! },
    { protect: options.protect, provider: options.provider?.variable, refer: () => undefined },
  );
  const provider = options.provider?.variable;
  const entry = await entryFor({
    ...imported,
    name,
    inputs: imported.args,
    ...(provider === undefined ? {} : { provider }),
  });
  const file: ImportFile = {
    ...(options.provider ? { nameTable: { [options.provider.variable]: options.provider.urn } } : {}),
    resources: [entry],
  };
  const problems = problemsOf(file, Date.now());
  if (problems.length > 0) throw new GatewayError(problems.join("; "));
  const { config, notReturned } = block.uses;
  if (config) options.voice.say('import * as pulumi from "@pulumi/pulumi";');
  options.voice.say(
    importText([block.type, ...(notReturned ? ["notReturned"] : [])].sort(), "pulumi-tunnel-gateway"),
  );
  options.voice.say("");
  if (config) options.voice.say("const config = new pulumi.Config();\n");
  options.voice.say(block.text.trimEnd());
  if (!options.run) return;
  await intoStack(options, [block], file);
  options.voice.note(
    `${id} is in the stack ${options.stack!}; the program must hold the code before the next up.`,
  );
}

/** Sets the secrets and imports the file; neither leaves a trace in clear. */
async function intoStack(
  { stack, cwd, protect, voice }: ImportOptions,
  blocks: readonly Block[],
  file: ImportFile,
): Promise<void> {
  const secrets = blocks.flatMap((block) => block.secrets);
  for (const [i, { key, value }] of secrets.entries()) {
    voice.status(`Setting the secret ${i + 1} of ${secrets.length} in the configuration`);
    await pulumi(["config", "set", "--secret", key, "--stack", stack!, "--raw"], { cwd, input: value });
  }
  if (secrets.length > 0) voice.note(`${secrets.length} secrets are in the stack's configuration, encrypted`);
  if (file.resources.length === 0) return voice.note("There is nothing to import");
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-import-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const interrupted = (): void => {
    remove();
    process.exit(130);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    const path = join(folder, importFile);
    writeFileSync(path, JSON.stringify(file), { mode: 0o600 });
    voice.note(`Importing ${file.resources.length} resources into the stack ${stack!}`);
    const flags = ["--yes", "--skip-preview", "--generate-code=false", `--protect=${String(protect)}`];
    await pulumi(["import", "--file", path, "--stack", stack!, ...flags, "--suppress-progress"], {
      cwd,
      show: true,
    });
    voice.say(`${file.resources.length} resources were imported${protect ? ", protected" : ""}.`);
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    remove();
  }
}

/** The project's own files, where a new program is begun. */
function projectIn({ cwd, run, stack }: ImportOptions): Promise<string[]> {
  if (run && stack === undefined) throw new GatewayError("--run needs --stack, the stack to import into");
  return Promise.resolve(writeProject(cwd));
}

async function stackOf(options: ImportOptions, made: readonly string[]): Promise<StackContents | undefined> {
  const { stack, cwd, voice } = options;
  if (stack === undefined) return undefined;
  if (made.includes("Pulumi.yaml")) {
    await pulumi(["stack", "init", stack], { cwd });
    voice.note(`The stack ${stack} was made`);
  }
  return readStack({ stack, cwd }, options.provider !== undefined);
}

async function clientOf(
  options: ImportOptions,
  stack: StackContents | undefined,
  made: readonly string[],
): Promise<Client> {
  const { provider, voice } = options;
  let source: ConfigSource = { get: () => undefined };
  if (provider) {
    if (!stack) throw new GatewayError("--provider needs --stack, whose resource it is");
    const inputs = providerInputs(stack, provider.urn);
    source = { get: (key) => (typeof inputs[key] === "string" ? inputs[key] : undefined) };
  } else if (!made.includes("Pulumi.yaml")) source = await options.source();
  return clientWith(readSettings(source, process.env), (line) => voice.note(line));
}

/** What the main file of a project must get where the program's files are elsewhere, and where packages are missing. */
function mainOfProject({ out, cwd, run }: ImportOptions, { files }: Written): string[] {
  if (run) requirePackage(cwd);
  if (resolve(out) === resolve(cwd) || files.length === 0) return [];
  const main = mainFileOf(cwd);
  const specifier = `./${relative(cwd, out).split("\\").join("/")}`;
  const text = existsSync(main) ? readFileSync(main, "utf8") : "";
  return text.includes(specifier) ? [] : [`import "${specifier}";`];
}

function mainFileOf(cwd: string): string {
  const manifest = join(cwd, "package.json");
  const main = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, "utf8")) as { main?: string }).main
    : undefined;
  return join(cwd, main ?? "index.ts");
}

function requirePackage(cwd: string): void {
  try {
    createRequire(join(resolve(cwd), "_")).resolve("pulumi-tunnel-gateway/provider");
  } catch {
    throw new GatewayError(
      `the files are written, and nothing is imported yet: run "npm install" in ${cwd}, then this again`,
    );
  }
}

function tellWritten(
  { out, voice }: ImportOptions,
  { written, removed }: Written,
  made: readonly string[],
  { plan, blocks }: Prepared,
): void {
  for (const name of [...made, ...written]) voice.say(`wrote ${join(out, name)}`);
  for (const name of removed) voice.say(`removed ${join(out, name)}, whose objects are not in this import`);
  if (plan.notes.length > 0) voice.say(`${plan.notes.length} objects are left out; IMPORT-NOTES.md says why`);
  const missing = blocks.reduce((count, block) => count + block.missing.length, 0);
  if (missing > 0)
    voice.say(`${missing} secrets are never returned by the service; comments mark their places`);
}

function tellHow(
  { out, cwd, stack, protect, voice }: ImportOptions,
  file: ImportFile,
  needed: readonly string[],
): void {
  if (file.resources.length === 0) return voice.say("There is nothing to import.");
  const path = writePrivate(out, importFile, `${JSON.stringify(file, undefined, 2)}\n`);
  voice.say(
    `wrote ${path}: it holds secrets in clear; only you can read it, git ignores it, delete it after use`,
  );
  if (needed.length > 0) voice.say(`Add to the program's main file: ${needed.join(" ")}`);
  voice.say("To import: the same command with --run --stack <name>, which sets the secrets too; or by hand");
  const flags = `--generate-code=false --protect=${String(protect)}`;
  voice.say(
    `  pulumi import --file ${path} ${flags} --cwd ${cwd}${stack === undefined ? "" : ` --stack ${stack}`}`,
  );
}
