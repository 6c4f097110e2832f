/** The rules about who gains and who loses access through IP policies. */
import { isDeepStrictEqual } from "node:util";
import { AddressSet } from "../../../schema/addresses/address-set";
import { blockOf, families } from "../../../schema/addresses/block";
import type { PlaceChange } from "../access/compare";
import { isWider } from "../access/range-differences";
import type { RangeDifference, Kind } from "../access/range-differences";
import { addressesWith, policiesOf, canonicalEntry, unplacedRanges } from "../../access/policies";
import type { PolicyRanges } from "../../access/policies";
import { rangeList, rangesText } from "../../access/range-text";
import { plainDifference, differenceSentence } from "../access/access-report";
import type { Access } from "../../access/verdicts";
import type { ChangeRule, Context, Find, Rule } from "../rule";
import { placesIn } from "../../access/place";
import { keyOf, named } from "../../inventory/inventory";
import type { InventoryObject, Inventory, Reference } from "../../inventory/inventory";
import { isAction, policyOf, rulePath, unknownRanges } from "../../../schema/rule-set";
import { hasUnknown, isRecord, isUnknown } from "../../../schema/unknown";
import { counted, most3, firstOf, quote } from "../../../schema/text/phrase";
import { hiddenAccess } from "./hidden";
import { openedTogether, wholeFamily } from "./single";
import { keptLosses } from "../../access/kept-access";
import type { Json } from "../../../schema/json";
import { rulesBefore } from "../../rehearsal/recorded-account";
import { deployment, notChecked } from "./each";
import { backendPrefixes } from "../../../resources/shared-fields";
import { oncePerPair } from "../../../schema/once-per";

/** The findings about some kinds of differences at each guarded resource and policy. */
function* differencesFound(find: Find, context: Context, ...kinds: Kind[]) {
  for (const change of [...context.access.places, ...context.access.policies]) {
    const differences = change.differences.filter(({ kind }) => kinds.includes(kind));
    const causes = differences.flatMap((each) => each.causes);
    const causing = causes.flatMap(({ rule, policy }) => rule ?? policy.policy ?? []);
    const on = change.on ?? causing[0];
    if (!on || differences.length === 0) continue;
    const sentences = differences.map((each) => sentence(change, each));
    const isError = differences.some(({ kind }) => isWider(kind)) && isLarge(change, context);
    yield find(on, sentences.join("; "), { at: causing[0]?.urn, severity: isError ? "error" : undefined });
  }
}

function sentence({ on }: PlaceChange, difference: RangeDifference): string {
  const isPolicy = on === undefined || on.declaration.type === "IpPolicy";
  const text = differenceSentence(plainDifference(difference), isPolicy);
  const { opens, addresses } = difference;
  if (opens.length === 0) return text;
  // The difference may be only a part of the family.
  const before = opens.every((family) => addresses.coversFamily(family))
    ? ""
    : "with what was allowed before, ";
  const what = isPolicy ? "its rules" : "its policies";
  return `${text}; ${before}${what} now allow every IPv${opens.join(" and IPv")} address`;
}

/** Whether the addresses that gain access at a place, by all rules and policies together, are too many for a warning. */
function isLarge({ differences }: PlaceChange, context: Context): boolean {
  const wider = differences.filter(({ kind }) => isWider(kind));
  const all = AddressSet.unionOf(wider.map(({ addresses, whole = addresses }) => whole));
  return wider.some(({ opens }) => opens.length > 0) || exceeds(all, context);
}

export function exceeds(addresses: AddressSet, { errorFrom }: Context): boolean {
  return families.some((family) => addresses.size(family) >= errorFrom[family]);
}

/**
 * The findings about new objects, and about edges that get another backend. The table of access shows what a new object allows, so only a
 * large or shared access is a finding.
 */
function* newPlaces(find: Find, context: Context) {
  for (const [on, changes] of Map.groupBy(context.access.places, (each) => each.on)) {
    const { after } = changes[0]!;
    const olds = changes.flatMap(({ before, was = on }) => (before ? was : []));
    if (!after || (olds.length === 0 && !after.isRestricted)) continue;
    const all = AddressSet.unionOf([reachedThrough(after), ...laterAllowed(after, context)]);
    const when = exceeds(after.allowed, context) ? "" : ", some of it once deny rules have ended";
    if (olds.length === 0 && exceeds(all, context))
      yield find(on, `it is new and allows ${rangesText(rangeList(all))}${when}`, { severity: "error" });
    else yield* newWay(find, on, olds, all, context);
  }
}

/** The addresses that certainly reach what is behind a place. */
function reachedThrough({ isRestricted, allowed }: Access): AddressSet {
  return isRestricted === false ? AddressSet.everything : allowed;
}

/** An edge that lets more addresses reach a backend that other edges serve already. */
function* newWay(
  find: Find,
  on: InventoryObject,
  olds: readonly InventoryObject[],
  allowed: AddressSet,
  context: Context,
) {
  const { before, after, semantics } = context;
  const known = olds
    .flatMap((old) => before.all.get(keyOf(old)) ?? [])
    .flatMap((old) => targetsIn(before, old));
  const gained = targetsIn(after, on).filter((target) => !known.some((other) => isOne(target, other)));
  if (gained.length === 0) return;
  const others = placesIn(before, semantics).filter((place) =>
    targetsIn(before, place.on).some((other) => gained.some((target) => isOne(target, other))),
  );
  const reached = others.map(({ access }) => reachedThrough(access));
  const news = allowed.difference(AddressSet.unionOf(reached));
  if (others.length === 0 || news.isEmpty()) return;
  const served = firstOf(
    others.map((place) => named(place.on)),
    most3,
  );
  const what = olds.length === 0 ? "it is new and lets" : "its new backend lets";
  const message = `${what} ${rangesText(rangeList(news))} reach the backend of ${served}, which did not allow that`;
  yield find(on, message, { field: "backend", severity: exceeds(news, context) ? "error" : undefined });
}

/** The rules that may have denied addresses at a place or in a policy, and no longer do: nobody can read which addresses. */
function* unreadDenies(find: Find, { access: { places, policies } }: Context) {
  const shown = new Set<string>();
  for (const { on, before, after } of [...places, ...policies]) {
    if (!before?.isRestricted || !after?.isRestricted) continue;
    const left = unreadIn(after);
    for (const [key, from] of unreadIn(before)) {
      // What a policy has, its places may have shown.
      if (left.has(key) || (on?.declaration.gates === undefined && shown.has(key))) continue;
      shown.add(key);
      const message = `${named(from)} no longer counts, or is another one, and the review cannot read what it denied`;
      yield find(on ?? from, message, { at: from.urn, severity: "error" });
    }
  }
}

/** The rules whose ranges are not known, and that may deny. */
function unreadIn({ policies }: Access): ReadonlyMap<string, InventoryObject> {
  const entries = policies.flatMap(({ key, possible }) => possible.map((each) => ({ ...each, key })));
  const own = entries.filter(({ action }) => action !== "allow");
  return new Map(own.map(({ key, from }) => [`${key} ${keyOf(from)}`, from]));
}

/** The addresses that get in once deny rules have ended, for each of their ends in the future. */
function laterAllowed(access: Access, { now }: Context): AddressSet[] {
  const denies = access.policies.flatMap(({ entries }) => entries.filter(({ action }) => action === "deny"));
  const ends = new Set(denies.flatMap(({ end }) => (end !== undefined && end > now ? end : [])));
  return [...ends].map((time) => access.withRules(({ end = Infinity }) => end > time).allowed);
}

export const accessRules: readonly Rule[] = [
  {
    id: "access/newly-allowed",
    severity: "warning",
    title: "Addresses are newly allowed",
    help: "An error at a /16 of IPv4 or a /32 of IPv6 or larger (`--error-from-ipv4`, `--error-from-ipv6`), and when every address of a family is allowed. A new resource is reported at that size, or when it lets others reach an existing backend, as is an edge with another backend.",
    *changes(find, context) {
      yield* differencesFound(find, context, "newly allowed");
      yield* newPlaces(find, context);
    },
  },
  {
    id: "access/deny-removed",
    severity: "warning",
    title: "Addresses are no longer denied",
    help: "An error at the same sizes as `access/newly-allowed`, and where nobody can read which.",
    *changes(find, context) {
      yield* differencesFound(find, context, "no longer denied");
      yield* unreadDenies(find, context);
    },
  },
  {
    id: "access/allowed-for-longer",
    severity: "error",
    title: "Temporary access becomes longer",
    help: "Addresses keep access after their earlier `until`, or are denied for a shorter time.",
    changes: (find, context) =>
      differencesFound(find, context, "allowed for longer", "denied for a shorter time"),
  },
  {
    id: "access/open-cidr",
    severity: "error",
    title: "A policy allows every address",
    help: "In one range, in parts or embedded in IPv6 ([all forms](access-model.md#the-model)). Allow only the ranges that need access.",
    *states(find, inventory) {
      const all = [...policiesOf(inventory).values(), ...unplacedRanges(inventory)];
      const open = all.filter(({ allowed }) => families.some((each) => allowed.coversFamily(each)));
      for (const { policy, entries } of open) {
        const allows = entries.filter(({ action }) => action === "allow");
        const sources = allows.map((entry) => ({ of: entry, allowed: addressesWith("allow", [entry]) }));
        for (const { of: entry, allowed } of sources) {
          const { cidr, from } = entry;
          // ::/0 embeds every IPv4 address too: report the wider family.
          const family = families.findLast((each) => allowed.coversFamily(each));
          if (family === undefined) continue;
          yield find(from, wholeFamily(cidr, family), { field: rangeField(from, cidr) });
        }
        for (const { family } of openedTogether(sources)) {
          const on: InventoryObject = policy ?? allows[0]!.from;
          yield find(on, `its rules together allow every IPv${family} address`);
        }
      }
    },
  },
  {
    id: "access/unknown-ranges",
    severity: "error",
    title: "Ranges are not known before the deployment",
    help: "A range, an action or a policy is known only after the deployment, or is a plain id from outside the program. List new policies one by one, `[a.id, b.id]`. [Recipes](recipes.md#ranges-that-a-preview-does-not-know) has a narrow way to accept one.",
    *changes(find, { access, after }) {
      for (const { unknown } of policiesOf(after).values()) {
        // The rule about hidden values reports those that are secrets.
        for (const on of unknown.filter((each) => hiddenAccess(each).length === 0)) {
          const why = hasUnknown(on.values) ? "is known only after the deployment" : "cannot be read";
          const open = on.declaration.setOf ? unknownRanges(on.values) : [];
          const which = open.length === 0 ? "" : `: ${firstOf(open, most3)}`;
          yield find(on, `its range or action ${why}${which}`);
        }
      }
      for (const { entries, possible } of unplacedRanges(after)) {
        const [entry] = [...entries, ...possible];
        if (entry && hiddenAccess(entry.from).length === 0)
          yield find(entry.from, "its policy is known only after the deployment");
      }
      for (const { on, before, unknownPolicies, hasUnknownPolicy } of access.places) {
        if (unknownPolicies.length > 0) {
          const verb = before ? "gains or loses" : "takes";
          const message = `it ${verb} ${unknownPolicies.join(", ")}, whose ranges are not part of this program`;
          yield find(on, message);
        }
        // The deployment changes nothing that the program only reads.
        if (hasUnknownPolicy && !on.record?.external && hiddenAccess(on).length === 0)
          yield find(on, "one of its policies is known only after the deployment");
      }
    },
  },
  {
    id: "access/rules-outside",
    severity: "error",
    title: "A policy that a resource starts to use has rules outside the stack",
    help: "Import them, or delete them. Only with `--stack` and without `--offline`. A warning if the account could not be read.",
    *changes(find, { access, rehearsal, unreadAccount, ...inventories }) {
      if (unreadAccount !== undefined) {
        const message = `the account could not be read, so what is outside the stack is not known: ${unreadAccount}`;
        yield find(deployment, message, { severity: "warning" });
      }
      if (!rehearsal?.lists.includes("ip_policy_rules")) return;
      const held = Map.groupBy(rulesBefore(rehearsal.accounts), policyOf);
      for (const { on, before, after } of access.places) {
        const known = new Set(before?.policies.map(({ key }) => key));
        for (const policy of after?.policies.filter(({ key }) => !known.has(key)) ?? []) {
          const rules = rulesOutside(inventories, policy, held.get(policy.policy?.id) ?? []);
          if (rules.length === 0) continue;
          const message = `it gets ${quote(policy.name)}, which has ${counted(rules.length, "rule")} outside the stack: ${firstOf(rules, most3)}`;
          yield find(on, message, { at: policy.policy?.urn });
        }
      }
    },
  },
  {
    id: "interruption/access-lost",
    severity: "warning",
    title: "Addresses are no longer allowed, or are newly denied",
    help: "Check that no client with these addresses needs access.",
    *changes(find, context) {
      yield* differencesFound(find, context, "no longer allowed", "newly denied");
      for (const { on, before, after } of context.access.places) {
        if (!before || before.isRestricted || !after?.isRestricted) continue;
        const [allowed, denied] = [rangeList(after.allowed), rangeList(after.denied)].map(rangesText);
        const message = `its access was not restricted; now its policies allow ${allowed} and deny ${denied}`;
        yield find(on, message);
      }
    },
  },
];

/** The argument with the range: of a rule, or of an entry of a set. */
function rangeField({ declaration: { setOf } }: InventoryObject, cidr: string): string {
  return setOf ? rulePath(cidr) : "cidr";
}

/** The rules that a policy has in the account and not in the stack. */
function rulesOutside(
  { before, after }: Pick<Context, "before" | "after">,
  { key }: PolicyRanges,
  held: readonly Json[],
): string[] {
  const entries = [before, after].flatMap((inventory) => policiesOf(inventory).get(key)?.entries ?? []);
  const own = new Set(entries.map(canonicalEntry));
  const textOf = ({ action, cidr }: Json): string => {
    const block = blockOf(cidr);
    return block && isAction(action)
      ? canonicalEntry({ action, block })
      : `${String(action)} ${String(cidr)}`;
  };
  return held.map(textOf).filter((text) => !own.has(text));
}

export const keptAccessLost: ChangeRule = {
  id: "access/kept-access-lost",
  severity: "error",
  title: "An address that must keep its access may lose it",
  help: "Ranges of `keepAccess` could get in at a place and may not after the deployment, or only until rules with `until` end. Needs `--show-sames`. See [kept access](access.md#kept-access).",
  *changes(find, context) {
    if (Object.keys(context.keepAccess).length === 0) return;
    if (context.unseen > 0) {
      yield notChecked(find, "keepAccess", context);
      return;
    }
    for (const { on, at, message } of keptLosses(context)) yield find(on, message, { at: at?.urn });
  },
};

/** A backend behind an edge. Another backend with the same labels reaches the same agents. */
interface Target {
  readonly id: string | undefined;
  readonly labels: Json;
}

/** Whether two backends, before or after the deployment, are one, or lead to agents that have the labels of both. */
function isOne(some: Target, other: Target): boolean {
  const isSame =
    some.id !== undefined && some.id === other.id && isDeepStrictEqual(some.labels, other.labels);
  return isSame || isWithin(some, other) || isWithin(other, some);
}

/** The backends of an object, and those behind a weighted or failover backend. Services accept no deeper nesting. */
const targetsIn = oncePerPair((inventory: Inventory, on: InventoryObject): readonly Target[] => {
  const own = backendsOf(inventory, on);
  const all = [...own, ...own.flatMap(({ to }) => (to ? backendsOf(inventory, to) : []))];
  return all.map(({ id, to }) => ({ id, labels: isRecord(to?.values.labels) ? to.values.labels : {} }));
});

function backendsOf(inventory: Inventory, on: InventoryObject): readonly Reference[] {
  const isBackend = (prefix: string): boolean => backendPrefixes.some((each) => each === prefix);
  return inventory.references(on).filter(({ prefixes, isOff }) => !isOff && prefixes.some(isBackend));
}

function isWithin(some: Target, all: Target): boolean {
  const labels = Object.entries(some.labels);
  return (
    labels.length > 0 && labels.every(([name, value]) => !isUnknown(value) && all.labels[name] === value)
  );
}
