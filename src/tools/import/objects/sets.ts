/** The rules of a policy with several of them, which become one set. */
import type { AccountObject } from "../../inventory/account-contents";
import { accountObject } from "../../inventory/account-contents";
import { entryKey, policyIdIn } from "../../inventory/managed";
import { declarationOf } from "../../../resources/registry";
import { compareNumbered } from "../../../schema/text/compare-texts";

const ipPolicyRule = declarationOf("IpPolicyRule");
const ipPolicyRuleSet = declarationOf("IpPolicyRuleSet");

/**
 * Puts the rules that become sets into them: those of a policy with several of them, none of which the stack manages,
 * where the set is chosen. The function does the same with a later reading, however many they are then.
 */
export function setMaker(
  objects: readonly AccountObject[],
  isManaged: (object: AccountObject) => boolean,
  isChosen: (set: AccountObject) => boolean,
): (objects: readonly AccountObject[]) => AccountObject[] {
  const found = new Set<string>();
  withSets(objects, (policy, rules) => {
    const isSet = rules.length > 1 && !rules.some(isManaged) && isChosen(setOf(policy, rules));
    if (isSet) found.add(policy);
    return isSet;
  });
  return (some) => withSets(some, (policy) => found.has(policy));
}

/** The chosen classes, and that of rules where sets are chosen. */
export function withEntries(isChosen: (type: string) => boolean): (type: string) => boolean {
  return (type) => isChosen(type) || (type === ipPolicyRule.type && isChosen(ipPolicyRuleSet.type));
}

/** The objects, with the rules of a policy as one set where `isSet` says so. */
export function withSets(
  objects: readonly AccountObject[],
  isSet: (policy: string, rules: readonly AccountObject[]) => boolean,
): AccountObject[] {
  const single = objects.filter(({ declaration }) => declaration === ipPolicyRule);
  const sets = [...Map.groupBy(single, policyIdIn)].filter(
    (group): group is [string, AccountObject[]] => group[0] !== undefined && isSet(group[0], group[1]),
  );
  const inSet = new Set(sets.flatMap(([, rules]) => rules));
  return [
    ...objects.filter((object) => !inSet.has(object)),
    ...sets.map(([policy, rules]) => setOf(policy, rules)),
  ];
}

function setOf(policy: string, rules: readonly AccountObject[]): AccountObject {
  // A list has the newest first; a set is read by people, who look for a range.
  const answers = rules
    .map((rule): [string, unknown] => [entryKey(rule), rule.answer])
    .sort(([a], [b]) => compareNumbered(a, b));
  return accountObject(ipPolicyRuleSet, policy, { rules: Object.fromEntries(answers) });
}
