import { z } from "zod";
import { mustExist, ref } from "../context";
import { membersSet, refId } from "../copied";
import { parseCidr } from "../http/cidr";
import { IP_POLICIES, IP_POLICY_RULES } from "../paths";
import { cidr, described, id } from "../http/validation";
import { collection } from "./collection";

export const ipPolicyRules = collection({
  path: IP_POLICY_RULES,
  prefix: "ipr_",
  listKey: "ip_policy_rules",
  noun: "IP policy rule",
  create: z.strictObject({ ...described, cidr, ip_policy_id: id("ipp_"), action: z.enum(["allow", "deny"]) }),
  update: z.strictObject({ ...described, cidr: cidr.optional() }),
  build: (input, context) => {
    mustExist(context, IP_POLICIES, input.ip_policy_id, "ip_policy_id", "IP policy");
    return input;
  },
  response: (fields, context) => ({
    cidr: context.normalise ? canonical(fields.cidr) : fields.cidr,
    ip_policy: ref(context, IP_POLICIES, fields.ip_policy_id),
    action: fields.action,
  }),
  copied: (answer) => {
    const { ip_policy, ...members } = membersSet(answer);
    return { ...members, ip_policy_id: refId(ip_policy) };
  },
  // A CIDR is unique in a policy, for both actions.
  unique: ({ ip_policy_id, cidr }) => {
    const range = ip_policy_id.startsWith("ipp_") ? parseCidr(cidr) : "";
    return { cidr: typeof range === "string" ? undefined : `${ip_policy_id} ${range.canonical}` };
  },
  refs: (fields) => [fields.ip_policy_id],
});

function canonical(text: string): string {
  const parsed = parseCidr(text);
  return typeof parsed === "string" ? text : parsed.canonical;
}
