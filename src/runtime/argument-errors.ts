/** The wrong arguments of a program: collected over all resources and told at once. */
import { RunError } from "@pulumi/pulumi";
import { sentence } from "../schema/validate";
import type { Problem } from "../schema/validate";

let collected: string[] | undefined;
let told: (error: RunError) => void = thrown;

/**
 * Notes a resource's problems. The property it returns never gets a value, so that neither the resource nor
 * what depends on it is ever registered; one message with the problems of all resources ends the program.
 */
export function report(type: string, name: string, problems: Problem[]): Record<string, unknown> {
  const text = [`  ${type} "${name}"`, ...problems.map((problem) => `    ${sentence(problem)}`)].join("\n");
  if (collected) collected.push(text);
  else {
    collected = [text];
    // The program may construct more resources before it yields; a turn later all of them have spoken.
    setImmediate(fail);
  }
  return { __invalid: new Promise(() => undefined) };
}

/** Runs the program; its wrong arguments, which would end the process, end the run. */
export async function refusing<T>(program: () => Promise<T>): Promise<T> {
  const before = told;
  const refused = new Promise<never>((_, reject) => (told = reject));
  try {
    return await Promise.race([program(), refused]);
  } finally {
    told = before;
  }
}

function fail(): void {
  const texts = collected ?? [];
  collected = undefined;
  told(new RunError(`wrong arguments, found before anything was changed:\n${texts.join("\n")}`));
}

function thrown(error: RunError): never {
  throw error;
}
