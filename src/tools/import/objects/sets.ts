/** Combines the rules of a policy with several rules into one set. */
import type { AccountObject } from "../../inventory/account-contents";
import { accountObject } from "../../inventory/account-contents";
import { entryKey, policyIdIn } from "../../inventory/managed";
import { declarationOf } from "../../../resources/registry";
import { compareNumbered } from "../../../schema/text/compare-texts";

const ipPolicyRule = declarationOf("IpPolicyRule");
const ipPolicyRuleSet = declarationOf("IpPolicyRuleSet");

/**
 * Combines rules into sets: the rules of a policy with several of them, if the set is selected and the stack manages none of the
 * rules. The returned function does the same with a later reading, whatever the number of rules then.
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

/** The selected classes, and the class of rules if sets are selected. */
export function withEntries(isChosen: (type: string) => boolean): (type: string) => boolean {
  return (type) => isChosen(type) || (type === ipPolicyRule.type && isChosen(ipPolicyRuleSet.type));
}

/** The objects, with the rules of a policy as one set if `isSet` is true. */
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
  // A list has the newest rule first; a set is sorted by range for human readers.
  const answers = rules
    .map((rule): [string, unknown] => [entryKey(rule), rule.answer])
    .sort(([a], [b]) => compareNumbered(a, b));
  return accountObject(ipPolicyRuleSet, policy, { rules: Object.fromEntries(answers) });
}
