/** The table of who can reach what: a row for each resource and policy whose access changes. */
import type { AccessItem, AccessReport, AccessSide } from "../access/report";
import { kindText } from "../access/text";
import { addressCount, rangesText } from "../../access/range-text";

export interface AccessRow {
  readonly item: AccessItem;
  /** Each cell is a list of statements. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly difference: readonly string[];
}

/**
 * The rows; none without a report. Leaves out resources and policies whose access stays the same. `sideText` writes the state of one side, in full
 * or short.
 */
export function accessRows(
  { guarded, policies }: AccessReport = { guarded: [], policies: [] },
  sideText: (side: AccessSide) => string[],
): AccessRow[] {
  const text = (side: AccessSide | undefined): string[] => {
    if (side === undefined) return ["does not exist"];
    if (!side.restricted) return ["not restricted"];
    const unknown = side.unknown.length === 0 ? [] : [`unknown: ${side.unknown.join(", ")}`];
    return [...sideText(side), ...unknown];
  };
  return [...guarded, ...policies].flatMap((item) => {
    const difference = differenceText(item);
    if (difference.length === 0) return [];
    return [{ item, before: text(item.before), after: text(item.after), difference }];
  });
}

/** The rows in groups that the same stacks have; those that fewer stacks have come first. */
export function rowsByStacks(rows: readonly AccessRow[]): AccessRow[][] {
  const groups = [...Map.groupBy(rows, ({ item }) => JSON.stringify(item.stacks)).values()];
  return groups.sort((a, b) => (a[0]!.item.stacks?.length ?? 0) - (b[0]!.item.stacks?.length ?? 0));
}

/** "allows 203.0.113.0/24 (256 addresses)", "denies no address". */
export function rangesOf({ allowed, denied }: AccessSide): string[] {
  return [`allows ${rangesText(allowed)}`, `denies ${rangesText(denied)}`];
}

/** "256 addresses allowed, 0 addresses denied". */
export function rangeCounts({ allowed, denied }: AccessSide): string[] {
  return [`${addressCount(allowed)} allowed, ${addressCount(denied)} denied`];
}

function differenceText({ before, after, differences }: AccessItem): string[] {
  if (differences.length > 0) return differences.map((each) => `${kindText(each)}: ${rangesText(each)}`);
  if (!before) return ["new"];
  if (!after) return ["deleted"];
  if (before.restricted !== after.restricted)
    return [after.restricted ? "newly restricted" : "no longer restricted"];
  const isSame = before.unknown.join() === after.unknown.join();
  return isSame ? [] : ["unknown"];
}
