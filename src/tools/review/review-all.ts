/** Reviews the previews that a command names. Several become one review. */
import { GatewayError } from "../../provider/errors";
import { shortName } from "../stack/stacks";
import { stackLabel } from "../../provider/urn";
import type { StackName } from "../../provider/urn";
import { counted } from "../../schema/text/phrase";
import type { Approval } from "../approval/approval";
import type { WriteLog } from "../approval/write-log";
import { mergedReview } from "./merge";
import type { StackReview } from "./merge";
import { inParallel } from "./parallel";
import type { Review, ReviewOptions } from "./review";
import { failedReview, reviewOne } from "./review-one";
import type { Drawings, PreviewReviewing, PreviewSource, ReviewedPreview } from "./review-one";

export interface Reviewing extends Omit<PreviewReviewing, "approvedFor"> {
  /** What was approved, and what earlier deployments have sent of it, if the review compares with it. */
  readonly approved: { readonly approvals: readonly Approval[]; readonly log: WriteLog } | undefined;
  /** How many previews are reviewed at the same time. */
  readonly parallel: number;
}

export interface ReviewResult {
  readonly made: Review;
  readonly drawings: Drawings;
  /** The approvals of all stacks, if they are approved. Throws if one of them cannot be approved. */
  readonly approvalsOf: () => Approval[];
}

export async function reviewAll(
  sources: readonly PreviewSource[],
  { approved, parallel, ...reviewing }: Reviewing,
): Promise<ReviewResult> {
  const { options, isMany, logs, reporter } = reviewing;
  const approvedFor: PreviewReviewing["approvedFor"] =
    approved &&
    ((stackName) => {
      const approval = approvalIn(approved.approvals, stackName, isMany);
      return { approval, log: approved.log.sentOf(approval) };
    });
  const progress = (done: number): void => {
    const stack = sources[0]?.stack;
    if (sources.length > 1) reporter.status(`Reviewing ${sources.length} previews: ${done} done`);
    else if (stack !== undefined) reporter.status(`Previewing the stack ${stack}`);
  };
  const all = await inParallel(sources, parallel, progress, (source) =>
    reviewOne(source, { ...reviewing, approvedFor }),
  );
  await logs.check(all.every(({ review }) => review.errors.length === 0));
  const named = withNames(all);
  const missing = isMany ? missingOf(approved?.approvals ?? [], all, options) : [];
  return {
    made: mergedReview([...named, ...missing]),
    drawings: { mermaid: common(all, "mermaid"), svg: common(all, "svg") },
    approvalsOf: () => all.flatMap(({ approval }) => approval() ?? []),
  };
}

/** The picture of the stacks, if all that have one have the same. */
function common(all: readonly ReviewedPreview[], kind: keyof Drawings): string | undefined {
  const pictures = new Set(all.flatMap(({ drawings }) => drawings[kind] ?? []));
  return pictures.size === 1 ? [...pictures][0] : undefined;
}

/** The reviews with the names of their stacks. Throws if two of them are of the same stack. */
function withNames(all: readonly ReviewedPreview[]): StackReview[] {
  const sources = new Map<string, string>();
  for (const { names, source } of all) {
    const here = nameOf(source);
    const label = names.stackName ? stackLabel(names.stackName) : `no place ${here}`;
    const other = sources.get(label);
    if (other !== undefined)
      throw new GatewayError(`${other} and ${here} are previews of the same stack, ${label}`);
    sources.set(label, here);
  }
  const shortOf = ({ names, source }: ReviewedPreview): string =>
    source.stack ?? names.stackName?.stack ?? nameOf(source);
  const counts = Map.groupBy(all, shortOf);
  return all.map((each) => {
    const short = shortOf(each);
    const { stackName } = each.names;
    const isUnique = counts.get(short)!.length === 1;
    return { ...each, stack: isUnique || !stackName ? short : stackLabel(stackName) };
  });
}

function nameOf(source: PreviewSource): string {
  return source.stack ?? source.name;
}

/**
 * The approval of a stack. A command about one stack takes it from a file of several. Throws if the approval does not contain
 * the stack.
 */
function approvalIn(
  approvals: readonly Approval[],
  stackName: StackName | undefined,
  isMany: boolean,
): Approval {
  // The comparison refuses the approval of another stack.
  if (!isMany && approvals.length === 1) return approvals[0]!;
  if (!stackName)
    throw new GatewayError("the preview names no stack, so it cannot be compared with what was approved");
  const found = approvals.find(
    ({ stack, project }) => stack === stackName.stack && project === stackName.project,
  );
  if (found) return found;
  throw new GatewayError(
    `the approval is that of ${counted(approvals.length, "stack")} and not of ${stackLabel(stackName)}`,
  );
}

/** The approved stacks without a preview: each one is an error. */
function missingOf(
  approvals: readonly Approval[],
  all: readonly ReviewedPreview[],
  options: ReviewOptions,
): StackReview[] {
  const labels = new Set(all.flatMap(({ names }) => (names.stackName ? stackLabel(names.stackName) : [])));
  const failed = new Set(
    all.flatMap(({ names, source: { stack } }) => (names.stackName || !stack ? [] : shortName(stack))),
  );
  const missing = approvals.filter(
    (approval) => !labels.has(stackLabel(approval)) && !failed.has(approval.stack),
  );
  return missing.map((approval) => {
    const stack = stackLabel(approval);
    return { stack, ...failedReview(`it was approved, but the review has no preview of it`, options) };
  });
}
