/** The files that options name. */
import { readFileSync } from "node:fs";
import { UsageError } from "../command";

/** The text of the file of an option. Throws a UsageError where it cannot be read. */
export function textFile(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `the file ${file} of ${option} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

/** The JSON in the file of an option, if it is given. Throws a UsageError where it cannot be read. */
export function jsonFile(option: string, file: string | undefined): unknown {
  if (file === undefined) return undefined;
  const text = textFile(option, file);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`the file ${file} of ${option} is not JSON`);
  }
}
