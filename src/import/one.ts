/** `tunnel-gateway import` of one object. */
import { GatewayError } from "../provider/errors";
import { declarationOf } from "../resources/registry";
import { importedFrom, isLeftOut } from "./arguments";
import { blockFor } from "./code";
import { connection } from "./connection";
import { importEntry } from "../stack/import-entry";
import { checkImportFile } from "../stack/import-file";
import type { ImportFile } from "../stack/import-file";
import { intoStack } from "./into-stack";
import { importText } from "./layout";
import { variables } from "./naming";
import type { ImportOptions } from "./options";
import { typeNamed } from "./selection";

/** Prints one object as code, and with `run` imports it. */
export async function importOne(
  options: ImportOptions,
  className: string,
  name: string,
  id: string,
): Promise<void> {
  const declaration = declarationOf(typeNamed(className));
  options.voice.interrupted("Interrupted: nothing is imported. Run this again to start anew");
  const { client, stack } = await connection(options, false);
  const own = stack?.managed.filter(({ type }) => type === declaration.type) ?? [];
  const same = own.find((each) => each.id === id);
  if (same)
    throw new GatewayError(
      `the stack ${stack!.stack} manages the ${declaration.noun} ${id} already, as ${same.name}`,
    );
  if (own.some((each) => each.name === name))
    throw new GatewayError(
      `the stack ${stack!.stack} has a resource ${declaration.type} ${name} already; choose another name`,
    );
  const answer = await client.read(declaration, id);
  if (answer === undefined) {
    throw new GatewayError(
      `the ${declaration.noun} ${id} does not exist in the account at ${client.settings.baseUrl}`,
    );
  }
  const conditions = { settings: client.settings, now: Date.now() };
  const imported = importedFrom(declaration, id, answer, conditions);
  if (isLeftOut(imported)) throw new GatewayError(`${id} cannot be imported: ${imported.reason}`);
  const [variable] = variables(
    [{ id, type: declaration.type, name: name.replace(/[^A-Za-z0-9]+/g, "-") }],
    new Set(),
  );
  const provider = options.provider?.variable;
  const block = blockFor(
    { ...imported, name, variable: variable! },
    { protect: options.protect, provider, refer: () => undefined },
  );
  const entry = await importEntry({
    ...imported,
    name,
    inputs: imported.args,
    ...(provider === undefined ? {} : { provider }),
  });
  const file: ImportFile = {
    ...(options.provider ? { nameTable: { [options.provider.variable]: options.provider.urn } } : {}),
    resources: [entry],
  };
  checkImportFile(file, Date.now());
  const { config, notReturned } = block.uses;
  const { voice } = options;
  if (config) voice.say('import * as pulumi from "@pulumi/pulumi";');
  voice.say(
    importText([block.type, ...(notReturned ? ["notReturned"] : [])].sort(), "pulumi-tunnel-gateway"),
  );
  voice.say("");
  if (config) voice.say("const config = new pulumi.Config();\n");
  voice.say(block.text.trimEnd());
  if (!options.run) return;
  await intoStack(options, [block], file);
  voice.note(`${id} is in the stack ${options.stack!}. Put the code into the program before the next up.`);
}
