/** The review for machines. */
import { isUnknown } from "../../schema/unknown";
import type { Review } from "../review";
import { countsOf } from "../review";

/** The format of the JSON; a change that breaks readers raises it. */
export const jsonVersion = 1;

export function json(review: Review): string {
  const { findings, changes, standing, silenced, cost, unseen, unjudged, others, errors } = review;
  const document = {
    version: jsonVersion,
    counts: countsOf(findings),
    ...{ findings, standing, silenced, changes, cost, errors, others, unseen, unjudged },
  };
  // A value that is not known yet is told as such, not by the engine's word for it.
  const text = (_: string, value: unknown): unknown => (isUnknown(value) ? "[unknown]" : value);
  return `${JSON.stringify(document, text, 2)}\n`;
}
