/**
 * The file `ranges.lock.json`: the ranges of all sources as they were last pulled. Programs read it, so this file imports
 * neither undici nor zod.
 */
import { createHash, randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blockOf } from "../../schema/addresses/block";
import { GatewayError } from "../../provider/errors";
import { isRecord } from "../../schema/unknown";

export const lockFile = "ranges.lock.json";
const version = 1;

/** The ranges of a source. */
export interface LockedSource {
  readonly url: string;
  /** When the ranges were pulled for the first time as they are, RFC 3339. */
  readonly date: string;
  /** The SHA-256 of the ranges, each followed by a line feed, in hexadecimal. */
  readonly sha256: string;
  /** In canonical spelling, sorted, each once. */
  readonly ranges: readonly string[];
}

/** The sources by name. */
export type Lock = ReadonlyMap<string, LockedSource>;

export function sha256Of(ranges: readonly string[]): string {
  return createHash("sha256")
    .update(ranges.map((range) => `${range}\n`).join(""))
    .digest("hex");
}

/** The lock file; undefined where there is none. Throws a GatewayError where it is not as a pull wrote it. */
export function readLock(file: string): Lock | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const sources = sourcesIn(text);
  if (sources === undefined)
    throw new GatewayError(
      `${file} is not a lock file of this version. Restore it, or delete it and pull again`,
    );
  for (const [name, { sha256, ranges }] of sources) {
    if (sha256 !== sha256Of(ranges))
      throw new GatewayError(
        `${file}: the ranges of ${JSON.stringify(name)} were changed by hand, so their SHA-256 is another one. Restore ` +
          `the file; to change the ranges, run "tunnel-gateway ranges pull"`,
      );
  }
  return sources;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new GatewayError(`${file} cannot be read (${code})`);
  }
}

function sourcesIn(text: string): Map<string, LockedSource> | undefined {
  try {
    const content: unknown = JSON.parse(text);
    if (!isRecord(content) || content.version !== version || !isRecord(content.sources)) return undefined;
    const sources = Object.entries(content.sources);
    return sources.every(([, source]) => isLockedSource(source))
      ? new Map(sources as [string, LockedSource][])
      : undefined;
  } catch {
    return undefined;
  }
}

function isLockedSource(value: unknown): value is LockedSource {
  if (!isRecord(value) || !Array.isArray(value.ranges)) return false;
  const areTexts = [value.url, value.date, value.sha256].every((each) => typeof each === "string");
  return areTexts && value.ranges.every((range) => blockOf(range) !== undefined);
}

/** Replaces the lock file as a whole: a process that dies leaves the old one. */
export function writeLock(file: string, lock: Lock): void {
  const sources = Object.fromEntries([...lock].sort(([a], [b]) => (a < b ? -1 : 1)));
  const staged = join(dirname(file), `.${lockFile}.${randomUUID()}`);
  try {
    const handle = openSync(staged, "wx");
    try {
      writeFileSync(handle, `${JSON.stringify({ version, sources }, undefined, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(staged, file);
  } finally {
    rmSync(staged, { force: true });
  }
}
