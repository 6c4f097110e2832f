import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isRecord } from "../schema/unknown";
import type { ImportFile } from "../import/entries";
import { GatewayError } from "../provider/errors";

/** Writes an import file, which holds secrets in clear, for its owner's eyes. An empty one is not written. */
export function writeImportFile(path: string, file: ImportFile): { resources: number } {
  if (existsSync(path) && !isImportFile(readFileSync(path, "utf8"))) {
    throw new GatewayError(`${path} exists and is no import file, so it is not overwritten`);
  }
  // A file that exists would keep its mode.
  rmSync(path, { force: true });
  if (file.resources.length > 0) {
    writeFileSync(path, `${JSON.stringify(file, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
  }
  return { resources: file.resources.length };
}

function isImportFile(text: string): boolean {
  try {
    const file: unknown = JSON.parse(text);
    return isRecord(file) && Array.isArray(file.resources);
  } catch {
    return false;
  }
}
