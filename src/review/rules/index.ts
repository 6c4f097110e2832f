/** Every rule of the review. */
import type { Rule } from "../rule";
import { accessLost, allowedForLonger, denyRemoved, newlyAllowed, openCidr, unknownRanges } from "./access";
import { testFailed } from "./access-tests";
import { agentsOnline, noTunnels } from "./account";
import { baseUrlChanged } from "./base-url";
import { failoverEmptied, weightsZero } from "./backends";
import { principalsWidened, validityExtended } from "./certificates";
import { aclAny, aclRemoved, aclWidened, newActor } from "./credentials";
import { bindingPublic, trafficPolicyChanged, trafficPolicyEmptied } from "./endpoints";
import { subscriptionEmptied, unusedDestination } from "./events";
import { moduleDeleted, moduleMoved, onlyDenied, openInBetween, unguardedPlace } from "./guards";
import { policyDeletedInUse, referredDeleted } from "./in-use";
import { botDeactivated, deleteFirst, lossRules, moduleLeftProgram } from "./interruptions";
import { hiddenFields, unknownFields } from "./hidden";
import { foreignCode, identityUnclear } from "./identity";
import { keptInAccount } from "./kept";
import { beforeItsRules, noRuleForAMoment } from "./order";
import { emailDomainsEmptied } from "./sign-in";
import { whereDataGoes, whereTrafficGoes, whoGetsIn, whoMayAct, whoSignsIn } from "./meanings";
import { accessEnds } from "./ends";
import { lastRule, shadowedRule, unusedPolicy } from "./ip-policies";
import { keyRotates } from "./rotations";
import { plaintextSecret, expiresSoon, noOwner, principalsEmptied } from "./states";

/** The rule about the deployment as a whole. */
export const costRule = {
  id: "cost/requests",
  severity: "note",
  title: "The rate limit makes the deployment take minutes",
  help: "The deployment sends more requests than the rate limit allows in a minute (120, or the value of `--requests-per-minute`), so it waits. Allow for the time, or deploy in parts.",
} as const;

/** The rule about a deployment that was approved. */
export const approvalRule = {
  id: "approval/changed",
  severity: "error",
  title: "The deployment is not what was approved",
  help: "With `--approved`: a step or a registration of any package, a value, the order of steps, who gets in, or drift differs from what was approved, or a value that decides access was not known then. The review fails with it whatever `--fail-on` says, and no silence accepts it. Review and approve the change anew. Completed steps of an interrupted deployment are notes. Secret values cannot be compared; the approval names their arguments (`notCompared`). See [approvals](access.md#approvals).",
} as const;

export const rules: readonly Rule[] = [
  testFailed,
  newlyAllowed,
  denyRemoved,
  allowedForLonger,
  accessEnds,
  keyRotates,
  openCidr,
  identityUnclear,
  foreignCode,
  baseUrlChanged,
  hiddenFields,
  unknownFields,
  unknownRanges,
  beforeItsRules,
  lastRule,
  policyDeletedInUse,
  referredDeleted,
  unguardedPlace,
  onlyDenied,
  moduleDeleted,
  moduleMoved,
  openInBetween,
  keptInAccount,
  trafficPolicyEmptied,
  trafficPolicyChanged,
  bindingPublic,
  emailDomainsEmptied,
  whoGetsIn,
  whoSignsIn,
  whoMayAct,
  newActor,
  principalsEmptied,
  principalsWidened,
  validityExtended,
  aclRemoved,
  aclAny,
  aclWidened,
  whereDataGoes,
  whereTrafficGoes,
  accessLost,
  ...lossRules,
  agentsOnline,
  deleteFirst,
  noRuleForAMoment,
  botDeactivated,
  moduleLeftProgram,
  weightsZero,
  failoverEmptied,
  subscriptionEmptied,
  plaintextSecret,
  expiresSoon,
  noOwner,
  unusedDestination,
  noTunnels,
  unusedPolicy,
  shadowedRule,
];

/** Every rule with its texts, in the order of the documentation. */
export const catalog = [...rules, costRule, approvalRule];
