/** The rules about who gets in between two steps of the deployment. */
import { addressesWith, policiesOf, policyMeant, reaches } from "../../access/policies";
import type { PolicyEntry, PolicyRanges } from "../../access/policies";
import { rangeList, rangesText } from "../../access/range-text";
import { recordedDependencies, keyOf, named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { AddressSet } from "../../../schema/addresses/address-set";
import { everyField } from "../../../schema/field";
import { halves } from "../../../schema/formats/cidr";
import { past } from "../../stack/preview";
import type { Action } from "../../stack/preview";
import { counted } from "../../../schema/text/phrase";
import type { ChangeRule } from "../rule";
import { deletesFirst } from "../differences";

export const orderRules: readonly ChangeRule[] = [
  {
    id: "access/before-its-rules",
    severity: "warning",
    title: "An edge gets a policy before the policy has its rules",
    help: "Declare the rules before the program's first `await`, or take the policy's id from the rule set: `ipPolicyIds: [set.ipPolicyId]`.",
    *changes({ before, after, resources }) {
      const actionOf = ({ urn }: InventoryObject): Action | undefined => resources.get(urn ?? "")?.action;
      for (const on of after.all.values()) {
        const fields = Object.entries(on.declaration.fields).filter(([, field]) =>
          everyField(field).some(({ traits }) => traits.afterContents),
        );
        if (fields.length === 0 || actionOf(on) === "same") continue;
        const names = fields.map(([name]) => name);
        const [old, next] = [
          policiesFor(before, before.all.get(keyOf(on)), names),
          policiesFor(after, on, names),
        ];
        for (const policy of next.filter(({ key }) => !old.some((each) => each.key === key))) {
          const early = dependenciesOf(after, on);
          const late = sourcesOf(policy).filter(
            (each) =>
              ["create", "update", "replace"].includes(actionOf(each) ?? "") && !early.has(keyOf(each)),
          );
          const [first, ...others] = late;
          if (first === undefined) continue;
          const more = others.length === 0 ? "" : ` and ${counted(others.length, "other resource")}`;
          const message =
            `it gets ${policy.policy ? named(policy.policy) : policy.name}, but does not wait for ` +
            `${named(first)}${more}, which the deployment has not ${past[actionOf(first)!]} by then`;
          yield { on, field: names[0]!, message, at: first.urn };
        }
      }
    },
  },
  {
    id: "access/open-for-a-moment",
    severity: "warning",
    title: "Denied addresses may be allowed for a moment",
    help: "Pulumi may take the allow rule and the deny rule inside of it in any order. Use an `IpPolicyRuleSet`, or let the allow rule depend on the deny rule (`dependsOn`).",
    *changes({ before, after, resources, semantics }) {
      if (semantics.overlap === "allow-wins") return;
      for (const [key, next] of policiesOf(after)) {
        const old = policiesOf(before).get(key);
        // Other rules report a policy that begins or ends without rules.
        if (old === undefined || old.isEmpty === true || next.isEmpty === true) continue;
        const mayComeFirst = (inventory: Inventory) => (allow: InventoryObject, deny: InventoryObject) =>
          !dependenciesOf(inventory, allow).has(keyOf(deny));
        for (const [word, found] of [
          ["created", unorderedIn(next, old, mayComeFirst(after))],
          ["deleted", unorderedIn(old, next, mayComeFirst(before))],
        ] as const) {
          for (const { allow, deny, open } of found) {
            const message =
              `${rangesText(rangeList(open))} may be allowed for a moment: ${named(allow.from)}, which allows ${allow.cidr}, ` +
              `may be ${word} ${word === "created" ? "before" : "after"} it`;
            yield { on: resources.get(deny.from.urn ?? "") ?? deny.from, message };
          }
        }
        const isAway = ({ from }: PolicyEntry): boolean => {
          const change = resources.get(from.urn ?? "");
          return change !== undefined && deletesFirst(change);
        };
        for (const { deny, open } of openedBy(next, old, isAway)) {
          const message = `${rangesText(rangeList(open))} may be allowed for a moment: it is deleted before its replacement is created`;
          yield { on: deny.from, message };
        }
      }
    },
  },
  {
    id: "interruption/no-rule-for-a-moment",
    severity: "warning",
    title: "A policy has no rule for a moment",
    help: "Each rule is deleted before its replacement is created. Keep another rule in the policy for the deployment.",
    *changes({ before, after, resources }) {
      for (const [key, old] of policiesOf(before)) {
        const next = policiesOf(after).get(key);
        const sources = sourcesOf(old);
        if (next === undefined || sources.length === 0 || sourcesOf(next).length === 0) continue;
        const leavesNone = (source: InventoryObject): boolean => {
          const subject = resources.get(source.urn ?? "");
          if (subject === undefined) return false;
          return deletesFirst(subject) || flipsAlone(entriesFrom(old, source), entriesFrom(next, source));
        };
        if (!sources.every(leavesNone)) continue;
        const name = old.policy ? named(old.policy) : old.name;
        const what = sources.length === 1 ? "its last rule is" : "its last rules are";
        const message = `${name} has no rule for a moment: ${what} deleted before the replacement is created`;
        yield { on: resources.get(sources[0]!.urn!)!, message };
      }
    },
  },
];

/** The deny rules of both ends that are away for a moment, and what allow rules of both ends let in meanwhile. */
function openedBy(
  own: PolicyRanges,
  other: PolicyRanges,
  isAway: (entry: PolicyEntry) => boolean,
): Omit<Unordered, "allow">[] {
  const denies = own.entries.filter(({ action }) => action === "deny");
  const away = denies.filter(isAway);
  if (away.length === 0) return [];
  const left = addressesWith(
    "deny",
    denies.filter((each) => !isAway(each)),
  );
  const allowed = own.allowed.intersection(other.allowed).intersection(other.denied).difference(left);
  return away.flatMap((deny) => {
    const open = allowed.intersection(addressesWith("deny", [deny]));
    return open.isEmpty() ? [] : [{ deny, open }];
  });
}

/** An allow rule and a deny rule of which the engine may take either first, and the addresses that this lets in. */
interface Unordered {
  readonly allow: PolicyEntry;
  readonly deny: PolicyEntry;
  readonly open: AddressSet;
}

/**
 * Pairs of rules that come or go together: at both ends the deny rule keeps out what the allow rule lets in, and in between it may not
 * exist. The engine creates what a resource depends on first, and deletes it last. A set orders its own rules.
 */
function unorderedIn(
  own: PolicyRanges,
  other: PolicyRanges,
  mayComeFirst: (allow: InventoryObject, deny: InventoryObject) => boolean,
): Unordered[] {
  const known = new Set(other.entries.map(entryKey));
  const [allows, denies] = (["allow", "deny"] as const).map((action) =>
    own.entries.filter((entry) => entry.action === action && !known.has(entryKey(entry))),
  ) as [PolicyEntry[], PolicyEntry[]];
  const openAtEnds = [own, other].map(({ allowed, denied }) => allowed.difference(denied));
  const settled = AddressSet.unionOf([...openAtEnds, own.denied.intersection(other.denied)]);
  const risky = addressesWith("allow", allows).difference(settled);
  return denies.flatMap((deny) => {
    if (!risky.overlaps(deny.block)) return [];
    const open = risky.intersection(addressesWith("deny", [deny]));
    const allow = allows.find(
      (each) =>
        keyOf(each.from) !== keyOf(deny.from) &&
        reaches(open, "allow", each.block) &&
        mayComeFirst(each.from, deny.from),
    );
    return allow ? [{ allow, deny, open }] : [];
  });
}

function entryKey({ action, block: { family, first, last } }: PolicyEntry): string {
  return `${action} ${family} ${first} ${last}`;
}

/** The policies that the arguments of a resource name, with their ranges. */
function policiesFor(
  inventory: Inventory,
  from: InventoryObject | undefined,
  names: readonly string[],
): PolicyRanges[] {
  if (from === undefined) return [];
  return inventory
    .references(from)
    .filter(({ argument, isOff }) => names.includes(argument) && !isOff)
    .flatMap((reference) => policyMeant(inventory, reference) ?? [])
    .flatMap(({ key }) => policiesOf(inventory).get(key) ?? []);
}

/** The resources that declare the ranges of a policy. */
function sourcesOf({ entries, possible, unknown }: PolicyRanges): InventoryObject[] {
  return [...new Set([...entries.map(({ from }) => from), ...possible.map(({ from }) => from), ...unknown])];
}

function entriesFrom({ entries }: PolicyRanges, source: InventoryObject): PolicyEntry[] {
  return entries.filter(({ from }) => keyOf(from) === keyOf(source));
}

/** Whether the only entry of a set changes what it does, and nothing can stand in for it. */
function flipsAlone(old: readonly PolicyEntry[], next: readonly PolicyEntry[]): boolean {
  const [before, after] = [old[0], next[0]];
  if (old.length !== 1 || next.length !== 1 || before === undefined || after === undefined) return false;
  const isSame = before.block.family === after.block.family && before.block.first === after.block.first;
  const isSet = after.from.declaration.setOf !== undefined;
  return isSame && before.action !== after.action && isSet && halves(after.cidr).length === 0;
}

/** The keys of what a resource depends on, also over others. */
function dependenciesOf(inventory: Inventory, from: InventoryObject): Set<string> {
  const found = new Set<string>([keyOf(from)]);
  // A Set iterates over what is added meanwhile too.
  for (const key of found) {
    for (const urn of recordedDependencies(inventory.all.get(key))) found.add(urn);
  }
  return found;
}
