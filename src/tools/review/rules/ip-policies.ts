/** The rules about IP policies and their rules. */
import { unguardedIn } from "../../access/open-gates";
import { canonicalEntry, policiesOf, shadowsIn } from "../../access/policies";
import type { Shadow } from "../../access/policies";
import { logUse, unusedEntries } from "../../access/usage";
import { declaresRules } from "../../../schema/rule-set";
import { firstLines, listText } from "../../../schema/text/phrase";
import { named } from "../../inventory/inventory";
import type { Rule } from "../rule";
import { objects } from "./each";

export const policyRules: readonly Rule[] = [
  {
    id: "access/last-rule",
    severity: "error",
    title: "A policy loses its last rule",
    help: "A policy without rules neither allows nor denies any address.",
    needsAll: true,
    *changes(find, { before, after, semantics }) {
      const old = policiesOf(before);
      const open = new Set(unguardedIn(after, semantics, Infinity).map(({ on }) => on));
      for (const { key, policy, entries, unknown } of policiesOf(after).values()) {
        const rules = old.get(key)?.entries.length ?? 0;
        if (!policy || rules === 0 || entries.length + unknown.length > 0) continue;
        if (after.referrers(policy).some(({ from }) => open.has(from))) continue;
        const lost = rules === 1 ? "its only rule is" : `all of its ${rules} rules are`;
        yield find(policy, `${lost} deleted: the objects that use it have zero rules`);
      }
    },
  },
  {
    id: "hygiene/unused-policy",
    severity: "note",
    title: "A policy that nothing uses",
    help: "If an object outside the program uses it, silence this rule for the policy.",
    needsAll: true,
    states: objects(["IpPolicy"], (policy, inventory) => {
      const isUsed = inventory.referrers(policy).some(({ from }) => !declaresRules(from.declaration));
      const isRead = policy.record?.external === true;
      return isUsed || isRead ? undefined : "nothing in this program uses it";
    }),
  },
  {
    id: "hygiene/unused-rule",
    severity: "note",
    title: "A rule that no client of the log used",
    help: "Only with `--clients` ([what counts](access.md#unused-rules)). Remove it, if the log covers enough time and all clients.",
    needsAll: true,
    timely: true,
    *states(find, inventory, { before, logs, semantics }) {
      // The log is older than the rules that this deployment adds.
      if (!logs || inventory === before) return;
      const old = new Map(
        [...policiesOf(before)].map(([key, { entries }]) => [key, new Set(entries.map(canonicalEntry))]),
      );
      const unused = unusedEntries(logUse(inventory, logs, semantics));
      const standing = unused.filter(({ policy: { key }, entry }) =>
        old.get(key)?.has(canonicalEntry(entry)),
      );
      for (const [on, all] of Map.groupBy(standing, ({ entry }) => entry.from)) {
        const { entry, at } = all[0]!;
        const elsewhere = listText(
          at.map((place) => named(place.on)),
          "place",
        );
        const sentence = `no client of the log used ${canonicalEntry(entry)} at ${elsewhere}`;
        yield find(on, firstLines([sentence], 1, "range", all.length).join("; "), { field: "cidr" });
      }
    },
  },
  {
    id: "hygiene/shadowed-rule",
    severity: "note",
    title: "A rule that another rule of its policy covers",
    help: "The rule has no effect. Remove it, or check its action.",
    needsAll: true,
    *states(find, inventory) {
      for (const policy of policiesOf(inventory).values()) {
        for (const [on, group] of Map.groupBy(shadowsIn(policy), ({ inner }) => inner.from))
          yield find(on, firstLines(group.map(shadowText), 1, "range").join("; "), { field: "cidr" });
      }
    },
  },
];

/** Why a range has no effect. */
function shadowText({ inner, outer, isSameRange }: Shadow): string {
  const origin = outer.from === inner.from ? "" : ` of ${named(outer.from)}`;
  if (isSameRange) return `${inner.cidr} repeats the range${origin}`;
  return `${inner.cidr} is inside ${outer.cidr}${origin}, with the same action`;
}
