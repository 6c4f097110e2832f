/** Compares a preview with an approval: whatever its rehearsal would send and nobody approved is an error. */
import { GatewayError } from "../../provider/errors";
import { nameIn, stackLabel } from "../../provider/urn";
import { version } from "../../provider/version";
import { classIn } from "../../program/shim";
import { counted, shortened } from "../../schema/text/phrase";
import { asText, membersOf } from "../../schema/unknown";
import type { Approval } from "../approval/approval";
import { ApprovedWrites } from "../approval/approved-writes";
import type { LogLine } from "../approval/write-log";
import { hiddenUrl } from "../rehearsal/accounts";
import type { Rehearsal } from "../rehearsal/rehearse";
import type { World } from "../inventory/world";
import type { Review } from "./review";
import type { Finding } from "./rule";
import { approvalRule } from "./rules";

/** What was approved for a stack, and what of it an earlier deployment has sent. */
export interface Approved {
  readonly approval: Approval;
  readonly log: readonly LogLine[];
}

/** A review of a deployment that was approved: with a finding for everything that was not. */
export function approvedReview(
  preview: World,
  made: Review,
  rehearsal: Rehearsal,
  { approval, log }: Approved,
): Review {
  const found = deviations(preview, rehearsal, approval, log);
  const [errors, notes] = [found.filter(isDeviation), found.filter((each) => !isDeviation(each))];
  return { ...made, findings: [...errors, ...made.findings, ...notes] };
}

/** Whether a finding is about what was not approved. */
export function isDeviation({ rule, severity }: Finding): boolean {
  return rule === approvalRule.id && severity === approvalRule.severity;
}

/** Throws an Error where the approval is that of another stack. */
function deviations(
  preview: World,
  { requests, incomplete, refusals, accounts }: Rehearsal,
  approval: Approval,
  log: readonly LogLine[],
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
    return { rule, severity, urn, ...named, message: shortened(message, 1000), place: undefined };
  };
  const missing = unseen > 0 ? ["the preview leaves out unchanged resources; run it with --show-sames"] : [];
  // What is sent in another order differs in nothing else.
  const writes = [false, true].map((isInOrder) => new ApprovedWrites(approval, hiddenUrl, isInOrder));
  const rules = accounts.flatMap(({ before }) => before.ip_policy_rules ?? []);
  for (const each of writes) {
    each.resume(log);
    for (const rule of rules) each.noteRule(rule);
  }
  const done = writes[0]!.doneCount;
  const [others, disordered] = writes.map((each) => otherWrites(requests, each));
  const found = others!.size > 0 ? others! : disordered!;
  const notes = [
    ...(done === 0 ? [] : [`${counted(done, "approved write")} ${done === 1 ? "is" : "are"} done already`]),
    ...versionNote(approval),
  ];
  return [
    ...[...missing, ...incomplete].map((message) => about("", message)),
    ...refusals.map(({ urn, message }) => about(urn, `the service would refuse it: ${message}`)),
    ...[...found].map(([urn, [first, ...more]]) =>
      about(urn, more.length === 0 ? first! : `${first} (and ${counted(more.length, "other write")})`),
    ),
    ...notes.map((message): Finding => ({ ...about("", message), severity: "note" })),
  ];
}

/** The writes of each resource that were not approved; or else those that were and would not be sent. */
function otherWrites(
  requests: Rehearsal["requests"],
  approved: ApprovedWrites,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (urn: string, text: string): void => {
    const known = found.get(urn);
    if (known) known.push(text);
    else found.set(urn, [text]);
  };
  for (const { method, path, body, baseUrl, status, answer, urn } of requests) {
    if (method === "GET") continue;
    const taken = approved.take({ method, path, body, baseUrl });
    if ("refused" in taken) add(urn, taken.refused);
    else approved.answered(taken, path, status, asText(membersOf(answer).id));
  }
  const refused = new Set(found.keys());
  for (const { method, path, urn } of approved.left)
    if (!refused.has(urn)) add(urn, `${method} ${path} was approved, and the deployment would not send it`);
  return found;
}

/** The one that upgrades the package is reviewed by the version of the target branch. */
function versionNote({ version: approved }: Approval): string[] {
  if (approved === version) return [];
  return [
    `it was approved with version ${shortened(approved, 40)} of the package and is compared with ${version}`,
  ];
}
