/** Errors that end a program. Its wrong arguments are collected over all resources and reported in one. */
import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunError } from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { escapeControls } from "../schema/text/escape";
import { problemText } from "../schema/validate";
import type { Problem } from "../schema/validate";

/** A resource with wrong arguments. */
interface Wrong {
  readonly text: string;
  /** Made where the program constructs the resource. */
  readonly at: Error;
}

let collected: Wrong[] | undefined;
let fail: (error: RunError) => void = thrown;

/**
 * Collects a resource's problems. The returned property never gets a value, so neither the resource nor its dependents
 * are registered. One error with the problems of all resources ends the program.
 */
export function report(type: string, name: string, problems: Problem[]): Record<string, unknown> {
  const at = new Error();
  const wrong = { text: problemsText(type, name, problems, programLine(at)), at };
  if (collected) collected.push(wrong);
  else {
    collected = [wrong];
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
  const all = collected ?? [];
  collected = undefined;
  const error = wrongArguments(all.map(({ text }) => text));
  const [frames] = all.flatMap(({ at }) => programFrames(at) ?? []);
  // Test runners show the place where the stack begins.
  if (frames !== undefined) error.stack = `${error.name}: ${error.message}\n${frames}`;
  fail(error);
}

/** A resource with its problems, one a line. @param line where the program constructs it. */
export function problemsText(
  type: string,
  name: string,
  problems: readonly Problem[],
  line?: string,
): string {
  const heading = escapeControls(`${type} "${name}"${line === undefined ? "" : ` (${line})`}`);
  return [`  ${heading}`, ...problems.map((problem) => `    ${problemText(problem)}`)].join("\n");
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
  return stack.split("\n").map(lineOfFrame).find(Boolean);
}

/** The stack of an error from the program's own code on; undefined where it does not show it. */
function programFrames({ stack = "" }: Error): string | undefined {
  const frames = stack.split("\n");
  const first = frames.findIndex(lineOfFrame);
  return first < 0 ? undefined : frames.slice(first).join("\n");
}

/** The line of the program that a frame of a stack names; undefined for other code. */
function lineOfFrame(frame: string): string | undefined {
  const [, source, row] = /^\s+at (?:.*\()?(.*?):(\d+):\d+\)?$/.exec(frame) ?? [];
  if (source === undefined) return undefined;
  const file = source.startsWith("file:") ? fileURLToPath(source) : source;
  if (!isAbsolute(file) || own.some((folder) => file.includes(folder))) return undefined;
  return `${relative(process.cwd(), file)}:${row}`;
}
