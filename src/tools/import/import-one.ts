/** `tunnel-gateway import` of one object. */
import type { Declaration } from "../../schema/declaration";
import { GatewayError } from "../../provider/errors";
import type { Door } from "../../program/door";
import { declarationOf } from "../../resources/registry";
import type { StackContents } from "../inventory/stack";
import { connection } from "./import-connection";
import { intoStack } from "./into-stack";
import { importStatement } from "./program/literal";
import { variables } from "./objects/naming";
import type { ImportOptions } from "./import-options";
import { doorChoice } from "./objects/door-choice";
import { existingValues } from "../../provider/existing/resource-values";
import { importFileFor } from "./objects/plan";
import { typeNamed } from "./objects/selection";
import { newStatements } from "./program/statements";
import type { NewStatement } from "./program/statement";

/** Prints one object as code and, with `run`, imports it. */
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
  const values = await existingValues(client, declaration, id);
  const [variable] = variables([{ id, type: declaration.type, name }], new Set());
  const resource = { declaration, id, ...values, name, variable: variable! };
  const doorOf = doorChoice(stack, options.provider);
  const file = importFileFor([resource], { ...options, doorOf }, Date.now());
  const statements = newStatements([resource], { ...options, existing: [] });
  for (const code of codeOf(statements[0]!, doorOf(declaration.group))) reporter.printCode(code);
  if (!options.run) return;
  await intoStack(options, statements, file);
  reporter.note(`${id} is in the stack ${options.stack!}. Add the code to the program before the next up.`);
}

/** Throws if the stack already manages the object, or has another resource with the name. */
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

/** The statement with the imports that it needs. */
function codeOf({ type, text, uses, secrets }: NewStatement, { module }: Door): string[] {
  const names = [type, ...(uses.has("notReturned") ? ["notReturned"] : [])].sort();
  return [
    ...(secrets.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    `${importStatement(names, module)}\n`,
    ...(secrets.length > 0 ? ["const config = new pulumi.Config();\n"] : []),
    text.trimEnd(),
  ];
}
