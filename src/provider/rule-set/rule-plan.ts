/** Plans the steps after which a policy holds the rules of a set. The run carries them out. */
import { AddressSet } from "../../schema/addresses/address-set";
import { blockOf } from "../../schema/addresses/block";
import { canonical } from "../../schema/formats/cidr";
import type { AcceptedValue } from "../../schema/recorded-state";
import { ruleOf, rulesByRange } from "../../schema/rule-set";
import type { RuleValues } from "../../schema/rule-set";
import { argumentsFrom } from "../../schema/values";
import type { Answer, Arguments, FieldValues } from "../../schema/values";
import type { Deviation } from "../life-cycle/accepted";

/** One rule as the program or the state has it. */
export interface SetRule extends RuleValues {
  /** The rule that was sent, if the service keeps it in another form. */
  readonly sent?: RuleValues;
}

/** One rule as the policy holds it, with the same defaults. */
export interface HeldRule extends RuleValues {
  readonly id: string;
  readonly answer: Answer;
}

export interface RulePlan {
  /** Rules that the policy does not hold. */
  readonly create: readonly SetRule[];
  /** Rules whose action changes: the old ones are deleted first, because a range can exist only once. */
  readonly replace: readonly RuleReplacement[];
  readonly update: readonly RuleUpdate[];
  /** Rules of the policy that the set no longer contains. */
  readonly remove: readonly HeldRule[];
  /** Rules of the policy that neither the state nor the program names: no preview showed their removal, so they stay. */
  readonly unseen: readonly HeldRule[];
  /** Rules of the set whose range an unseen rule has. */
  readonly blocked: readonly SetRule[];
  /** Rules in the form that the service gave them: they stay as they are. */
  readonly accepted: readonly SetRule[];
}

export interface RuleReplacement {
  readonly rule: SetRule;
  readonly old: readonly HeldRule[];
}

/** A rule of the policy that becomes the rule of the set. */
export interface RuleUpdate {
  readonly rule: SetRule;
  readonly held: HeldRule;
  /** The arguments that are sent. */
  readonly changed: readonly ChangeableName[];
  /** The rule of the state. */
  readonly recorded: SetRule | undefined;
}

/** What an update can change of a rule. */
const changeable = ["description", "metadata"] as const;
type ChangeableName = (typeof changeable)[number];

/** The metadata of a temporary rule, which replaces another rule while that one changes its action. */
export const temporaryMark = "pulumi-tunnel-gateway stand-in";

/** The rules of a program or a state, by canonical range. */
export function setRules(values: FieldValues, accepted: readonly AcceptedValue[] = []): Map<string, SetRule> {
  const rules = new Map<string, SetRule>(rulesByRange(values));
  for (const { at, sent } of accepted) {
    const before = ruleOf(canonical(at[1] ?? ""), sent);
    const rule = rules.get(before.cidr);
    if (rule) rules.set(rule.cidr, { ...rule, sent: before });
  }
  return rules;
}

/** The rule in an answer. */
export function heldRule(answer: Answer): HeldRule {
  return { ...ruleOf(canonical(String(answer.cidr)), answer), id: String(answer.id), answer };
}

export function isTemporary({ metadata }: RuleValues): boolean {
  return metadata === temporaryMark;
}

/** The rules by range. */
export function byRange(held: readonly HeldRule[]): Map<string, HeldRule[]> {
  return Map.groupBy(held, ({ cidr }) => cidr);
}

/** The arguments of the rule's object, without those that have their default. */
export function ruleArguments(
  policy: string,
  { cidr, action, description, metadata }: RuleValues,
): Arguments {
  const given = Object.entries({ description, metadata }).filter(([, text]) => text !== "");
  return argumentsFrom({ ipPolicyId: policy, cidr, action, ...Object.fromEntries(given) });
}

export function addressSetOf(rules: readonly RuleValues[]): AddressSet {
  return AddressSet.ofRanges(rules.map(({ cidr }) => cidr));
}

/** Whether the rule covers some of the addresses. */
export function touches({ cidr }: RuleValues, set: AddressSet): boolean {
  const block = blockOf(cidr);
  return block !== undefined && set.overlaps(block);
}

export function denies({ action }: RuleValues): boolean {
  return action === "deny";
}

/**
 * @param wanted the rules of the program.
 * @param recorded the rules of the state, whose removal a preview could show.
 * @param held the rules of the policy.
 * @param owned whether the set manages the range.
 */
export function planRules(
  wanted: ReadonlyMap<string, SetRule>,
  recorded: ReadonlyMap<string, SetRule>,
  held: readonly HeldRule[],
  owned: (range: string) => boolean,
): RulePlan {
  const plan = {
    create: [] as SetRule[],
    replace: [] as RuleReplacement[],
    update: [] as RuleUpdate[],
    remove: [] as HeldRule[],
    unseen: [] as HeldRule[],
    blocked: [] as SetRule[],
    accepted: [] as SetRule[],
  };
  const groups = byRange(held);
  for (const rule of wanted.values()) {
    const group = groups.get(rule.cidr) ?? [];
    const before = recorded.get(rule.cidr);
    const [unseen, seen] = partition(group, [before, rule]);
    for (const each of unseen) plan.unseen.push(each);
    const fitting = seen.filter(({ action }) => action === rule.action);
    const one = fitting.find((each) => isAsDeclared(each, rule, before)) ?? fitting[0];
    if (one !== undefined) {
      const changed = changesOf(one, rule, before);
      if (changed.length > 0) plan.update.push({ rule, held: one, changed, recorded: before });
      else if (before?.sent && !isAsDeclared(one, rule)) plan.accepted.push(asStored(one, rule));
      // The service may hold a range more than once; only one of the rules is the set's.
      for (const each of seen) if (each !== one) plan.remove.push(each);
    } else if (unseen.length > 0) plan.blocked.push(rule);
    else if (group.length > 0) plan.replace.push({ rule, old: group });
    else plan.create.push(rule);
  }
  for (const [range, group] of groups) {
    if (wanted.has(range)) continue;
    const [unseen, seen] = partition(group, [recorded.get(range)]);
    for (const each of seen) plan.remove.push(each);
    if (owned(range)) for (const each of unseen) plan.unseen.push(each);
  }
  return plan;
}

/** The rules with an action that none of the set's rules has, and the others. */
function partition(
  held: readonly HeldRule[],
  rules: readonly (RuleValues | undefined)[],
): [unseen: HeldRule[], seen: HeldRule[]] {
  const isSeen = (each: HeldRule): boolean =>
    isTemporary(each) || rules.some((rule) => rule?.action === each.action);
  return [held.filter((each) => !isSeen(each)), held.filter(isSeen)];
}

/** Whether the rule is as the set declares it; with the rule of the state, also in a form that was accepted. */
export function isAsDeclared(held: HeldRule, rule: RuleValues, recorded?: SetRule): boolean {
  return held.action === rule.action && changesOf(held, rule, recorded).length === 0;
}

/** What an update sends. @param recorded the rule of the state. */
function changesOf(held: HeldRule, rule: RuleValues, recorded?: SetRule): ChangeableName[] {
  return changeable.filter((name) => {
    if (held[name] === rule[name]) return false;
    return recorded?.sent?.[name] !== rule[name] || held[name] !== recorded[name];
  });
}

/** The rule as the service keeps it. */
export function asStored({ action, description, metadata }: HeldRule, rule: RuleValues): SetRule {
  const { cidr } = rule;
  return { cidr, action, description, metadata, sent: rule };
}

/** The difference between a rule that was sent and the answer, if it changes who has access; undefined without one. */
export function otherRule({ cidr, action, answer }: HeldRule, rule: RuleValues): Deviation | undefined {
  if (cidr !== rule.cidr) return { name: "cidr", sent: rule.cidr, keptValue: answer.cidr };
  if (action !== rule.action) return { name: "action", sent: rule.action, keptValue: answer.action };
  return undefined;
}

/** The first field that the answer to an update shows unchanged; undefined if there is none. */
export function ignoredBy(
  answered: HeldRule,
  { rule, held, changed, recorded }: RuleUpdate,
): Deviation | undefined {
  const name = changed.find(
    (each) =>
      answered[each] !== rule[each] && answered[each] === recorded?.[each] && answered[each] === held[each],
  );
  return name && { name, sent: rule[name], keptValue: answered.answer[name] };
}
