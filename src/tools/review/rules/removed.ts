/** The rules about objects that are deleted while others refer to them by a plain id, and about those that stay. */
import { entriesOf, canonicalEntry } from "../../access/policies";
import { keyOf, named } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import { policyIdIn } from "../../inventory/managed";
import { declaresRules, isSummarized } from "../../../schema/rule-set";
import { counted, most3, firstOf } from "../../../schema/text/phrase";
import type { ChangeRule, Context } from "../rule";

const reasons = {
  retainOnDelete: "its resource option retainOnDelete is set",
  deletedWith:
    "Pulumi does not delete it, because its resource option deletedWith names a resource that leaves the stack too",
  get: "the program only reads it from now on",
} as const;

export const removedRules: readonly ChangeRule[] = [
  {
    id: "access/policy-deleted-in-use",
    severity: "error",
    title: "A policy that others refer to is deleted",
    help: "The objects that refer to it behave as if it had zero rules. Use the `id` of the resource, which Pulumi sees as a dependency. With `--stack`, objects outside the stack count too: change those first.",
    needsAll: true,
    *changes(find, context) {
      for (const { on, text } of deletedInUse(context, true))
        yield find(on, `${text}: it counts as a policy with zero rules`);
    },
  },
  {
    id: "interruption/deleted-in-use",
    severity: "error",
    title: "An object that others refer to is deleted",
    help: "The service may refuse that, or leave the reference without a target. See `access/policy-deleted-in-use`.",
    needsAll: true,
    *changes(find, context) {
      for (const { on, text } of deletedInUse(context, false)) yield find(on, `${text} by its id`);
    },
  },
  {
    id: "access/kept",
    severity: "warning",
    title: "An object leaves the stack and stays in the account",
    help: "Because of `retainOnDelete`, `deletedWith` or `get` a rule still allows its ranges, or a key is still valid. To delete it, remove the option, deploy, and then remove the resource.",
    *changes(find, { retained, resources }) {
      for (const { old, by } of retained)
        yield find(old, `it stays in the account${effectOf(old)}: ${reasons[by]}`);
      for (const { before: old, after } of resources.values())
        if (old?.record.external === false && after?.record.external && old.id === after.id)
          yield find(old, `it stays in the account${effectOf(old)}: ${reasons.get}`);
    },
  },
  {
    id: "hygiene/rule-of-set",
    severity: "note",
    title: "A rule leaves the stack, and a rule set has its range",
    help: "Only the state changes. With another provider than the set, or another form of it, the rule is deleted (a warning): run `pulumi up` once with `retainOnDelete: true` on the rule before you remove it.",
    *changes(find, { before, after, resources }) {
      const gone = before
        .ofType("IpPolicyRule")
        .filter((each) => resources.get(keyOf(each))?.action === "delete");
      const byPolicy = Map.groupBy(gone, policyIdIn);
      for (const set of after.ofType("IpPolicyRuleSet")) {
        const rules = byPolicy.get(policyIdIn(set)) ?? [];
        // The rules of a summarized set have other ranges than its entries.
        if (rules.length === 0 || policyIdIn(set) === undefined || isSummarized(set.values)) continue;
        const held = new Set(rangesOf(set));
        const own = rules.filter((rule) => rangesOf(rule).every((range) => held.has(range)));
        for (const [provider, all] of Map.groupBy(own, ({ record }) => record?.anyProvider)) {
          const what = counted(all.length, all[0]!.declaration.noun, all[0]!.declaration.plural);
          const ranges = firstOf(all.flatMap(rangesOf), most3);
          if (provider === set.record?.anyProvider)
            yield find(set, `it keeps ${what} that the preview shows as deleted: ${ranges}`);
          else {
            const message = `${what} with another provider than the set will be deleted, although the set declares the range: ${ranges}`;
            yield find(set, message, { severity: "warning" });
          }
        }
      }
    },
  },
];

/** The ranges that a rule or set declares, with their actions. */
function rangesOf(object: InventoryObject): string[] {
  return entriesOf(object).flatMap(({ action, block }) =>
    action && block ? [canonicalEntry({ action, block })] : [],
  );
}

/** The objects that are deleted while references to them stay, in the program or in the account: policies at gates, or others. */
function* deletedInUse({ before, after, account }: Context, areGuards: boolean) {
  for (const on of before.all.values()) {
    const next = after.all.get(keyOf(on));
    if (on.declaration.style !== "collection" || on.id === undefined || next?.id === on.id) continue;
    const outside = account?.outside.filter(({ id }) => id === on.id) ?? [];
    const users = [...after.dangling(on.id, on.provider), ...outside].filter(
      ({ from }) => areGuards === (on.declaration.type === "IpPolicy" && !declaresRules(from.declaration)),
    );
    if (users.length === 0) continue;
    const names = new Set(users.map(({ from }) => userText(from)));
    const what = next ? "replaced, and the old one deleted" : "deleted";
    yield {
      on,
      text: `${what}, while ${[...names].join(", ")} still ${names.size === 1 ? "refers" : "refer"} to it`,
    };
  }
}

function userText(user: InventoryObject): string {
  return user.urn === undefined ? `${named(user)} (${user.id}, not in the stack)` : named(user);
}

/** What a rule or set that stays in the account still does. */
function effectOf(old: InventoryObject): string {
  const entries = entriesOf(old);
  const ranges = entries.flatMap((entry) =>
    "cidr" in entry ? [`${entry.action === "deny" ? "denies" : "allows"} ${entry.cidr}`] : [],
  );
  return ranges.length === 0 ? "" : ` and ${firstOf(ranges, most3)}`;
}
