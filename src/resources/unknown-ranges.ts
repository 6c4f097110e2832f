/** What a preview says of a set with ranges that are not known yet. */
import type { Json } from "../schema/json";
import { rangesIn, unknownRanges } from "../schema/rule-set";
import { firstOf } from "../text/phrase";

/** How many ranges a note names. */
const listed = 20;

/** Of rules that the preview removes, and that stay if an unknown range turns out to be theirs. */
export function notesOnUnknownRanges(state: Json, args: Json): string[] {
  const open = unknownRanges(args);
  if (open.length === 0) return [];
  const wanted = rangesIn(args);
  const removed = [...rangesIn(state)].filter((range) => !wanted.has(range));
  if (removed.length === 0) return [];
  return [
    `the preview removes ${firstOf(removed, listed)}. A rule stays if its range turns out to be one that is known only ` +
      `after the deployment: ${firstOf(open, listed)}`,
  ];
}
