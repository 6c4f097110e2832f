/** The wrong arguments of a program: collected over all resources and told at once. */
import { RunError } from "@pulumi/pulumi";
import { sentence } from "../declaration/check";
import type { Problem } from "../declaration/check";

interface Batch {
  readonly texts: string[];
  readonly failure: Promise<never>;
}

let batch: Batch | undefined;

/**
 * Notes a resource's problems. The property it returns never gets a value, so the resource is never
 * registered, and one message with the problems of all resources ends the program.
 */
export function report(type: string, name: string, problems: Problem[]): Record<string, unknown> {
  const text = [`  ${type} "${name}"`, ...problems.map((problem) => `    ${sentence(problem)}`)].join("\n");
  if (batch) {
    batch.texts.push(text);
    return { __invalid: new Promise(() => undefined) };
  }
  const texts = [text];
  // The program may construct more resources before it yields; a turn later all of them have spoken.
  const failure = new Promise<never>((_resolve, reject) => {
    setImmediate(() => {
      batch = undefined;
      reject(new RunError(`wrong arguments, found before anything was changed:\n${texts.join("\n")}`));
    });
  });
  batch = { texts, failure };
  return { __invalid: failure };
}
