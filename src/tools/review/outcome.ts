/** How a review ends. */
import { isDeviation } from "./approved";
import type { Review } from "./review";
import { severities } from "../output/finding";
import type { Finding } from "../output/finding";

/**
 * `incomplete`: a preview failed. `failed`: a finding is as severe as `failOn`, or the deployment is not the approved one.
 * `passed`: everything else.
 */
export type ReviewOutcome = "passed" | "failed" | "incomplete";

export function outcomeOf({
  errors,
  findings,
  failOn,
}: Pick<Review, "errors" | "findings" | "failOn">): ReviewOutcome {
  if (errors.length > 0) return "incomplete";
  const isSevere = ({ severity }: Finding): boolean =>
    failOn !== "never" && severities.indexOf(severity) <= severities.indexOf(failOn);
  return findings.some((each) => isDeviation(each) || isSevere(each)) ? "failed" : "passed";
}
