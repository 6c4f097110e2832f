import { z } from "zod";
import { IP_POLICIES, IP_POLICY_RULES } from "../paths";
import { described } from "../http/validation";
import { collection } from "./collection";

export const ipPolicies = collection({
  path: IP_POLICIES,
  prefix: "ipp_",
  listKey: "ip_policies",
  noun: "IP policy",
  create: z.strictObject(described),
  update: z.strictObject(described),
  response: () => ({}),
  // States and transitions: always allowed. Other objects keep their reference to the policy, which has zero rules.
  beforeDelete: ({ store }, policy) => {
    for (const [id, kind] of store.referrersOf(policy.id))
      if (kind === IP_POLICY_RULES) store.delete(kind, id);
  },
});
