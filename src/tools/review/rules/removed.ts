/** The rules about objects that are deleted while others refer to them by a plain id, and about those that stay. */
import { entriesOf, canonicalEntry } from "../../access/policies";
import { keyOf, named } from "../../inventory/inventory";
import type { InventoryObject, Reference } from "../../inventory/inventory";
import { policyIdIn } from "../../inventory/managed";
import { declaresRules, isSummarized } from "../../../schema/rule-set";
import { counted, most3, firstOf } from "../../../schema/text/phrase";
import type { ChangeRule, Context, Found } from "../rule";

const reasons = {
  retainOnDelete: "its resource option retainOnDelete is set",
  deletedWith:
    "its resource option deletedWith names a resource that goes too, and nobody asks the service to delete it",
  get: "the program only reads it from now on",
} as const;

export const removedRules: readonly ChangeRule[] = [
  {
    id: "access/policy-deleted-in-use",
    severity: "error",
    title: "A policy that others refer to is deleted",
    help: "The objects that refer to it behave as if it had zero rules. Use the `id` of the resource, which Pulumi sees as a dependency. With `--stack` also objects outside of the stack count: change those first.",
    needsAll: true,
    *changes(context) {
      for (const { on, what, users } of deletedInUse(context)) {
        const restricted = users.filter((user) => restricts(on, user));
        if (restricted.length === 0) continue;
        const message = `${what}, while ${namesOf(restricted)} still refer to it: they behave as if it has zero rules`;
        yield { on, message };
      }
    },
  },
  {
    id: "interruption/deleted-in-use",
    severity: "error",
    title: "An object that others refer to is deleted",
    help: "The service may refuse that, or leave the reference without a target. As `access/policy-deleted-in-use`.",
    needsAll: true,
    *changes(context) {
      for (const { on, what, users } of deletedInUse(context)) {
        const others = users.filter((user) => !restricts(on, user));
        if (others.length === 0) continue;
        const message = `${what}, while ${namesOf(others)} still ${others.length === 1 ? "refers" : "refer"} to it by its id`;
        yield { on, message };
      }
    },
  },
  {
    id: "access/kept",
    severity: "warning",
    title: "An object leaves the stack and stays in the account",
    help: "Because of `retainOnDelete`, `deletedWith` or `get` a rule still allows its ranges, or a key is still valid. To delete it, remove that, deploy, and then remove the resource.",
    *changes({ retained, resources }) {
      for (const { old, by } of retained)
        yield { on: old, message: `it stays in the account${effectOf(old)}: ${reasons[by]}` };
      for (const { before: old, after } of resources.values())
        if (old?.record.external === false && after?.record.external && old.id === after.id)
          yield { on: old, message: `it stays in the account${effectOf(old)}: ${reasons.get}` };
    },
  },
  {
    id: "hygiene/rule-of-set",
    severity: "note",
    title: "A rule leaves the stack, and a rule set holds its range",
    help: "Only the state changes. With another provider than the set, or another form of it, the rule is deleted (a warning): run `pulumi up` once with `retainOnDelete: true` on the rule before you remove it.",
    *changes({ before, after, resources, steps }) {
      const providers = new Map(steps.map(({ urn, provider }) => [urn, provider]));
      const gone = before
        .ofType("IpPolicyRule")
        .filter((each) => resources.get(keyOf(each))?.action === "delete");
      const byPolicy = Map.groupBy(gone, policyIdIn);
      for (const set of after.ofType("IpPolicyRuleSet")) {
        const rules = byPolicy.get(policyIdIn(set)) ?? [];
        // The rules of a summarized set have other ranges than its entries.
        if (rules.length === 0 || policyIdIn(set) === undefined || isSummarized(set.outputs)) continue;
        const held = new Set(rangesOf(set));
        const own = rules.filter((rule) => rangesOf(rule).every((range) => held.has(range)));
        const provider = providers.get(keyOf(set));
        for (const [other, all] of Map.groupBy(own, (rule) => providers.get(keyOf(rule)))) {
          const what = counted(all.length, all[0]!.declaration.noun, all[0]!.declaration.plural);
          const ranges = firstOf(all.flatMap(rangesOf), most3);
          if (other === provider)
            yield { on: set, message: `it keeps ${what} that the preview shows as deleted: ${ranges}` };
          else {
            const message = `${what} with another provider than the set will be deleted, although the set declares the range: ${ranges}`;
            yield { on: set, message, severity: "warning" };
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

interface DeletedInUse {
  readonly on: InventoryObject & Found["on"];
  readonly what: string;
  readonly users: readonly Reference[];
}

/** The objects that the deployment deletes though references to their ids stay, in the program or in the account. */
function* deletedInUse({ before, after, account }: Context): Iterable<DeletedInUse> {
  for (const on of before.all.values()) {
    const next = after.all.get(keyOf(on));
    if (on.declaration.style !== "collection" || on.id === undefined || next?.id === on.id) continue;
    const outside = account?.outside.filter(({ id }) => id === on.id) ?? [];
    const users = [...after.dangling(on.id, on.provider), ...outside];
    if (users.length === 0) continue;
    yield { on, what: next ? "replaced, and the old one deleted" : "deleted", users };
  }
}

/** Whether the reference is that of an object whose access the deleted policy decides. */
function restricts({ declaration }: InventoryObject, { from }: Reference): boolean {
  return declaration.type === "IpPolicy" && !declaresRules(from.declaration);
}

function namesOf(users: readonly Reference[]): string {
  const name = (from: InventoryObject): string =>
    from.urn === undefined ? `${named(from)} (${from.id}, not in the stack)` : named(from);
  return [...new Set(users.map(({ from }) => name(from)))].join(", ");
}

/** What a rule or set does from then on. */
function effectOf(old: InventoryObject): string {
  const entries = entriesOf(old);
  const ranges = entries.flatMap((entry) => ("cidr" in entry ? [`${entry.action}s ${entry.cidr}`] : []));
  return ranges.length === 0 ? "" : ` and ${firstOf(ranges, most3)}`;
}
