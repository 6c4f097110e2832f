/** The rules about who gets in between two steps of the deployment. */
import { addressesWith, policiesOf, policyMeant, reaches, canonicalEntry } from "../../access/policies";
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
import { oncePer } from "../../../schema/once-per";
import type { World } from "../../inventory/world";

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
        for (const { deny, open, because } of [
          ...unorderedIn(next, old, after, "may be created before it"),
          ...unorderedIn(old, next, before, "may be deleted after it"),
          ...replacedIn(next, old, resources),
        ]) {
          const message = `${rangesText(rangeList(open))} may be allowed for a moment: ${because}`;
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

/** A deny rule that is not there for a moment, and the addresses that are allowed meanwhile. */
interface Opened {
  readonly deny: PolicyEntry;
  readonly open: AddressSet;
  /** A clause. */
  readonly because: string;
}

/** The deny rules of both ends that are deleted before their replacements are created. */
function replacedIn(own: PolicyRanges, other: PolicyRanges, resources: World["resources"]): Opened[] {
  const isReplaced = ({ from }: PolicyEntry): boolean => {
    const change = resources.get(from.urn ?? "");
    return change !== undefined && deletesFirst(change);
  };
  const denies = own.entries.filter(({ action }) => action === "deny");
  const { true: replaced = [], false: left = [] } = Object.groupBy(denies, (each) => `${isReplaced(each)}`);
  if (replaced.length === 0) return [];
  const staying = addressesWith("deny", left);
  const allowed = own.allowed.intersection(other.allowed).intersection(other.denied).difference(staying);
  return replaced.flatMap((deny) => {
    const open = allowed.intersection(addressesWith("deny", [deny]));
    return open.isEmpty() ? [] : [{ deny, open, because: "it is deleted before its replacement is created" }];
  });
}

/**
 * The deny rules that come or go together with an allow rule around them: at both ends they keep out what it lets in, and in between
 * they may not exist. The engine creates what a resource depends on first, and deletes it last. A set orders its own rules.
 * @param inventory the end at which the rules are.
 */
function unorderedIn(own: PolicyRanges, other: PolicyRanges, inventory: Inventory, how: string): Opened[] {
  const known = new Set(other.entries.map(canonicalEntry));
  const changed = own.entries.filter((entry) => !known.has(canonicalEntry(entry)));
  const allows = changed.filter(({ action }) => action === "allow");
  const openAtEnds = [own, other].map(({ allowed, denied }) => allowed.difference(denied));
  const settled = AddressSet.unionOf([...openAtEnds, own.denied.intersection(other.denied)]);
  const risky = addressesWith("allow", allows).difference(settled);
  const dependencies = oncePer((from: InventoryObject) => dependenciesOf(inventory, from));
  return changed.flatMap((deny) => {
    if (deny.action !== "deny" || !risky.overlaps(deny.block)) return [];
    const open = risky.intersection(addressesWith("deny", [deny]));
    const allow = allows.find(
      ({ from, block }) =>
        keyOf(from) !== keyOf(deny.from) &&
        reaches(open, "allow", block) &&
        !dependencies(from).has(keyOf(deny.from)),
    );
    return allow ? [{ deny, open, because: `${named(allow.from)}, which allows ${allow.cidr}, ${how}` }] : [];
  });
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
