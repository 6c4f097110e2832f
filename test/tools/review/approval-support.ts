import { approvalOf, readApprovals, type Approval } from "../../../src/tools/review/approval";
import { approvedReview, isDeviation } from "../../../src/tools/review/approved";
import { review } from "../../../src/tools/review/review";
import { readPreview } from "../../support/recorded";

export const now = Date.parse("2026-11-21T12:00:00Z");

/** The approval of a preview, as its file has it. */
export function approve(text: string): Approval {
  const preview = readPreview(text);
  return readApprovals(JSON.stringify(approvalOf(preview, review(preview, { now }))))[0]!;
}

/** The errors and the notes about a later preview. */
export function checked(approved: string | Approval, later: string): { errors: string[]; notes: string[] } {
  const preview = readPreview(later);
  const approval = typeof approved === "string" ? approve(approved) : approved;
  const { findings } = approvedReview(preview, review(preview, { now }), approval);
  const own = findings.filter(({ rule }) => rule === "approval/changed");
  const text = (isError: boolean): string[] =>
    own
      .filter((each) => isDeviation(each) === isError)
      .map(({ type, name, message }) => `${type} ${name}: ${message}`.trim());
  return { errors: text(true), notes: text(false) };
}
