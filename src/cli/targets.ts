/** The formats of a command's output, and where each goes: `--output <format>` or `--output <format>=<file>`. */
import { writeFile } from "node:fs/promises";
import { UsageError } from "./command";

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
