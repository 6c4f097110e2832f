/** The rules that a policy holds for the entries of a set: one for each, or those that summarize them. */
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { argumentsIn, withHeldRules } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import {
  defaultExtraPercent,
  endsByRange,
  isExclusive,
  isSummarized,
  ruleOf,
  unknownRanges,
} from "../../schema/rule-set";
import type { RuleValues } from "../../schema/rule-set";
import { hasUnknown, membersOf } from "../../schema/unknown";
import type { Answer, Arguments, Inputs } from "../../schema/values";
import { comparedArguments } from "../life-cycle/arguments";
import { isTemporary, setRules } from "./rule-plan";
import type { SetRule } from "./rule-plan";
import { entriesFor, isStandingFor, summaryOf } from "./summary";

type Rules = ReadonlyMap<string, SetRule>;

/** The rules of the policy in the state, by range. A state with hidden secrets shows only the entries. */
export function recordedRules({ outputs, accepted, heldRules }: RecordedState): Map<string, SetRule> {
  const entries = setRules(outputs, accepted);
  if (!isSummarized(outputs)) return entries;
  if (!heldRules)
    return new Map(summaryOf({ rules: entries, ends: new Map(), extraRulesPercent: 0 }, nothing));
  return new Map(Object.entries(heldRules).map(([range, entry]) => [range, recordedRule(range, entry)]));
}

/** The rules of a summarized set that represent its entries, but not the remaining entries alone. */
export function rulesOfEnded(state: RecordedState, left: ReadonlyMap<string, RuleValues>): SetRule[] {
  const isOfAll = isStandingFor(setRules(state.outputs, state.accepted));
  const isOfLeft = isStandingFor(left);
  return [...recordedRules(state).values()].filter((rule) => {
    const sent = { ...(rule.sent ?? rule), cidr: rule.cidr };
    return isOfAll(sent) && !isOfLeft(sent);
  });
}

const nothing = { rules: [], isOwn: () => false, isKnown: () => false };

/**
 * The rules that the policy should hold.
 * @param held the rules that it holds.
 * @param recorded the rules in the state.
 */
export function wantedRules(
  { fields }: Declaration,
  args: Arguments,
  held: readonly RuleValues[],
  recorded: Rules,
): Rules {
  const rules = setRules(args);
  if (!isSummarized(args)) return rules;
  const ends = endsByRange(fields, args);
  const extraRulesPercent = Number(args.extraRulesPercent ?? defaultExtraPercent);
  const isKnown = ({ cidr, action }: RuleValues): boolean => recorded.get(cidr)?.action === action;
  return summaryOf(
    { rules, ends, extraRulesPercent },
    {
      // A stand-in that an interrupted change has left goes, so that the next one makes the same rules.
      rules: held.filter((rule) => !isTemporary(rule)).map((rule) => asSent(rule, recorded)),
      isOwn: isExclusive(args) ? () => true : isKnown,
      isKnown,
    },
  );
}

/** A summarized set in the form of an answer: the entries that the rules of the policy represent, and its other rules. */
export function summarizedAnswer(entries: Rules, held: readonly RuleValues[], recorded: Rules): Answer {
  const shown = entriesFor(
    entries,
    held.map((rule) => asSent(rule, recorded)),
  );
  return withHeldRules(
    { rules: Object.fromEntries([...shown].map(([range, rule]) => [range, entryOf(rule)])) },
    Object.fromEntries(held.map((rule) => [rule.cidr, recordOf(rule, recorded)])),
  );
}

/** The rule as it was sent, if the service keeps it in another form that was accepted. */
function asSent({ cidr, action, description, metadata }: RuleValues, recorded: Rules): RuleValues {
  const before = recorded.get(cidr);
  const isKept =
    before?.action === action && before.description === description && before.metadata === metadata;
  return (isKept ? before.sent : undefined) ?? { cidr, action, description, metadata };
}

/** The record of a rule in the state: only the action for most rules. */
function recordOf(rule: RuleValues, recorded: Rules): unknown {
  const sent = asSent(rule, recorded);
  const entry = entryOf(rule);
  const isSame = sent.description === rule.description && sent.metadata === rule.metadata;
  if (!isSame) return { ...entry, sent: entryOf(sent) };
  return rule.description === "" && rule.metadata === "" ? rule.action : entry;
}

function recordedRule(range: string, entry: unknown): SetRule {
  const { sent } = membersOf(entry);
  return { ...ruleOf(range, entry), ...(sent !== undefined && { sent: ruleOf(range, sent) }) };
}

function entryOf({ action, description, metadata }: RuleValues): Json {
  return { action, description, metadata };
}

/** The numbers of rules that a change creates, removes, and gives another text or action. */
export function ruleChanges(before: Rules, after: Rules) {
  let [created, changed, replaced] = [0, 0, 0];
  for (const [range, next] of after) {
    const old = before.get(range);
    if (!old) created += 1;
    else if (old.action !== next.action) replaced += 1;
    else if (old.description !== next.description || old.metadata !== next.metadata) changed += 1;
  }
  const removed = [...before.keys()].filter((range) => !after.has(range)).length;
  return { created, changed, replaced, removed };
}

/**
 * Whether a summarized set needs other rules for unchanged entries: some expire at another time, or the last change was not
 * completed.
 */
export function isRegrouped(declaration: Declaration, state: RecordedState, inputs: Inputs): boolean {
  const { fields, setOf } = declaration;
  const args = comparedArguments(declaration, inputs);
  if (setOf === undefined || !isSummarized(args) || !isSummarized(state.outputs)) return false;
  if (hasUnknown(args) || unknownRanges(args).length > 0) return false;
  const [old, next] = [endsByRange(fields, state.local ?? {}), endsByRange(fields, argumentsIn(inputs))];
  const endsAreSame = old.size === next.size && [...next].every(([range, at]) => old.get(range) === at);
  if (endsAreSame && state.mark === undefined) return false;
  const changes = ruleChanges(...plannedRules(declaration, state, inputs));
  return Object.values(changes).some((count) => count > 0);
}

/** The rules of the policy in the state, and those after the change. */
export function plannedRules(declaration: Declaration, state: RecordedState, inputs: Inputs): [Rules, Rules] {
  const recorded = recordedRules(state);
  return [recorded, wantedRules(declaration, argumentsIn(inputs), [...recorded.values()], recorded)];
}
