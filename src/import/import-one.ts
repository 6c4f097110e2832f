/** `tunnel-gateway import` of one object. */
import type { Declaration } from "../schema/declaration";
import type { AccountClient } from "../account/account-client";
import { GatewayError } from "../provider/errors";
import { idProblem } from "../provider/path";
import { requireOwnKind } from "../provider/response-schema";
import { declarationOf } from "../resources/registry";
import type { StackContents } from "../inventory/stack";
import { resourceValues } from "./objects/arguments";
import type { ResourceValues } from "./objects/arguments";
import { connection } from "./connection";
import { intoStack } from "./into-stack";
import { importStatement } from "./program/literal";
import { variables } from "./objects/naming";
import type { ImportOptions } from "./options";
import { importFileFor } from "./objects/plan";
import { typeNamed } from "./objects/selection";
import { newStatements } from "./program/statements";
import type { NewStatement } from "./program/statement";

/** Prints one object as code, and with `run` imports it. */
export async function importOne(
  options: ImportOptions,
  className: string,
  name: string,
  id: string,
): Promise<void> {
  const declaration = declarationOf(typeNamed(className));
  const { reporter } = options;
  reporter.onInterrupt("Interrupted: nothing is imported. Run the command again");
  const { client, stack } = await connection(options, false);
  if (stack) requireFree(stack, declaration, name, id);
  const values = await valuesOf(client, declaration, id);
  const words = name.replace(/[^A-Za-z0-9]+/g, "-");
  const [variable] = variables([{ id, type: declaration.type, name: words }], new Set());
  const resource = { declaration, id, ...values, name, variable: variable! };
  const file = importFileFor([resource], options.provider, Date.now());
  const statements = newStatements([resource], { ...options, existing: [] });
  printCode(statements[0]!, reporter);
  if (!options.run) return;
  await intoStack(options, statements, file);
  reporter.note(`${id} is in the stack ${options.stack!}. Add the code to the program before the next up.`);
}

/** Throws where the stack manages the object already, or has another resource of the name. */
function requireFree(
  { stack, managed }: StackContents,
  { type, noun }: Declaration,
  name: string,
  id: string,
): void {
  const own = managed.filter(({ declaration }) => declaration.type === type);
  const same = own.find((each) => each.id === id);
  if (same) throw new GatewayError(`the stack ${stack} manages the ${noun} ${id} already, as ${same.name}`);
  if (own.some((each) => each.name === name)) {
    throw new GatewayError(`the stack ${stack} has a resource ${type} ${name} already; choose another name`);
  }
}

async function valuesOf(
  client: AccountClient,
  declaration: Declaration,
  id: string,
): Promise<ResourceValues> {
  const problem = idProblem(declaration, id);
  if (problem !== undefined) throw new GatewayError(`the ${declaration.noun} cannot be imported: ${problem}`);
  const answer = await client.read(declaration, id);
  const { settings } = client;
  if (answer === undefined) {
    throw new GatewayError(
      `the ${declaration.noun} ${id} does not exist in the account at ${settings.baseUrl}`,
    );
  }
  requireOwnKind(declaration, id, answer);
  const values = resourceValues({ declaration, id, answer }, { settings, now: Date.now() });
  if ("reason" in values) throw new GatewayError(`${id} cannot be imported: ${values.reason}`);
  return values;
}

function printCode({ type, text, uses, secrets }: NewStatement, reporter: ImportOptions["reporter"]): void {
  const names = [type, ...(uses.has("notReturned") ? ["notReturned"] : [])].sort();
  if (secrets.length > 0) reporter.print('import * as pulumi from "@pulumi/pulumi";');
  reporter.print(`${importStatement(names, "pulumi-tunnel-gateway")}\n`);
  if (secrets.length > 0) reporter.print("const config = new pulumi.Config();\n");
  reporter.print(text.trimEnd());
}
