/** The messages of an import to the user. */
import { join } from "node:path";
import type { DocumentBlock } from "../output/document";
import { exclusionText } from "../inventory/excluded";
import type { InventoryObject } from "../inventory/inventory";
import { hasSecretInFile } from "../stack/engine-secrets";
import { shellWord } from "../../schema/text/escape";
import { counted, firstOf, most10 } from "../../schema/text/phrase";
import type { ImportOptions } from "./import-options";
import type { FileOfResources } from "./into-stack";
import type { Changes, Prepared } from "./prepare";
import { removePrivate, writePrivate } from "./project/private-files";
import type { Written } from "./program/write-program";

/** The objects in one line: "IpPolicy office (ipp_1), IpPolicy lab (ipp_2)"; undefined if there is none. */
function objectsText(objects: readonly InventoryObject[]): string | undefined {
  if (objects.length === 0) return undefined;
  const texts = objects.map(({ declaration, id, name }) => `${declaration.type} ${name} (${id})`);
  return firstOf(texts, most10);
}

/** How to remove deleted objects. They must leave the state first: until then, the import counts them as managed. */
function recovery({ stack }: ImportOptions): string {
  return (
    `Run "pulumi refresh --stack ${stack!}" to remove them from the stack, then run this command again to remove ` +
    `them from the program`
  );
}

/** Reports the objects to import, and those of the stack that the account has lost. */
export function reportObjects(options: ImportOptions, prepared: Prepared): void {
  const { reporter } = options;
  const { plan, managed, gone } = prepared;
  reporter.note(
    `${counted(plan.resources.length, "object")} to import, ${managed} already in the stack, ` +
      `${plan.notes.length} left out`,
  );
  const exclusion = exclusionText(options, prepared.excluded);
  if (exclusion !== undefined) reporter.note(exclusion);
  if (prepared.unreadEdges.length > 0) reporter.note(unread(prepared.unreadEdges));
  const missing = objectsText(gone);
  if (missing !== undefined) {
    reporter.note(`In the stack, but no longer in the account: ${missing}. ${recovery(options)}`);
  }
}

/** The edges that the import cannot find by itself, and how to name them. */
function unread(edges: readonly string[]): string {
  return `Not read, because the API lists no routes: the modules of ${firstOf(edges.map(shellWord), most10, "HTTPS edge")}. Name their routes with --https-route <edgeId>/<routeId>`;
}

/** The changes to the account during the import, as sentences with the steps to take. */
export function sentencesOn({ deleted, changed }: Changes, options: ImportOptions): string[] {
  const [lost, other] = [objectsText(deleted), objectsText(changed)];
  const onDeleted = `deleted in the account during the import, but imported into the stack: ${lost}. ${recovery(options)}`;
  const onChanged =
    `changed in the account during the import, and imported as it was before: ${other}. ` +
    `"pulumi preview --refresh --stack ${options.stack!}" shows the changes. Edit the program to keep them`;
  return [...(lost === undefined ? [] : [onDeleted]), ...(other === undefined ? [] : [onChanged])];
}

/** Reports the written files, and the statements that they need. */
export function reportWritten(
  { out, reporter }: ImportOptions,
  { written, removed, overwritten }: Written,
  { plan, statements }: Prepared,
): void {
  for (const name of written) reporter.print(`wrote ${join(out, name)}`);
  for (const { name, copy } of overwritten) {
    reporter.note(`${name} was edited; its old text is in ${join(out, copy)}`);
  }
  for (const name of removed) {
    reporter.print(`removed ${join(out, name)}: this import holds no objects for it`);
  }
  if (plan.notes.length > 0) {
    reporter.print(`Left out ${counted(plan.notes.length, "object")}; IMPORT-NOTES.md gives the reasons`);
  }
  const missing = statements.reduce((count, statement) => count + statement.missingSecrets, 0);
  if (missing > 0) {
    const secrets = counted(
      missing,
      "secret that the service never returns is",
      "secrets that the service never returns are",
    );
    const marked = missing === 1 ? "a comment marks its place" : "comments mark their places";
    reporter.print(`${secrets} not in the program; ${marked}`);
  }
}

/** The import file for users who run `pulumi import` themselves. */
export const importFile = "import.json";

/** The command that imports a file. */
export function importCommand(
  { cwd, stack, protect }: ImportOptions,
  path: string,
  ...flags: readonly string[]
): DocumentBlock {
  const all = ["--file", shellWord(path), ...flags, `--protect=${protect}`, "--cwd", shellWord(cwd)];
  const chosen = stack === undefined ? [] : ["--stack", shellWord(stack)];
  return { kind: "commands", lines: [["pulumi import", ...all, ...chosen].join(" ")] };
}

/** Writes the import file, and reports how to import it. */
export function reportInstructions(
  options: ImportOptions,
  { file, statements }: Pick<Prepared, "statements"> & { readonly file: FileOfResources },
  needed: readonly string[],
): void {
  const { out, stack, reporter } = options;
  if (file.resources.length === 0) {
    removePrivate(out, importFile);
    return reporter.print("There is nothing to import");
  }
  const path = writePrivate(out, importFile, `${JSON.stringify(file, undefined, 2)}\n`);
  reporter.print(
    hasSecretInFile(file)
      ? `wrote ${path}: it holds secrets in plaintext. Only you can read it, and git ignores it. Delete it after use`
      : `wrote ${path}: only you can read it, and git ignores it`,
  );
  if (needed.length > 0) reporter.print(`Add to the program's main file: ${needed.join(" ")}`);
  const run = stack === undefined ? "--run --stack <name>" : "--run";
  const setting = statements.some(({ secrets }) => secrets.length > 0) ? ", which also sets the secrets" : "";
  reporter.print(`To import, run the same command with ${run}${setting}; or run`);
  reporter.print(importCommand(options, path, "--generate-code=false"));
}
