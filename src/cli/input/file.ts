/** The files that options name. */
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { UsageError } from "../command";

/** Throws a UsageError where the file of an option cannot be read. */
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
  return new UsageError(`the file ${file} of ${option} cannot be read (${code})`);
}

/** The JSON in the file of an option, if it is given. Throws a UsageError where it cannot be read. */
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
