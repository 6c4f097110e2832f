/** Every rule of the review. */
import type { Rule } from "../rule";
import { aclAny, aclRemoved } from "./credentials";
import { unusedDestination } from "./events";
import { emailDomainsEmptied, moduleDeleted, moduleDisabled, moduleMoved } from "./guards";
import * as interruptions from "./interruptions";
import { denyRemoved, lastRule, policyDeletedInUse, shadowedRule, unusedPolicy } from "./ip-policies";
import { clearSecret, endpointWithoutPolicy, endsSoon, noOwner, openCidr, principalsEmptied } from "./states";

/** What is known of the deployment as a whole is told beside the resources. */
export const costRule = {
  id: "cost/requests",
  severity: "note",
  title: "The rate limit makes the deployment take minutes",
  help: "The deployment sends more requests than the service takes in a minute (120 unless `--requests-per-minute` says otherwise), so it waits. Plan for it, or deploy in parts.",
} as const;

export const rules: readonly Rule[] = [
  denyRemoved,
  openCidr,
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
  interruptions.certificateReplaced,
  interruptions.edgeReplaced,
  interruptions.edgeDeleted,
  interruptions.endpointReplaced,
  interruptions.endpointDeleted,
  interruptions.backendReplaced,
  interruptions.credentialReplaced,
  interruptions.credentialDeleted,
  interruptions.deleteFirst,
  interruptions.botDeactivated,
  interruptions.moduleLeftProgram,
  clearSecret,
  endsSoon,
  noOwner,
  unusedDestination,
  unusedPolicy,
  shadowedRule,
];

/** Every rule id with what is said of it, in the order of the documentation. */
export const catalog = [...rules, costRule];
