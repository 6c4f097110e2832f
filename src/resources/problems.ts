/** The wrong arguments of a program: collected over all resources and told at once. */
import { RunError } from "@pulumi/pulumi";
import { sentence } from "../declaration/check";
import type { Problem } from "../declaration/check";

let collected: string[] | undefined;

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

function fail(): never {
  const texts = collected ?? [];
  collected = undefined;
  throw new RunError(`wrong arguments, found before anything was changed:\n${texts.join("\n")}`);
}
