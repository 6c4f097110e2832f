/** The rules about what is so between two writes of the deployment. */
import { addressesWith, reaches, reachOf } from "../../access/policies";
import type { PolicyRanges } from "../../access/policies";
import { rangeList, rangesText } from "../../access/range-text";
import { named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { pastTense } from "../../stack/preview";
import { AddressSet } from "../../../schema/addresses/address-set";
import { nested } from "../../../schema/addresses/block";
import type { Declaration } from "../../../schema/declaration";
import { everyField } from "../../../schema/field";
import { oncePer } from "../../../schema/once-per";
import { declaresRules } from "../../../schema/rule-set";
import { counted } from "../../../schema/text/phrase";
import type { ChangeRule, Context, Find } from "../rule";
import { hasPolicy } from "../access/compare";
import type { PlaceChange } from "../access/compare";
import { exceeds } from "./access";
import { hiddenAccess } from "./hidden";
import { changedPolicies, endsOf, isUnchanged, mayLack, momentsOf } from "../moments";
import { onceGone, atOnce, untilMade, whileThere, writesOf } from "../moments";
import type { Moment, RuleLife, RunWrite } from "../moments";

export const orderRules: readonly ChangeRule[] = [
  {
    id: "access/before-its-rules",
    severity: "warning",
    title: "An edge gets a policy before the policy has its rules",
    help: "Declare the rules before the program's first `await`, or take the policy's id from the rule set: `ipPolicyIds: [set.ipPolicyId]`.",
    *changes(find, context) {
      const { before, after, resources } = context;
      const writes = writesOf(context).filter(({ method }) => method !== "DELETE");
      for (const [urn, write] of new Map(writes.map((each) => [each.urn, each]))) {
        const on = resources.get(urn);
        const names = on ? policyFields(on.declaration) : [];
        if (!on || names.length === 0) continue;
        const old = policiesFor(before, urn, names, context);
        for (const [id, name] of policiesFor(after, urn, names, context)) {
          const rules = old.has(id) ? [] : (changedPolicies(context).get(`${write.baseUrl} ${id}`) ?? []);
          const late = rules.flatMap((rule) => awaited(rule, write, momentsOf(context)));
          const [first, ...others] = new Set(late.map((each) => each.urn));
          const missing = resources.get(first ?? "");
          if (!missing) continue;
          const more = others.length === 0 ? "" : ` and ${counted(others.length, "other resource")}`;
          const message =
            `it gets ${name}, but does not wait for ${named(missing)}${more}, ` +
            `which the deployment has not ${pastTense[missing.action]} by then`;
          yield find(on, message, { field: names[0]!, at: first });
        }
      }
    },
  },
  {
    id: "access/open-for-a-moment",
    severity: "warning",
    title: "Addresses may be allowed for a moment",
    help: "Pulumi takes allow and deny rules in any order: use an `IpPolicyRuleSet`, or `dependsOn`. Change rules before or after an edge changes its policies: there it is an error at the sizes of `access/newly-allowed`.",
    *changes(find, context) {
      for (const rules of changedPolicies(context).values()) {
        if (context.semantics.overlap === "allow-wins") break;
        const byUrn = Map.groupBy(openingsIn(rules, context), ({ urn }) => urn);
        for (const [urn, all] of byUrn) {
          const on = context.resources.get(urn);
          const open = rangeList(AddressSet.unionOf(all.map((each) => each.open)));
          const message = `${rangesText(open)} may be allowed for a moment: ${all[0]!.because}`;
          if (on) yield find(on, message);
        }
      }
      yield* openPlaces(find, context);
    },
  },
  {
    id: "interruption/no-rule-for-a-moment",
    severity: "warning",
    title: "A policy or an edge has no rule for a moment",
    help: "Keep another rule, or delete the edge before.",
    *changes(find, context) {
      for (const rules of changedPolicies(context).values()) {
        const [old, next] = endsOf(rules);
        if (old.length === 0 || next.length === 0 || rules.some(isUnchanged)) continue;
        const canBe = momentsOf(context);
        const between = atOnce(...old.flatMap(onceGone), ...next.flatMap(untilMade));
        if (!canBe(between) || !rules.every((each) => mayLack(each, between, canBe))) continue;
        const on = context.resources.get(old[0]!.gone!.urn);
        const id = old[0]!.policyId;
        const policy = context.before.byId(id, on?.before?.provider);
        const what = old.length === 1 ? "its last rule is" : "its last rules are";
        const message = `${policy ? named(policy) : id} has no rule for a moment: ${what} deleted before the replacement is created`;
        if (on) yield find(on, message);
      }
      yield* withoutRules(find, context);
    },
  },
  {
    id: "access/unknown-moment",
    severity: "warning",
    title: "Who gets in for a moment is not known",
    help: "Make the preview again, as the message says.",
    *changes(find, { rehearsal, resources, unseen }) {
      if (!rehearsal) return;
      const { incomplete, refusals, notReached } = rehearsal;
      // With unchanged resources left out, no other rule reports a refusal.
      const cut = unseen === 0 ? [] : [...refusals.map(({ urn }) => urn), ...notReached];
      const message = "the service may refuse it or a step before it: make the preview with --show-sames";
      for (const gap of [...incomplete, ...cut.map((urn) => ({ urn, message }))]) {
        const on = resources.get(gap.urn ?? "");
        if (!on || (!declaresRules(on.declaration) && policyFields(on.declaration).length === 0)) continue;
        // Another rule reports what no run can read.
        if (on.after && hiddenAccess(on.after).length > 0) continue;
        yield find(on, `who gets in for a moment is not known: ${gap.message}`);
      }
    },
  },
];

/** The arguments with policies that must have their rules before. */
function policyFields({ fields }: Declaration): string[] {
  const own = Object.entries(fields).filter(([, field]) =>
    everyField(field).some(({ traits }) => traits.afterContents),
  );
  return own.map(([name]) => name);
}

/** The writes of a rule that an edge could wait for, and that the deployment may send after that of the edge. */
function awaited({ made, gone }: RuleLife, edge: RunWrite, canBe: (moment: Moment) => boolean): RunWrite[] {
  // What is no longer wanted is deleted after all else.
  const isFree = gone && canBe({ after: [gone], before: [edge] });
  const writes = [...(made ? [made] : []), ...(isFree ? [gone] : [])];
  return writes.filter((write) => canBe({ after: [edge], before: [write] }));
}

/** The policies that the arguments of a resource name, by their ids, each with its name. */
function policiesFor(
  inventory: Inventory,
  urn: string,
  names: readonly string[],
  { rehearsal }: Context,
): Map<string, string> {
  const from = inventory.all.get(urn);
  const references = from ? inventory.references(from) : [];
  return new Map(
    references.flatMap(({ argument, isOff, to, id = to?.id ?? rehearsal!.made.get(to?.urn ?? "") }) =>
      id === undefined || isOff || !names.includes(argument) ? [] : [[id, to ? named(to) : id]],
    ),
  );
}

/** The addresses that a policy allows at a moment, and neither before the deployment nor after it. */
function* openingsIn(rules: readonly RuleLife[], context: Context) {
  const ends = endsOf(rules);
  const denies = rules.filter((each) => each.action === "deny" && each.block && !isUnchanged(each));
  // Other rules report a policy that begins or ends without rules.
  if (denies.length === 0 || ends.some((each) => each.length === 0)) return;
  const openAtEnds = ends.map((each) => addressesWith("allow", each).difference(addressesWith("deny", each)));
  const denied = addressesWith("deny", rules.filter(isUnchanged));
  const risky = addressesWith("allow", rules).difference(AddressSet.unionOf([...openAtEnds, denied]));
  if (risky.isEmpty()) return;
  const canBe = momentsOf(context);
  // What a rule that stays denies is never open.
  const near = overlapping(rules.filter((each) => each.action && each.block && !denied.contains(each.block)));
  for (const deny of denies) {
    const own = risky.intersection(addressesWith("deny", [deny]));
    if (own.isEmpty()) continue;
    const { allow: allows = [], deny: others = [] } = Object.groupBy(
      near.get(deny)!,
      ({ action }) => action!,
    );
    for (const allow of allows) {
      const allowed = own.intersection(addressesWith("allow", [allow]));
      if (allowed.isEmpty()) continue;
      for (const missing of waysToMiss(deny, allow, context)) {
        const moment = atOnce(whileThere(allow), missing.away);
        if (!canBe(moment)) continue;
        const standing = others.filter((each) => !mayLack(each, moment, canBe));
        const open = allowed.difference(addressesWith("deny", standing));
        if (!open.isEmpty()) yield { ...missing, open };
      }
    }
  }
}

/** The write after which a place has its new policies, and the one until which it has the old ones. */
function writesTo({ on, was = on }: PlaceChange<InventoryObject>, context: Context) {
  const byUrn = writesByUrn(context);
  const [news, olds] = [on, was].map(({ urn = "" }) => byUrn.get(urn) ?? []);
  return { first: news!.find(({ method }) => method !== "DELETE"), last: olds!.at(-1) ?? news!.at(-1) };
}

const writesByUrn = oncePer((context: Context) => Map.groupBy(writesOf(context), ({ urn }) => urn));

/** The rules of a policy, if some of them change, in the account of a write. */
function rulesOf(
  { policy, key, name }: PolicyRanges,
  { baseUrl }: RunWrite,
  context: Context,
): readonly RuleLife[] | undefined {
  const id = policy?.id ?? context.rehearsal!.made.get(key) ?? name;
  return changedPolicies(context).get(`${baseUrl} ${id}`);
}

/** The edges that are deleted after all rules of their policies may be gone. */
function* withoutRules(find: Find, context: Context) {
  const canBe = momentsOf(context);
  for (const place of context.access.places) {
    const { on, was = on, before, after } = place;
    const { last } = writesTo(place, context);
    const isModule = was.declaration.style === "singleton";
    if (last?.method !== "DELETE" || isModule || before?.isRestricted !== true) continue;
    // Another rule reports a policy that stays.
    const policies = before.policies.map((each) =>
      hasPolicy(after, each.key) ? undefined : rulesOf(each, last, context),
    );
    const rules = policies.flatMap((each) => each ?? []);
    const between = atOnce({ after: [], before: [last] }, ...rules.flatMap(onceGone));
    const isAll = policies.length > 0 && !policies.includes(undefined);
    if (!isAll || !canBe(between) || !rules.every((each) => mayLack(each, between, canBe))) continue;
    const message = `${named(was)} may have no rule for a moment: the rules of its policies may be deleted before it`;
    yield find(was, message);
  }
}

/** What a place lets in for a moment, because it gets or loses a policy at another time than the rules of the policy change. */
function* openPlaces(find: Find, context: Context) {
  for (const place of context.access.places) {
    const { on, before, after } = place;
    const { first, last } = writesTo(place, context);
    const ends = [before, after].flatMap((end) => end ?? []);
    // Without its module, an edge is open before or after.
    const isOpen = ends.length < 2 && on.declaration.style === "singleton";
    if (!last || isOpen || ends.some(({ isRestricted }) => isRestricted !== true)) continue;
    const news = (after?.policies ?? []).filter(({ key }) => !hasPolicy(before, key));
    const olds = (before?.policies ?? []).filter(({ key }) => !hasPolicy(after, key));
    const changes = [
      ...news.map((policy) => ({ policy, at: { after: first ? [first] : [], before: [] }, how: "gets" })),
      ...olds.map((policy) => ({ policy, at: { after: [], before: [last] }, how: "loses" })),
    ];
    for (const { policy, at, how } of changes) {
      const rules = rulesOf(policy, last, context);
      if (rules === undefined) continue;
      const openAtEnds = ends.map(({ allowed, denied }) => allowed.difference(denied));
      const open = openAt(at, rules, AddressSet.unionOf(openAtEnds), context);
      if (open.isEmpty()) continue;
      const when = how === "gets" ? "before the rules of the policy" : "after rules of the policy";
      const of = policy.policy ? named(policy.policy) : policy.name;
      const message = `${rangesText(rangeList(open))} may be allowed for a moment: it ${how} ${of} ${when} change`;
      yield find(on, message, { severity: exceeds(open, context) ? "error" : undefined });
    }
  }
}

/** The addresses that the rules of a policy allow at a moment, without the known ones. */
function openAt(at: Moment, rules: readonly RuleLife[], known: AddressSet, context: Context): AddressSet {
  const canBe = momentsOf(context);
  const effective =
    context.semantics.overlap === "allow-wins" ? rules.filter(({ action }) => action === "allow") : rules;
  const denied = addressesWith("deny", effective.filter(isUnchanged));
  const risky = addressesWith("allow", effective).difference(known.union(denied));
  if (risky.isEmpty()) return risky;
  const near = overlapping(
    effective.filter(({ action, block }) => action && block && reaches(risky, action, block)),
  );
  const open = [...near].flatMap(([allow, others]) => {
    const moment = atOnce(at, whileThere(allow));
    if (allow.action !== "allow" || !canBe(moment)) return [];
    const standing = [...others].filter((each) => !mayLack(each, moment, canBe));
    return addressesWith("allow", [allow]).difference(addressesWith("deny", standing));
  });
  return AddressSet.unionOf(open).intersection(risky);
}

/** The rules that share addresses with each rule, and the rule itself. */
function overlapping(rules: readonly RuleLife[]): ReadonlyMap<RuleLife, ReadonlySet<RuleLife>> {
  const parts = rules.flatMap((rule) => reachOf(rule.action!, rule.block!).map((block) => ({ rule, block })));
  const outerOf = new Map(nested(parts, ({ block }) => block).map(({ inner, outer }) => [inner, outer]));
  const found = new Map(rules.map((rule) => [rule, new Set([rule])]));
  for (const part of parts)
    for (let outer = outerOf.get(part); outer; outer = outerOf.get(outer)) {
      found.get(part.rule)!.add(outer.rule);
      found.get(outer.rule)!.add(part.rule);
    }
  return found;
}

/** When a deny rule may be missing beside an allow rule, with its resource and the reason, a clause. */
function waysToMiss(deny: RuleLife, allow: RuleLife, { resources }: Context) {
  const because = (write: RunWrite | undefined, how: string): string => {
    const other = resources.get(write?.urn ?? "");
    if (!other) return "it may be deleted before its replacement is created";
    return `${named(other)}, which allows ${allow.cidr}, ${how}`;
  };
  const created = because(allow.made, "may be created before it");
  const deleted = because(allow.gone, "may be deleted after it");
  return [
    ...(allow.made ? untilMade(deny) : []).map((away) => ({ away, urn: deny.made!.urn, because: created })),
    ...onceGone(deny).map((away) => ({ away, urn: deny.gone!.urn, because: deleted })),
  ];
}
