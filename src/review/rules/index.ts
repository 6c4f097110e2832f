/** Every rule of the review. */
import type { Rule } from "../rule";
import { accessLost, denyRemoved, newlyAllowed, openCidr, unknownRanges } from "./access";
import { agentsOnline, noTunnels } from "./account";
import { aclAny, aclRemoved } from "./credentials";
import { unusedDestination } from "./events";
import { emailDomainsEmptied, moduleDeleted, moduleDisabled, moduleMoved } from "./guards";
import * as interruptions from "./interruptions";
import { lastRule, policyDeletedInUse, shadowedRule, unusedPolicy } from "./ip-policies";
import { plaintextSecret, endpointWithoutPolicy, expiresSoon, noOwner, principalsEmptied } from "./states";

/** The rule about the deployment as a whole. */
export const costRule = {
  id: "cost/requests",
  severity: "note",
  title: "The rate limit makes the deployment take minutes",
  help: "The deployment sends more requests than the rate limit allows in a minute (120, or the value of `--requests-per-minute`), so it waits. Allow for the time, or deploy in parts.",
} as const;

export const rules: readonly Rule[] = [
  newlyAllowed,
  denyRemoved,
  openCidr,
  unknownRanges,
  lastRule,
  policyDeletedInUse,
  moduleDisabled,
  moduleDeleted,
  moduleMoved,
  endpointWithoutPolicy,
  emailDomainsEmptied,
  principalsEmptied,
  aclRemoved,
  aclAny,
  accessLost,
  interruptions.certificateReplaced,
  interruptions.edgeReplaced,
  interruptions.edgeDeleted,
  interruptions.endpointReplaced,
  interruptions.endpointDeleted,
  interruptions.backendReplaced,
  interruptions.credentialReplaced,
  interruptions.credentialDeleted,
  agentsOnline,
  interruptions.deleteFirst,
  interruptions.botDeactivated,
  interruptions.moduleLeftProgram,
  plaintextSecret,
  expiresSoon,
  noOwner,
  unusedDestination,
  noTunnels,
  unusedPolicy,
  shadowedRule,
];

/** Every rule with its texts, in the order of the documentation. */
export const catalog = [...rules, costRule];
