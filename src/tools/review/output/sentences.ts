/** The texts that all output formats of the review share. */
import { isUnknown } from "../../../schema/unknown";
import type { Difference } from "../differences";
import { bareText, cut, valueText } from "../value-text";
import { pastTense } from "../../stack/preview";
import { stackLabel } from "../../../provider/urn";
import {
  capitalized,
  counted,
  firstItems,
  later,
  listText,
  most10,
  shortened,
  durationText,
  second,
} from "../../../schema/text/phrase";
import { namesText } from "../stack-scope";
import type { ActionCounts, ReviewedChange, Review, StackSummary } from "../review";
import { actionCountsOf, failedTestsOf } from "../review";
import { outcomeOf } from "../outcome";
import { requestsText } from "../requests";
import type { Cost } from "../requests";
import { causedText, countsOf, countsText } from "../../output/finding";
import type { Finding, StackScope } from "../../output/finding";
import type { Span } from "../../output/document";

/**
 * Why the review is incomplete: a preview failed. Undefined for a complete one. Lists of an incomplete review may lack
 * entries, so no output calls an empty one a result.
 */
export function incompleteText({ errors, stacks }: Pick<Review, "errors" | "stacks">): string | undefined {
  if (errors.length === 0) return undefined;
  const failed = stacks?.filter(hasFailed).length;
  const what = stacks ? `the preview of ${failed} of ${counted(stacks.length, "stack")}` : "the preview";
  return `${what} failed, so the review is incomplete`;
}

/** The errors of failed previews, each with what it means for the review. */
export function failureTexts(review: Review): string[] {
  const what = incompleteText(review);
  return what === undefined
    ? []
    : review.errors.map((error) => `${capitalized(what)}: ${shortened(error, 1000)}`);
}

/** "Tunnel Gateway review of my-gateway/dev failed: 1 error". A preview without resources names no stack. */
export function titleText(review: Review): string {
  const { place, stacks } = review;
  const ofStack = place === undefined ? "" : ` of ${stackLabel(place)}`;
  const what = stacks ? ` of ${counted(stacks.length, "stack")}` : ofStack;
  const outcome = outcomeOf(review) === "passed" ? "passed" : "failed";
  return `Tunnel Gateway review${what} ${outcome}: ${verdictText(review)}`;
}

/** The number of findings. For an incomplete review, says so and gives the number so far, if there are any. */
export function verdictText(review: Review): string {
  const counts = countText(review.findings);
  const incomplete = incompleteText(review);
  if (incomplete === undefined) return review.findings.length === 0 ? noFindingsText(review) : counts;
  return review.findings.length === 0 ? incomplete : `${incomplete}: ${counts} so far`;
}

/** Says that the deployment causes no findings, and counts the existing and silenced ones. */
export function noFindingsText({ existing, silenced }: Review): string {
  const listed = [
    ...(existing.length === 0 ? [] : [`${countText(existing)} not caused by this deployment`]),
    ...(silenced.length === 0 ? [] : [`${countText(silenced.map(({ finding }) => finding))} silenced`]),
  ];
  return listed.length === 0 ? "no findings" : `no new findings (${listed.join(", ")})`;
}

/** Says that the deployment lets nobody in who did not get in before. */
export function noAccessText({ errors, access }: Review): string {
  if (errors.length === 0) return "The IP policies of this program give no new access";
  return access === undefined
    ? "It is not known who gets in, because the preview failed"
    : "The stacks with a complete preview give no new access";
}

/** "1 error, 2 warnings", or "no findings". */
function countText(findings: readonly Finding[]): string {
  return countsText(countsOf(findings)) || "no findings";
}

/** "2 to create", "1 to delete": the actions that are counted. */
function actionTexts(counts: ActionCounts): string[] {
  return Object.entries(counts).flatMap(([action, count]) => (count === 0 ? [] : [`${count} to ${action}`]));
}

/** "2 to create, 1 to delete": the number of resources, in all stacks that have the change. */
export function actionCounts(changes: readonly ReviewedChange[], nothing = "nothing changes"): string {
  return actionTexts(actionCountsOf(changes)).join(", ") || nothing;
}

/** The text if nothing happens to resources of this package: the review does not report other ones. */
function nothingText({ others }: Pick<Review, "others">): string {
  return others === 0 ? "nothing changes" : "nothing of this package changes";
}

/** The deployment in one line; for an incomplete review, the known part. */
export function summary(review: Review): string {
  const { changes, cost, others, stacks, errors } = review;
  const sent =
    cost === undefined ? "" : `; ${requestsText(cost)} to the service${timeText(cost)}${listsText(cost)}`;
  const rest = others === 0 ? "" : `; ${counted(others, "change")} of other packages, not reviewed`;
  const where = stacks ? `${counted(stacks.length, "stack")}: ` : "";
  const isComplete = errors.length === 0;
  if (!isComplete && changes.length === 0) return `${where}no change is known`;
  return `${where}${isComplete ? "" : "known changes: "}${actionCounts(changes, nothingText(review))}${sent}${rest}`;
}

function timeText({ seconds, requestsPerMinute }: Cost): string {
  if (seconds === 0) return "";
  return `, at least ${durationText(seconds * second, "minute")} at ${requestsPerMinute} per minute`;
}

function listsText({ lists }: Cost): string {
  return lists.length === 0 ? "" : `, run with the account's ${listText(lists, "list")}`;
}

/** "all 40 stacks", or "prod-eu, prod-us and 36 more (38 of 40 stacks)"; undefined in the review of one stack. */
export function stacksText({ stacks }: StackScope, all: Pick<Review, "stacks">): string | undefined {
  if (stacks === undefined || all.stacks === undefined) return undefined;
  const total = counted(all.stacks.length, "stack");
  if (!isInAll({ stacks }, all)) return `${namesText(stacks)} (${stacks.length} of ${total})`;
  return `all ${completeText(all.stacks)}`;
}

/** Whether all stacks with a complete preview have the entry, or the review is that of one stack. */
export function isInAll({ stacks }: StackScope, all: Pick<Review, "stacks">): boolean {
  if (stacks === undefined) return true;
  const own = new Set(stacks);
  const complete = all.stacks!.filter((each) => !hasFailed(each));
  return complete.length > 0 && complete.every(({ stack }) => own.has(stack));
}

/** "40 stacks", or "38 stacks with a complete preview". */
export function completeText(stacks: readonly StackSummary[]): string {
  const complete = stacks.filter((each) => !hasFailed(each)).length;
  const text = counted(complete, "stack");
  return complete === stacks.length ? text : `${text} with a complete preview`;
}

export function hasFailed({ errors }: StackSummary): boolean {
  return errors.length > 0;
}

/** One stack of a review of several, in one line. */
export function stackText(summary: StackSummary): string {
  const { changes, drift, cost, counts, errors, accessTests, failedTests } = summary;
  if (errors.length > 0) return `failed: ${shortened(errors[0]!, 300)}`;
  const actions = actionTexts(changes);
  const drifted = drift === 0 ? [] : [`${counted(drift, "resource")} changed outside of Pulumi`];
  const tests = accessTests === 0 ? [] : [testResult(accessTests, failedTests)];
  return [
    [...actions, ...drifted].join(", ") || nothingText(summary),
    ...(cost === undefined ? [] : [requestsText(cost)]),
    // The review lists a stack's other findings beside those of all stacks.
    countsText(counts) || "no new findings",
    ...tests,
  ].join("; ");
}

/** What happens to a resource. */
export function actionSpans({ action, deletesFirst, replaceReasons, gone }: ReviewedChange): Span[] {
  if (gone) return ["created again: it was deleted outside of Pulumi"];
  if (action !== "replace") return [pastTense[action]];
  const order = deletesFirst ? "deleted first" : "created first";
  const reasons = replaceReasons.flatMap((reason) => [", ", { code: cut(reason) }]);
  return [`replaced, ${order}`, ...(reasons.length === 0 ? [] : [", because of ", ...reasons.slice(1)])];
}

/** What the review says of a change besides its fields. */
function remarks({ hidden, holdsSecrets, recordedOnly, action }: ReviewedChange): string[] {
  if (recordedOnly) return ["no request is sent: only the arguments recorded in the state change"];
  if (holdsSecrets) return ["it has secrets; the preview does not show whether they change too"];
  if (!hidden) return [];
  return [
    action === "replace"
      ? "no visible value changes: the replacement was requested or is due, or a secret or hidden value changed"
      : "a secret or hidden value changed",
  ];
}

/** What changes in a resource, one item for each field and remark. */
export function changeItems(change: ReviewedChange): Span[][] {
  return [
    ...remarks(change).map((remark) => [remark]),
    ...change.differences.map(differenceSpans),
    ...change.drift.map((difference) => ["changed outside of Pulumi: ", ...differenceSpans(difference)]),
  ];
}

/** One difference: the name of the field, and its values. */
function differenceSpans(difference: Difference): Span[] {
  const forces = difference.replaces ? [" (forces the replacement)"] : [];
  return [{ code: cut(difference.path) }, ": ", ...changeSpans(difference), ...forces];
}

function changeSpans({ old, next, members, secret }: Difference): Span[] {
  if (secret && old === undefined) return ["set (secret)"];
  if (secret) return [next === undefined ? "removed (secret)" : "changed (secret)"];
  if (isUnknown(next)) return [...fromSpans(old), later];
  if (members) return memberSpans(members);
  if (next === undefined) return ["removed, was ", { code: valueText(old) }];
  return [...fromSpans(old), { code: valueText(next) }];
}

function fromSpans(old: unknown): Span[] {
  return old === undefined ? [] : [{ code: valueText(old) }, " → "];
}

function memberSpans({ added, removed }: NonNullable<Difference["members"]>): Span[] {
  const both = added.length > 0 && removed.length > 0 ? [", "] : [];
  const spans = [...someSpans("added ", added), ...both, ...someSpans("removed ", removed)];
  return spans.length === 0 ? ["changed"] : spans;
}

function someSpans(verb: string, values: readonly unknown[]): Span[] {
  const { shown, more } = firstItems(values, most10);
  const named = shown.flatMap((value) => [", ", { code: bareText(value) }]).slice(1);
  return shown.length === 0 ? [] : [verb, ...named, ...(more === undefined ? [] : [` and ${more}`])];
}

/** Which rules did not run because the preview leaves out unchanged resources: one sentence or none. */
export function skippedText({ unseen, skippedRules, stacks }: Review): string[] {
  if (skippedRules.length === 0) return [];
  const missing = `${counted(unseen, "unchanged resource")} ${unseen === 1 ? "is" : "are"} not in`;
  const where = stacks ? "these previews" : "this preview";
  return [
    `${missing} ${where}, so these rules did not run: ${skippedRules.join(", ")}; run the preview with --show-sames`,
  ];
}

/** Lines about the settings that differ from the defaults, about a base URL that they list, and about the access tests. */
export function settingTexts(review: Review): { title: string; text: string; isUsual: boolean }[] {
  const { settings, listedUrls } = review;
  const texts = settings.map(({ name, value, usual }) => `${name} is ${value} (default: ${usual})`);
  const differing = `settings that differ from the defaults: ${texts.join("; ")}`;
  const listed = `the review's baseUrls list the stack's base URL, ${listedUrls.join(", ")}`;
  const title = "settings of the review";
  return [
    ...(texts.length === 0 ? [] : [{ title, text: differing, isUsual: false }]),
    ...(listedUrls.length === 0 ? [] : [{ title, text: listed, isUsual: true }]),
    ...testsText(review).map((text) => ({ title: "access tests", text, isUsual: true })),
  ];
}

/** The number of access tests, and of their failures: one line, or none. A reviewer must see when there are fewer tests. */
function testsText(review: Review): string[] {
  const { accessTests, stacks } = review;
  if (accessTests === 0) return [];
  if (review.access === undefined)
    return [`${counted(accessTests, "access test")}, not evaluated: the preview failed`];
  return [testResult(accessTests, failedTestsOf(review), stacks && completeText(stacks))];
}

function testResult(tests: number, failures: number, stacks?: string): string {
  const text = `${counted(tests, "access test")}${stacks === undefined ? "" : ` in each of ${stacks}`}`;
  if (failures > 0) return `${text}, with ${counted(failures, "failure")}`;
  return `${text}: ${tests === 1 && stacks === undefined ? "it holds" : "all hold"}`;
}

/** A silence, whether or not a finding matches it. */
export function silenceText({ rule, resource, reason, findings }: Review["silences"][number]): string {
  const what = resource === undefined ? rule : `${rule}@${resource}`;
  const used = findings === 0 ? "silences nothing" : `silences ${counted(findings, "finding")}`;
  return `${shortened(what, 200)} ${used}: ${shortened(reason, 200)}`;
}

/** A finding in one line, with the stacks that have it. */
export function findingLine(finding: Finding, review: Review): string {
  const stacks = stacksText(finding, review);
  return `${subjectText(finding)}: ${causedText(finding)}${stacks === undefined ? "" : ` (${stacks})`}`;
}

/** The resource of a finding. */
function subjectText({ type, name }: Pick<Finding, "type" | "name">): string {
  return type === "" ? "the deployment" : `${type} ${name}`;
}
