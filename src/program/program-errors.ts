/** Errors that end a program. Its wrong arguments are collected over all resources and reported in one. */
import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunError } from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { problemText } from "../schema/validate";
import type { Problem } from "../schema/validate";

let collected: string[] | undefined;
let fail: (error: RunError) => void = thrown;

/**
 * Collects a resource's problems. The returned property never gets a value, so neither the resource nor its dependents
 * are registered. One error with the problems of all resources ends the program.
 */
export function report(type: string, name: string, problems: Problem[]): Record<string, unknown> {
  const text = problemsText(type, name, problems);
  if (collected) collected.push(text);
  else {
    collected = [text];
    // The program may construct more resources before it yields.
    setImmediate(failWithAll);
  }
  return { __invalid: new Promise(() => undefined) };
}

/** Ends the program with an error that is found after its own code ran. */
export function endProgram(error: RunError): void {
  setImmediate(() => fail(error));
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
  fail(wrongArguments(texts));
}

/** A resource with its problems, one a line. */
export function problemsText(type: string, name: string, problems: readonly Problem[]): string {
  return [`  ${type} "${name}"`, ...problems.map((problem) => `    ${problemText(problem)}`)].join("\n");
}

/** The error that ends a program, with the texts of its resources with wrong arguments. */
export function wrongArguments(texts: readonly string[]): RunError {
  return new sdk.RunError(`wrong arguments, found before anything was changed:\n${texts.join("\n")}`);
}

function thrown(error: RunError): never {
  throw error;
}

/**
 * An error that ends a Pulumi program with its message alone. Pulumi prints the stack of an error that comes after the
 * program's own code ended, so it has none.
 */
export function programError(message: string): RunError {
  const error = new sdk.RunError(message);
  delete error.stack;
  return error;
}

/** The folders whose code constructs a resource on behalf of the program. */
const own = [join(__dirname, ".."), `${sep}@pulumi${sep}`, `${sep}node:internal`];

/** Where the program was when the error was made, such as `index.ts:12`; undefined where its stack does not show it. */
export function programLine({ stack = "" }: Error): string | undefined {
  for (const line of stack.split("\n")) {
    const [, source, row] = /^\s+at (?:.*\()?(.*?):(\d+):\d+\)?$/.exec(line) ?? [];
    if (source === undefined) continue;
    const file = source.startsWith("file:") ? fileURLToPath(source) : source;
    if (!isAbsolute(file) || own.some((folder) => file.includes(folder))) continue;
    return `${relative(process.cwd(), file)}:${row}`;
  }
  return undefined;
}
