/** Compares a preview with an approval: each write of its rehearsal that nobody approved is an error. */
import { GatewayError } from "../../provider/errors";
import { nameIn, stackLabel } from "../../provider/urn";
import { version } from "../../provider/version";
import { classIn } from "../../program/shim";
import { counted, shortened } from "../../schema/text/phrase";
import { asText, membersOf } from "../../schema/unknown";
import type { Approval } from "../approval/approval";
import { ApprovedWrites } from "../approval/approved-writes";
import type { LogLine } from "../approval/write-log";
import { hiddenUrl } from "../stack/mask";
import { rulesBefore } from "../rehearsal/recorded-account";
import type { Rehearsal } from "../rehearsal/rehearse";
import type { Preview } from "../inventory/read-preview";
import { lineOf } from "./review";
import type { Review } from "./review";
import type { Finding } from "../output/finding";
import { approvalRule } from "./rules";

export interface Approved {
  readonly approval: Approval;
  /** The approved writes that earlier deployments have sent. */
  readonly log: readonly LogLine[];
}

/** The review, with a finding for everything that was not approved. */
export function approvedReview(
  preview: Preview,
  review: Review,
  rehearsal: Rehearsal,
  approved: Approved,
): Review {
  const found = deviations(preview, rehearsal, approved);
  const [errors, notes] = [found.filter(isDeviation), found.filter((each) => !isDeviation(each))];
  return { ...review, findings: [...errors, ...review.findings, ...notes] };
}

/** Whether a finding is about what was not approved. */
export function isDeviation({ rule, severity }: Finding): boolean {
  return rule === approvalRule.id && severity === approvalRule.severity;
}

/** Throws an Error if the approval is that of another stack. */
function deviations(
  preview: Preview,
  { requests, incomplete, refusals, undone, accounts }: Rehearsal,
  { approval, log }: Approved,
): Finding[] {
  const { stackName, unseen } = preview;
  if (stackName && (stackName.stack !== approval.stack || stackName.project !== approval.project)) {
    const [approved, here] = [approval, stackName].map(stackLabel);
    throw new GatewayError(`the approval is that of the stack ${approved}, not of ${here}`);
  }
  const about = (urn: string, message: string): Finding => {
    const token = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const { id: rule, severity } = approvalRule;
    const named = { type: classIn(token) ?? token, name: nameIn(urn, token) };
    return { rule, severity, urn, ...named, message: shortened(message, 1000), place: lineOf(preview, urn) };
  };
  const urns = approval.steps.flatMap(({ urn, writes }) => writes.map(() => urn));
  const sent = new Set(
    log.flatMap((line) =>
      line.event === "sent" && line.position !== undefined ? [urns[line.position]] : [],
    ),
  );
  const missing = unseen > 0 ? ["the preview leaves out unchanged resources; run it with --show-sames"] : [];
  const rules = rulesBefore(accounts);
  const approvedWrites = (isInOrder: boolean): ApprovedWrites => {
    const writes = new ApprovedWrites(approval, hiddenUrl, isInOrder);
    writes.resume(log);
    for (const rule of rules) writes.noteRule(rule);
    return writes;
  };
  const writes = approvedWrites(false);
  const done = writes.doneCount;
  const others = otherWrites(requests, writes);
  // The order counts only if nothing else differs: without a write, those that wait for it would differ too.
  const found = others.size > 0 ? others : otherWrites(requests, approvedWrites(true));
  const notes = [
    ...(done === 0 ? [] : [`${counted(done, "approved write")} ${done === 1 ? "is" : "are"} done already`]),
    ...versionNote(approval),
  ];
  return [
    ...missing.map((message) => about("", message)),
    ...incomplete.map(({ urn = "", message }) => about(urn, message)),
    ...refusals.map(({ urn, message }) => about(urn, `the service would refuse it: ${message}`)),
    // What an interrupted deployment has sent is in the account, and not in the state.
    ...undone.filter(({ urn }) => !sent.has(urn)).map(({ urn, message }) => about(urn, message)),
    ...[...found].map(([urn, [first, ...more]]) =>
      about(
        urn,
        more.length === 0 ? first!.text : `${first!.text} (and ${counted(more.length, "other write")})`,
      ),
    ),
    ...notes.map((message): Finding => ({ ...about("", message), severity: "note" })),
  ];
}

/** By resource, the writes that were not approved; if there are none, the approved ones that would not be sent. */
function otherWrites(requests: Rehearsal["requests"], approved: ApprovedWrites) {
  const refused = requests.flatMap(({ method, path, body, baseUrl, status, answer, urn }) => {
    if (method === "GET") return [];
    const taken = approved.take({ method, path, body, baseUrl });
    if ("refused" in taken) return [{ urn, text: taken.refused }];
    approved.answered(taken, path, status, asText(membersOf(answer).id));
    return [];
  });
  const urns = new Set(refused.map(({ urn }) => urn));
  const left = approved.left
    .filter(({ urn }) => !urns.has(urn))
    .map(({ method, path, urn }) => {
      return { urn, text: `${method} ${path} was approved, and the deployment would not send it` };
    });
  return Map.groupBy([...refused, ...left], ({ urn }) => urn);
}

/** A change that upgrades the package is reviewed by the version of the target branch. */
function versionNote({ version: approved }: Approval): string[] {
  if (approved === version) return [];
  return [
    `it was approved with version ${shortened(approved, 40)} of the package and is compared with ${version}`,
  ];
}
