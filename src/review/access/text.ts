/** The texts about access of findings. */
import { isSingular, listText, rangesText } from "../../access/range-text";
import { past } from "../../stack/preview";
import type { AccessCause, AccessDifference } from "./report";

/** "198.51.0.0/16 (65,536 addresses) is newly allowed by IpPolicy "vpn" (added)". */
export function differenceSentence(difference: AccessDifference, isAboutPolicy = false): string {
  const { kind, causes } = difference;
  const verb = isSingular(difference) ? "is" : "are";
  const names = causesText(causes, isAboutPolicy);
  return `${rangesText(difference)} ${verb} ${kind}${names === "" ? "" : ` by ${names}`}`;
}

const changes: Readonly<Record<AccessCause["change"], string>> = {
  ...past,
  add: "added",
  remove: "removed",
};

/** `IpPolicy "office" (IpPolicyRule "lan" updated)`; without the policy if the sentence is about it. */
function causesText(causes: readonly AccessCause[], isAboutPolicy: boolean): string {
  const byPolicy = Map.groupBy(causes, ({ policy: { urn, name } }) =>
    urn === undefined ? `IP policy ${name}` : `IpPolicy ${JSON.stringify(name)}`,
  );
  const texts = [...byPolicy].map(([policy, group]) => {
    const whats = group.map(
      ({ rule, change }) => `${rule ? `${rule.type} ${JSON.stringify(rule.name)} ` : ""}${changes[change]}`,
    );
    const text = listText(whats, "rule");
    return isAboutPolicy ? text : `${policy} (${text})`;
  });
  return listText(texts, "policy");
}
