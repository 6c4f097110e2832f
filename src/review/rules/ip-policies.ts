/** The rules about IP policies and their rules. */
import { nested } from "../../access/block";
import { unguardedIn } from "../../access/guarding";
import type { PolicyEntry } from "../../access/policies";
import { declaresRanges, policiesOf } from "../../access/policies";
import { counted } from "../../text/phrase";
import { named } from "../../inventory/inventory";
import type { Rule } from "../rule";
import { objects } from "./each";

export const policyRules: readonly Rule[] = [
  {
    id: "access/last-rule",
    severity: "error",
    title: "A policy loses its last rule",
    help: "A policy without rules neither allows nor denies any address. Whatever refers to it has zero rules. The rule `access/unguarded` reports edges and modules whose policies have no rules at all.",
    needsAll: true,
    *changes({ before, after, semantics }) {
      const old = policiesOf(before);
      const open = new Set(unguardedIn(after, semantics).map(({ on }) => on));
      for (const { key, policy, entries, unknown } of policiesOf(after).values()) {
        const rules = old.get(key)?.entries.length ?? 0;
        if (!policy || rules === 0 || entries.length + unknown.length > 0) continue;
        if (after.referrers(policy).some(({ from }) => open.has(from))) continue;
        const lost = rules === 1 ? "its only rule is" : `all of its ${rules} rules are`;
        yield { on: policy, message: `${lost} deleted: whatever refers to it has zero rules` };
      }
    },
  },
  {
    id: "hygiene/unused-policy",
    severity: "note",
    title: "A policy that nothing uses",
    help: "Nothing in this program refers to the policy, and a policy has no effect on traffic by itself (specification, States and transitions). If an object outside of the program uses it, silence this rule for the policy.",
    needsAll: true,
    states: objects(["IpPolicy"], (policy, inventory) => {
      const isUsed = inventory.referrers(policy).some(({ from }) => !declaresRanges(from));
      const isRead = policy.state?.external === true;
      return isUsed || isRead ? undefined : "nothing in this program uses it";
    }),
  },
  {
    id: "hygiene/shadowed-rule",
    severity: "note",
    title: "A rule that another rule of its policy covers",
    help: "The narrowest range around it in the same policy has the same action, or another rule has the same range: the rule has no effect. Remove it, or check its action.",
    needsAll: true,
    *states(inventory) {
      for (const { entries } of policiesOf(inventory).values()) {
        const shadows = nested(entries, ({ block }) => block).flatMap(({ inner, outer }) => {
          const message = shadow(inner, outer);
          return message === undefined ? [] : [{ on: inner.from, message }];
        });
        for (const [on, group] of Map.groupBy(shadows, (each) => each.on)) {
          const more = group.length === 1 ? "" : `; and ${counted(group.length - 1, "more range")}`;
          yield { on, field: "cidr", message: group[0]!.message + more };
        }
      }
    },
  },
];

/** Why a range has no effect; undefined for an exception to the range around it. */
function shadow(inner: PolicyEntry, outer: PolicyEntry): string | undefined {
  const isSame = inner.block.first === outer.block.first && inner.block.last === outer.block.last;
  const place = outer.from === inner.from ? "" : ` of ${named(outer.from)}`;
  if (isSame) return `${inner.cidr} repeats the range${place}`;
  return inner.action === outer.action
    ? `${inner.cidr} is inside of ${outer.cidr}${place}, with the same action`
    : undefined;
}
