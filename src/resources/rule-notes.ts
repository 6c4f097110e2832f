/** The notes of a preview about rules: changed actions, and ranges that are not known yet. */
import * as cidr from "../schema/formats/cidr";
import type { Json } from "../schema/json";
import { isAction, rangesIn, rulesByRange, unknownRanges } from "../schema/rule-set";
import { membersOf } from "../schema/unknown";
import { firstOf, most20 } from "../schema/text/phrase";

/**
 * The note on a changed action, the only change with a moment without the rule. A range can exist only once in a policy, and
 * the resource does not know the other rules of its policy.
 */
export function notesOnFlip(state: Json, args: Json): string[] {
  const [old, next] = [state, args].map((values) =>
    [values.ipPolicyId, cidr.canonical(String(values.cidr))].join(),
  );
  const isKnown = isAction(state.action) && isAction(args.action);
  if (old !== next || !isKnown || state.action === args.action) return [];
  return [
    `${String(args.cidr)} changes from ${String(state.action)} to ${String(args.action)}: the old rule is deleted before ` +
      `the new one is created. If it is the last rule of the IP policy ${String(state.ipPolicyId)}, that policy has no ` +
      "rule for a moment",
  ];
}

/** The notes on changed actions of a set's entries. */
export function notesOnFlips(state: Json, args: Json): string[] {
  const [old, next] = [membersOf(state.rules), membersOf(args.rules)];
  // Most entries of a large set stay as they are, so only the others are spelled canonically.
  const changed = Object.entries(next).filter(([range, entry]) => old[range] !== entry);
  if (changed.length === 0) return [];
  const before = rulesByRange(state);
  return [...rulesByRange({ rules: Object.fromEntries(changed) })].flatMap(([range, { action }]) => {
    const from = before.get(range)?.action;
    if (!isAction(from) || !isAction(action) || from === action) return [];
    return [
      `${range} changes from ${from} to ${action}. A range can exist only once in a policy: the old rule is deleted ` +
        `before the new one is created, and for a moment ${meanwhile(range, old, next)}`,
    ];
  });
}

/** The state of the policy between the old rule and the new one. */
function meanwhile(range: string, old: object, next: object): string {
  const isOnly = Object.keys(old).length === 1 && Object.keys(next).length === 1;
  if (!isOnly) return "the policy has no rule for the range";
  const [half] = cidr.halves(range);
  return half === undefined
    ? "the set has no rule at all, because a single address has no half that could stand in"
    : `a rule for ${half} alone stands in, so that the set is never without one`;
}

/** The note on rules that the preview removes, but that stay if an unknown range turns out to be theirs. */
export function notesOnUnknownRanges(state: Json, args: Json): string[] {
  const open = unknownRanges(args);
  if (open.length === 0) return [];
  const wanted = rangesIn(args);
  const removed = [...rangesIn(state)].filter((range) => !wanted.has(range));
  if (removed.length === 0) return [];
  return [
    `the preview removes ${firstOf(removed, most20)}. A rule stays if its range turns out to be one that is known only ` +
      `after the deployment: ${firstOf(open, most20)}`,
  ];
}
