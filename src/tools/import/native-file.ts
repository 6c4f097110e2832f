/**
 * `tunnel-gateway import --format pulumi`: the list of an account's objects for `pulumi import --file`. Pulumi reads the objects
 * through the native provider and writes the program in the language of the project.
 */
import { join } from "node:path";
import { nativeTokenPrefix } from "../../program/shim";
import { counted } from "../../schema/text/phrase";
import { connection } from "./import-connection";
import type { PlannedResource } from "./objects/plan";
import { nameTableOf } from "./import-options";
import type { ImportOptions } from "./import-options";
import { prepare } from "./prepare";
import { writeComplete } from "./project/private-files";
import { importCommand, importFile, reportObjects } from "./import-report";

/** Writes the file, whose only values of objects are their ids. Imports nothing. */
export async function writeNativeFile(options: ImportOptions): Promise<void> {
  const { out, provider, reporter } = options;
  const { client, stack } = await connection(options, false);
  reporter.note(`Reading the account at ${client.settings.baseUrl}`);
  const reading = { client, stack, existing: [], report: reporter.status, now: Date.now() };
  const prepared = await prepare({ ...options, ...reading });
  reportObjects(options, prepared);
  const { resources, notes } = prepared.plan;
  for (const { type, id, reason } of notes) reporter.note(`Left out: ${type} ${id}: ${reason}`);
  if (resources.length === 0) return reporter.print("There is nothing to import");
  const path = join(out, importFile);
  const file = {
    ...(provider && { nameTable: nameTableOf(provider) }),
    resources: resources.map((each) => entryOf(each, provider?.variable)),
  };
  writeComplete(out, new Map([[importFile, `${JSON.stringify(file, undefined, 2)}\n`]]));
  reporter.print(`wrote ${path}: ${counted(resources.length, "resource")}, by id`);
  reporter.print("To import them and print the program in the language of the project, run");
  reporter.print(importCommand(options, path));
}

function entryOf({ declaration, id, name, variable }: PlannedResource, provider: string | undefined): object {
  return { type: nativeTokenPrefix + declaration.type, name: variable, logicalName: name, id, provider };
}
