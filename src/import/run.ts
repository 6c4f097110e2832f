/** `tunnel-gateway import` of a whole account. */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { GatewayError } from "../provider/errors";
import { PulumiError, pulumi } from "../stack/pulumi";
import type { StackResource } from "../stack/state";
import { connection } from "./connection";
import type { Connection } from "./connection";
import type { ImportFile } from "../stack/import-file";
import { removePrivate, standingIn, writePrivate, writeProgram } from "./files";
import type { Written } from "./files";
import { intoStack, runFile } from "./into-stack";
import { mainFileOf, missingImport } from "./main-file";
import type { ImportOptions } from "./options";
import { byFile, prepare } from "./prepare";
import type { Prepared } from "./prepare";
import { keyOfBlock } from "./program";

/** The file for `pulumi import` of who does it by hand. */
const importFile = "import.json";

/**
 * Turns the account into a program, and with `run` into a stack. Whatever interrupts it, the same call again goes on
 * with what the stack does not hold yet.
 */
export async function importAccount(options: ImportOptions): Promise<void> {
  const { out, cwd, run, voice } = options;
  voice.interrupted(
    "Interrupted while the account was read: no file of the program is changed, and nothing is imported. " +
      "Run this again to start anew",
  );
  const connected = await connection(options, true);
  removePrivate(out, runFile, ...(run ? [importFile] : []));
  const { prepared, written } = await program(options, connected);
  const { plan, blocks, file } = prepared;
  const missing = missingImport(cwd, out);
  const needed = [
    ...written.mainNeeds,
    ...(missing === undefined || written.files.length === 0 ? [] : [missing]),
  ];
  if (!run) return tellHow(options, file, needed);
  voice.interrupted(
    "Interrupted: the program is written, and nothing is imported yet. Run this again to go on",
  );
  // The writing is all at once; an interrupt of it is heard when events were polled, which the second one is after.
  await setImmediate();
  await setImmediate();
  if (needed.length > 0) {
    throw new GatewayError(
      `nothing was imported yet: the program must load the new files first. Add to its main file, then run this ` +
        `again:\n${needed.map((line) => `  ${line}`).join("\n")}`,
    );
  }
  await intoStack(options, blocks, file);
  voice.interrupted("Interrupted: everything is imported. Run this again for the preview");
  const deleted = plan.resources.length > 0 ? await prepared.missing() : [];
  const stories = deleted.map(({ declaration: { type }, name, id }) => ({ type, name, id }));
  if (stories.length > 0) voice.note(`Deleted in the account while imported: ${inWords(stories)}`);
  voice.note("Running pulumi preview");
  await preview(options);
  if (stories.length === 0) return;
  throw new GatewayError(
    `${inWords(stories)}: deleted in the account while imported, and in the stack all the same. ${healing(options)}`,
  );
}

/** Reads the account and writes the program's files. */
async function program(
  options: ImportOptions,
  { client, stack }: Connection,
): Promise<{ prepared: Prepared; written: Written }> {
  const { out, cwd, voice } = options;
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
    report: (line) => voice.status(line),
    now: Date.now(),
  });
  const { plan, managed, deleted, gone } = prepared;
  voice.note(
    `Objects to import: ${plan.resources.length}, in the stack already: ${managed}, left out: ${plan.notes.length}`,
  );
  if (deleted.length > 0) voice.note(`Deleted in the account meanwhile, so left out: ${inWords(deleted)}`);
  if (gone.length > 0) {
    voice.note(`In the stack, and not in the account any more: ${inWords(gone)}. ${healing(options)}`);
  }
  const inStack = new Set(stack?.managed.map(({ type, id }) => `${type} ${id}`));
  const written = writeProgram({
    folder: out,
    standing,
    added: byFile(prepared.blocks),
    stays: (block) => inStack.has(keyOfBlock(block)),
    notes: plan.notes,
    imported: plan.resources.length + all.filter((block) => inStack.has(keyOfBlock(block))).length,
    force: options.force,
    main: mainFileOf(cwd),
    ...(options.provider
      ? { otherModules: new Map([[options.provider.variable, options.providerFrom]]) }
      : {}),
  });
  tellWritten(options, written, prepared);
  return { prepared, written };
}

async function preview({ stack, cwd, voice }: ImportOptions): Promise<void> {
  try {
    await pulumi(["preview", "--stack", stack!, "--diff", "--expect-no-changes"], { cwd, show: true });
  } catch (error) {
    if (error instanceof PulumiError) {
      error.message = `everything is imported, but the preview fails or shows changes: ${error.message}`;
    }
    throw error;
  }
  voice.say(`The preview of the stack ${stack!} shows no change.`);
}

function tellWritten(
  { out, voice }: ImportOptions,
  { written, removed, kept }: Written,
  { plan, blocks }: Prepared,
): void {
  for (const name of written) voice.say(`wrote ${join(out, name)}`);
  for (const { name, copy } of kept) {
    voice.note(`${name} was changed by hand; its old text is in ${join(out, copy)}`);
  }
  for (const name of removed) voice.say(`removed ${join(out, name)}, whose objects are not in this import`);
  if (plan.notes.length > 0) voice.say(`Left out: ${plan.notes.length}; IMPORT-NOTES.md says what and why`);
  const missing = blocks.reduce((count, block) => count + block.missing.length, 0);
  if (missing > 0)
    voice.say(`Secrets that the service never returns: ${missing}; comments mark their places`);
}

function tellHow(
  { out, cwd, stack, protect, voice }: ImportOptions,
  file: ImportFile,
  needed: readonly string[],
): void {
  if (file.resources.length === 0) {
    removePrivate(out, importFile);
    return voice.say("There is nothing to import.");
  }
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

/** How many objects a line names. */
const most = 10;

function inWords(
  objects: readonly (Pick<StackResource, "type" | "id"> & { readonly name?: string })[],
): string {
  const named = objects
    .slice(0, most)
    .map(({ type, id, name }) => `${type} ${name === undefined ? id : `${name} (${id})`}`);
  const more = objects.length > most ? ` and ${objects.length - most} more` : "";
  return named.join(", ") + more;
}

/** The state forgets them first: before that a run takes them for managed. */
function healing({ stack }: ImportOptions): string {
  return `Run "pulumi refresh --stack ${stack!}", which takes them out of the stack, then this again, which takes them out of the program`;
}
