/** The review as JSON. */
import { withoutCommands, escapeControlsInLines } from "../../../schema/text/escape";
import { isUnknown } from "../../../schema/unknown";
import { outcomeOf } from "../outcome";
import type { Review } from "../review";
import { countsOf } from "../../output/finding";

/** The version of the JSON format; an incompatible change raises it. */
const jsonVersion = 1;

export function json(review: Review): string {
  const { findings, existing, silenced, settings, silences, accessTests, failOn: _, ...rest } = review;
  const document = {
    version: jsonVersion,
    complete: review.errors.length === 0,
    outcome: outcomeOf(review),
    counts: countsOf(findings),
    ...{ settings, silences, accessTests, findings, existing, silenced },
    ...rest,
  };
  // The engine's marker of an unknown value means nothing to other readers.
  const text = (_: string, value: unknown): unknown => (isUnknown(value) ? "[unknown]" : value);
  return `${escapeControlsInLines(withoutCommands(JSON.stringify(document, text, 2)))}\n`;
}
