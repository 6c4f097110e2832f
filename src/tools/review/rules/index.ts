/** Every rule of the review. */
import type { Rule } from "../rule";
import { accessRules, keptAccessLost } from "./access";
import { testFailed } from "./failed-tests";
import { accountRules } from "./account";
import { baseUrlRules } from "./base-url";
import { certificateRules } from "./certificates";
import { credentialRules } from "./credentials";
import { endRules } from "./ends";
import { endpointRules } from "./endpoints";
import { eventRules } from "./events";
import { gateRules } from "./gate-rules";
import { hiddenRules } from "./hidden";
import { identityRules } from "./identity";
import { interruptionRules } from "./interruptions";
import { policyRules } from "./ip-policies";
import { meaningRules } from "./meanings";
import { orderRules } from "./order";
import { runRules } from "./run";
import { removedRules } from "./removed";
import { signInRules } from "./sign-in";
import { stateRules } from "./states";

/** The rule about the deployment as a whole. */
export const costRule = {
  id: "cost/requests",
  severity: "note",
  title: "The rate limit makes the deployment take minutes",
  help: "It sends more requests than the rate limit allows in a minute (120, or `--requests-per-minute`). Allow for the time, or deploy in parts.",
} as const;

/** The rule about a deployment that was approved. */
export const approvalRule = {
  id: "approval/changed",
  severity: "error",
  title: "The deployment is not what was approved",
  help: "The deployment sends a write that was not approved, or lacks one that was. No `--fail-on` and no silence accepts it. Review and approve the change again. See [approvals](approvals.md).",
} as const;

/** The groups in the order of the documentation. */
const groups = ["access", "flow", "interruption", "hygiene"];

/** The rules by their groups, in each in the order of the files. */
export const rules: readonly Rule[] = [
  testFailed,
  keptAccessLost,
  ...accessRules,
  ...endRules,
  ...identityRules,
  ...baseUrlRules,
  ...hiddenRules,
  ...orderRules,
  ...policyRules,
  ...removedRules,
  ...gateRules,
  ...endpointRules,
  ...signInRules,
  ...meaningRules,
  ...credentialRules,
  ...certificateRules,
  ...interruptionRules,
  ...runRules,
  ...accountRules,
  ...stateRules,
  ...eventRules,
].toSorted((a, b) => groupOf(a) - groupOf(b));

function groupOf({ id }: Rule): number {
  return groups.indexOf(id.split("/")[0]!);
}

/** Every rule with its texts, in the order of the documentation. */
export const catalog = [...rules, costRule, approvalRule];
