/** How a review ends. */
import { isDeviation } from "./approved";
import { worst } from "./review";
import type { Review } from "./review";
import { severities } from "../output/finding";

/**
 * `incomplete`: a preview failed. `failed`: a finding is as severe as `failOn`, or the deployment is not the approved one.
 * `passed`: everything else.
 */
export type ReviewOutcome = "passed" | "failed" | "incomplete";

export function outcomeOf(review: Pick<Review, "errors" | "findings" | "failOn">): ReviewOutcome {
  const { errors, findings, failOn } = review;
  if (errors.length > 0) return "incomplete";
  if (findings.some(isDeviation)) return "failed";
  const found = worst(review);
  if (failOn === "never" || found === undefined) return "passed";
  return severities.indexOf(found) <= severities.indexOf(failOn) ? "failed" : "passed";
}
