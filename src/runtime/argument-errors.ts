/** The wrong arguments of a program: collected over all resources and reported in one error. */
import { RunError } from "@pulumi/pulumi";
import { sentence } from "../schema/validate";
import type { Problem } from "../schema/validate";

let collected: string[] | undefined;
let fail: (error: RunError) => void = thrown;

/**
 * Collects a resource's problems. The returned property never gets a value, so neither the resource nor its dependents
 * are registered. One error with the problems of all resources ends the program.
 */
export function report(type: string, name: string, problems: Problem[]): Record<string, unknown> {
  const text = [`  ${type} "${name}"`, ...problems.map((problem) => `    ${sentence(problem)}`)].join("\n");
  if (collected) collected.push(text);
  else {
    collected = [text];
    // The program may construct more resources before it yields.
    setImmediate(failWithAll);
  }
  return { __invalid: new Promise(() => undefined) };
}

/** Runs the program. Wrong arguments reject the run; they would end the process otherwise. */
export async function rejectingWrongArguments<T>(program: () => Promise<T>): Promise<T> {
  const before = fail;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  try {
    return await Promise.race([program(), failed]);
  } finally {
    fail = before;
  }
}

function failWithAll(): void {
  const texts = collected ?? [];
  collected = undefined;
  fail(new RunError(`wrong arguments, found before anything was changed:\n${texts.join("\n")}`));
}

function thrown(error: RunError): never {
  throw error;
}
