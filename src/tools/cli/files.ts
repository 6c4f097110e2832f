/** The files that options name. */
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { UsageError } from "./command";

/** A format of a command's output, and its destination: `--output <format>` or `--output <format>=<file>`. */
export interface Target<F extends string> {
  readonly format: F;
  /** The file; stdout if undefined. */
  readonly into: string | undefined;
}

/** Throws a UsageError for an unknown format, an empty file name, and more than one output to stdout. */
export function targetsOf<F extends string>(formats: readonly F[], texts: readonly string[]): Target<F>[] {
  const targets = texts.map((text): Target<F> => {
    const [name, ...file] = text.split("=");
    const format = formats.find((each) => each === name);
    if (!format) throw new UsageError(`--output takes ${formats.join(", ")}, not ${JSON.stringify(name)}`);
    return { format, into: file.length === 0 ? undefined : file.join("=") };
  });
  if (targets.some(({ into }) => into === "")) throw new UsageError("--output <format>= needs a file name");
  if (targets.filter(({ into }) => into === undefined).length > 1) {
    throw new UsageError(
      "only one --output can go to stdout: write the others to files with <format>=<file>",
    );
  }
  return targets;
}

export async function write(text: string, into: string | undefined): Promise<void> {
  if (into === undefined) return void process.stdout.write(text);
  await writeFile(into, text);
}

/** Throws a UsageError if the file of an option cannot be read. */
export function requireReadable(option: string, file: string): void {
  try {
    accessSync(file, constants.R_OK);
    if (!statSync(file).isDirectory()) return;
  } catch (error) {
    throw unreadable(option, file, (error as NodeJS.ErrnoException).code);
  }
  throw unreadable(option, file, "EISDIR");
}

function unreadable(option: string, file: string, code: string | undefined): UsageError {
  if (code === "ENOENT")
    return new UsageError(`the file ${file} of ${option} does not exist: correct the path`);
  return new UsageError(`the file ${file} of ${option} cannot be read (${code})`);
}

/** The JSON in the file of an option, if the option is given. Throws a UsageError if the file cannot be read. */
export function jsonFile(option: string, file: string | undefined): unknown {
  if (file === undefined) return undefined;
  requireReadable(option, file);
  const text = readFileSync(file, "utf8");
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`the file ${file} of ${option} is not JSON`);
  }
}
