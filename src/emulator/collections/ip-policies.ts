import { z } from "zod";
import { IP_POLICIES, IP_POLICY_RULES } from "../paths";
import { described } from "../wire";
import { collection } from "./collection";

export const ipPolicies = collection({
  path: IP_POLICIES,
  prefix: "ipp_",
  listKey: "ip_policies",
  noun: "IP policy",
  create: z.strictObject(described),
  update: z.strictObject(described),
  refusesEmptyUpdate: true,
  build: (input) => input,
  answer: () => ({}),
  // States and transitions: always allowed; what else refers to it keeps its Ref and has zero rules.
  beforeDelete: ({ store }, policy) => {
    for (const [id, kind] of store.referrersOf(policy.id))
      if (kind === IP_POLICY_RULES) store.delete(kind, id);
  },
});
