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
  readonly heading: string;
  readonly problems: Problem[];
  /** Created where the program constructs the resource; undefined if the mistake is not in the program. */
  readonly at: Error | undefined;
}

let collected: Wrong[] | undefined;
let fail = (error: RunError): void => {
  throw error;
};

/**
 * Collects a resource's problems. The returned property never gets a value, so neither the resource nor its dependents
 * are registered. One error with the problems of all resources ends the program.
 * @param at created where the program constructs the resource; null if the mistake is not in the program.
 */
export function report(
  type: string,
  name: string,
  problems: readonly Problem[],
  at: Error | null = new Error(),
): { __invalid: Promise<never> } {
  const heading = headingOf(type, name, at === null ? undefined : programLine(at));
  const isFirst = collected === undefined;
  const known = (collected ??= []).find((wrong) => wrong.heading === heading);
  // Values of Outputs arrive one by one, and two checks may find the same problem.
  const isNew = ({ path, clause }: Problem): boolean =>
    !known?.problems.some((each) => each.path === path && each.clause === clause);
  if (known) for (const problem of problems.filter(isNew)) known.problems.push(problem);
  else collected.push({ heading, problems: [...problems], at: at ?? undefined });
  // The program may construct more resources in this turn.
  if (isFirst) setImmediate(failWithAll);
  return { __invalid: new Promise(() => undefined) };
}

/** Ends the program with an error that is found after its own code ran. */
export function endProgram(error: RunError): void {
  setImmediate(() => fail(error));
}

/** Runs the program. Wrong arguments reject the promise instead of ending the process. */
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
  const error = wrongArguments(all.map(({ heading, problems }) => textBelow(heading, problems)));
  const [frames] = all.flatMap(({ at }) => (at && programFrames(at)) ?? []);
  // Test runners show the first frame of the stack.
  if (frames !== undefined) error.stack = `${error.name}: ${error.message}\n${frames}`;
  fail(error);
}

/** A resource with its problems, one a line. */
export function problemsText(type: string, name: string, problems: readonly Problem[]): string {
  return textBelow(headingOf(type, name), problems);
}

/** @param line where the program constructs the resource. */
export function headingOf(type: string, name: string, line?: string): string {
  return escapeControls(`${type} "${name}"${line === undefined ? "" : ` (${line})`}`);
}

function textBelow(heading: string, problems: readonly Problem[]): string {
  return [`  ${heading}`, ...problems.map((problem) => `    ${problemText(problem)}`)].join("\n");
}

/**
 * The error that ends a program, with the texts of its resources with wrong arguments. In a deployment without a preview, the
 * engine may have created other resources before.
 */
export function wrongArguments(texts: readonly string[]): RunError {
  const title = sdk.isDryRun()
    ? "wrong arguments, found before anything was changed:"
    : "wrong arguments, which a preview finds before anything is changed:";
  return new sdk.RunError([title, ...texts].join("\n"));
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
