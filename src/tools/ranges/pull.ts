/** Compares the current content of the sources with the lock file. */
import { join } from "node:path";
import { AddressSet } from "../../schema/addresses/address-set";
import { families } from "../../schema/addresses/block";
import { sizesIn } from "../access/config-forms";
import { rangeList } from "../access/range-text";
import type { RangeList } from "../access/range-text";
import { GatewayError } from "../../provider/errors";
import { secondsText } from "../../schema/formats/time";
import { rangesFrom } from "./contents";
import { download } from "./download";
import { lockFile, readLock, sha256Of, writeLock } from "../../program/ranges/lock-file";
import type { Lock, LockedSource } from "../../program/ranges/lock-file";
import { readSources } from "./sources-file";
import type { Source } from "./sources-file";

/** The largest accepted change if the source states none, in percent of the addresses before. */
const defaultPercent = 25;

/** The ranges of a source before and now. */
interface SourceChange {
  readonly name: string;
  readonly count: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The addresses that the source has gained, and those that it has lost. */
  readonly gained: RangeList;
  readonly lost: RangeList;
}

interface SourceFailure {
  readonly name: string;
  readonly message: string;
}

export interface PullResult {
  readonly sources: readonly SourceChange[];
  /** The sources that cannot be used. */
  readonly failures: readonly SourceFailure[];
  /** Whether the lock file differs from the result of the pull. */
  readonly isChanged: boolean;
}

interface PullOptions {
  /** The folder of ranges.yaml and of the lock file. */
  readonly folder: string;
  readonly timeoutSeconds: number;
  /** The sources for which any change is accepted, including another host. */
  readonly accept?: readonly string[];
  /** Whether to write the lock file. If any source fails, the file stays unchanged. */
  readonly isWritten: boolean;
  /** The current time. */
  readonly now?: Date;
}

/** Downloads and checks all sources. */
export async function pullRanges(options: PullOptions): Promise<PullResult> {
  const { folder, accept = [], timeoutSeconds, isWritten, now = new Date() } = options;
  const sources = readSources(folder);
  const unknown = accept.filter((name) => !sources.some((source) => source.name === name));
  if (unknown.length > 0) throw new GatewayError(`ranges.yaml has no source ${unknown.join(", ")}`);
  const file = join(folder, lockFile);
  const before: Lock = readLock(file) ?? new Map<string, LockedSource>();
  const failures: SourceFailure[] = [];
  const after = new Map<string, LockedSource>();
  const pulled = await Promise.all(
    sources.map(async (source) => {
      try {
        const ranges = rangesFrom(source, await download(source, timeoutSeconds));
        const old = before.get(source.name);
        if (old && !accept.includes(source.name)) requireAcceptable(source, old, ranges);
        return lockedSource(source, old, ranges, now);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        failures.push({ name: source.name, message: error.message });
        return undefined;
      }
    }),
  );
  sources.forEach(({ name }, i) => pulled[i] && after.set(name, pulled[i]));
  const removed = [...before.keys()].filter((name) => !sources.some((source) => source.name === name));
  const names = [...after.keys(), ...removed].sort();
  const isChanged = names.some((name) => before.get(name) !== after.get(name));
  if (isWritten && isChanged && failures.length === 0) writeLock(file, after);
  return {
    sources: names.map((name) =>
      changeOf(name, before.get(name)?.ranges ?? [], after.get(name)?.ranges ?? []),
    ),
    failures: failures.sort((a, b) => (a.name < b.name ? -1 : 1)),
    isChanged,
  };
}

/** The new content of the lock file; the same object as before if nothing changed. */
function lockedSource(
  { url }: Source,
  old: LockedSource | undefined,
  ranges: readonly string[],
  now: Date,
): LockedSource {
  const sha256 = sha256Of(ranges);
  if (old?.sha256 === sha256) return old.url === url ? old : { ...old, url };
  return { url, date: secondsText(now.getTime()), sha256, ranges };
}

/** Throws if the host has changed, or if more addresses change than the source accepts. */
function requireAcceptable(source: Source, old: LockedSource, ranges: readonly string[]): void {
  const { name, url, largestChange = {} } = source;
  const [was, is] = [old.url, url].map((each) => (URL.canParse(each) ? new URL(each).host : each));
  const wayOut = `Check the source. To accept it once, run "tunnel-gateway ranges pull --accept ${name}"`;
  if (was !== is) throw new GatewayError(`the source ${name} moved from the host ${was} to ${is}. ${wayOut}`);
  const [before, after] = [AddressSet.ofRanges(old.ranges), AddressSet.ofRanges(ranges)];
  const changed = before.difference(after).union(after.difference(before));
  const percent = largestChange.percent ?? defaultPercent;
  const sizes = sizesIn(largestChange);
  for (const family of families) {
    const [count, all] = [changed.size(family), before.size(family)];
    const most = sizes[family];
    const limit =
      most !== undefined && count > most
        ? `at most ${most}`
        : count * 10_000n > all * BigInt(Math.round(percent * 100))
          ? `at most ${percent} %`
          : undefined;
    if (limit !== undefined)
      throw new GatewayError(
        `the source ${name} changes ${count} addresses of IPv${family}, and had ${all}: its largest change is ${limit}. ` +
          wayOut,
      );
  }
}

function changeOf(name: string, before: readonly string[], after: readonly string[]): SourceChange {
  const [was, is] = [new Set(before), new Set(after)];
  const [old, next] = [AddressSet.ofRanges(before), AddressSet.ofRanges(after)];
  return {
    ...{ name, count: after.length },
    added: after.filter((range) => !was.has(range)),
    removed: before.filter((range) => !is.has(range)),
    gained: rangeList(next.difference(old)),
    lost: rangeList(old.difference(next)),
  };
}
