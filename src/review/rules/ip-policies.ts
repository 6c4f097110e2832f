/** The rules about IP policies and their rules. */
import { nested } from "../../access/block";
import type { PolicyEntry } from "../../access/policies";
import { declaresRanges, policiesOf } from "../../access/policies";
import { counted } from "../../text/phrase";
import { keyOf, named } from "../../inventory/inventory";
import type { ChangeRule, StateRule } from "../rule";

export const lastRule: ChangeRule = {
  id: "access/last-rule",
  severity: "error",
  title: "A policy loses its last rule",
  help: "A policy without rules neither allows nor denies any address. Whatever refers to it has zero rules.",
  needsAll: true,
  *changes({ before, after }) {
    const old = policiesOf(before);
    for (const { key, policy, entries, unknown } of policiesOf(after).values()) {
      const rules = old.get(key)?.entries.length ?? 0;
      if (!policy || rules === 0 || entries.length + unknown.length > 0) continue;
      const lost = rules === 1 ? "its only rule is" : `all of its ${rules} rules are`;
      yield { on: policy, message: `${lost} deleted: whatever refers to it has zero rules` };
    }
  },
};

export const policyDeletedInUse: ChangeRule = {
  id: "access/policy-deleted-in-use",
  severity: "error",
  title: "A policy that others refer to is deleted",
  help: "The service deletes a policy that is in use, and the objects that refer to it behave as if it had zero rules (specification, States and transitions). The reference is a plain id, which Pulumi does not see as a dependency: use the `id` of the resource.",
  needsAll: true,
  *changes({ before, after }) {
    for (const policy of before.ofType("IpPolicy")) {
      const next = after.all.get(keyOf(policy));
      if (policy.id === undefined || next?.id === policy.id) continue;
      const users = after.dangling(policy.id, policy.provider).filter(({ from }) => !declaresRanges(from));
      if (users.length === 0) continue;
      const names = [...new Set(users.map(({ from }) => named(from)))].join(", ");
      const what = next ? "replaced, and the old one deleted" : "deleted";
      const message = `${what}, while ${names} still refer to it: they behave as if it has zero rules`;
      yield { on: policy, message };
    }
  },
};

export const unusedPolicy: StateRule = {
  id: "hygiene/unused-policy",
  severity: "note",
  title: "A policy that nothing uses",
  help: "Nothing in this program refers to the policy, and a policy has no effect on traffic by itself (specification, States and transitions). If an object outside of the program uses it, silence this rule for the policy.",
  needsAll: true,
  *states(inventory) {
    for (const policy of inventory.ofType("IpPolicy")) {
      const users = inventory.referrers(policy).filter(({ from }) => !declaresRanges(from));
      if (users.length === 0) yield { on: policy, message: "nothing in this program uses it" };
    }
  },
};

export const shadowedRule: StateRule = {
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
};

/** Why a range has no effect; undefined for an exception to the range around it. */
function shadow(inner: PolicyEntry, outer: PolicyEntry): string | undefined {
  const isSame = inner.block.first === outer.block.first && inner.block.last === outer.block.last;
  const place = outer.from === inner.from ? "" : ` of ${named(outer.from)}`;
  if (isSame) return `${inner.cidr} repeats the range${place}`;
  return inner.action === outer.action
    ? `${inner.cidr} is inside of ${outer.cidr}${place}, with the same action`
    : undefined;
}
