/** Ranges of a policy that have no effect beside others of it. */
import { nested } from "../addresses/block";
import { oncePer } from "../once-per";
import type { PolicyEntry, PolicyRanges } from "./policies";

/** A range inside of another one. */
export interface Shadow {
  readonly inner: PolicyEntry;
  /** The narrowest range around it. */
  readonly outer: PolicyEntry;
  readonly isSameRange: boolean;
}

/** The ranges that repeat another one, or whose narrowest range around them has the same action. */
export const shadowsIn = oncePer(({ entries }: PolicyRanges): readonly Shadow[] =>
  nested(entries, ({ block }) => block).flatMap(({ inner, outer }) => {
    const isSameRange = inner.block.first === outer.block.first && inner.block.last === outer.block.last;
    return isSameRange || inner.action === outer.action ? [{ inner, outer, isSameRange }] : [];
  }),
);
