/**
 * Entries of sets whose time is over. `tunnel-gateway expire` deletes their rules in the account and leaves the state alone, so
 * the state may record an entry that the account does not hold.
 */
import { AddressSet } from "../../schema/addresses/address-set";
import type { Declaration } from "../../schema/declaration";
import { endsIn } from "../../schema/entry-ends";
import type { End } from "../../schema/entry-ends";
import { canonical } from "../../schema/formats/cidr";
import type { Json } from "../../schema/json";
import { argumentsIn, changedLocalIn, heldRulesIn } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { endsByRange, isSummarized, rangesIn, rulesByRange } from "../../schema/rule-set";
import { membersOf } from "../../schema/unknown";
import type { Answer, Arguments, Inputs } from "../../schema/values";
import { GatewayError } from "../errors";
import { addressSetOf } from "../rule-set/rule-plan";
import { recordedRules, rulesOfEnded } from "../rule-set/sent-rules";
import { hour } from "../../schema/text/phrase";

/** How far the clock of this machine may be behind the service's, by which `expire` decides, in milliseconds. */
const expireTolerance = hour;

/**
 * The state without the entries that have ended, that the program leaves out, and that the account does not hold. So a preview
 * shows only the removals that a deployment still has to make. The account is read only while the inputs of the last
 * deployment hold such an entry; if it does not answer, the state stays as it is.
 */
export async function withoutDeleted(
  { fields, setOf }: Declaration,
  state: RecordedState,
  inputs: Inputs,
  now: number,
  read: (state: RecordedState) => Promise<Answer | undefined>,
): Promise<RecordedState> {
  if (setOf === undefined || state.local === undefined || state.mark !== undefined) return state;
  const args = argumentsIn(inputs);
  const kept = rangesIn(args);
  const ended = endsIn(fields, state.local).filter(({ key, at }) => at <= now && !kept.has(canonical(key)));
  if (ended.length === 0) return state;
  // A deployment that left an entry out without an update had found that it was gone.
  if (changedLocalIn(inputs).length === 0) return withoutEntries(state, ended);
  try {
    const answer = await read(state);
    if (!answer) return state;
    return withoutEntries(state, ended.filter(isGone(state, args, answer)), heldRulesIn(answer).heldRules);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return state;
  }
}

/** Whether the account holds no rule of an expired entry. A rule that also represents remaining entries stays. */
function isGone(state: RecordedState, args: Arguments, answer: Answer): (end: End) => boolean {
  const known = rulesByRange(state.outputs);
  if (isSummarized(state.outputs)) {
    const { heldRules = {} } = heldRulesIn(answer);
    const standing = rulesOfEnded(state, rulesByRange(args)).filter(({ cidr }) => cidr in heldRules);
    const byAction = [...Map.groupBy(standing, ({ action }) => action)];
    const addresses = new Map(byAction.map(([action, rules]) => [action, addressSetOf(rules)]));
    return ({ key }) => {
      const held = addresses.get(known.get(canonical(key))?.action ?? "") ?? AddressSet.empty;
      return held.intersection(AddressSet.ofRanges([key])).isEmpty();
    };
  }
  const found = rulesByRange(answer);
  return ({ key }) => found.get(canonical(key))?.action !== known.get(canonical(key))?.action;
}

/**
 * Whether the account may not hold an entry of the state that the program has: it has ended or is about to, or ends later now.
 * The clock of the service may be ahead of this machine's by any time.
 */
export function mayBeDeleted(
  { fields, setOf }: Declaration,
  { local = {} }: RecordedState,
  args: Arguments,
  now: number,
): boolean {
  if (setOf === undefined) return false;
  const [kept, ends] = [rangesIn(args), endsByRange(fields, args)];
  return endsIn(fields, local).some(({ key, at }) => {
    const range = canonical(key);
    return kept.has(range) && (at < now + expireTolerance || at < (ends.get(range) ?? Infinity));
  });
}

/** The ranges whose rules the policy must hold unless they were deleted by hand: without those that may have expired. */
export function standingRanges({ fields }: Declaration, state: RecordedState, now: number): string[] {
  const recorded = [...recordedRules(state).keys()];
  const ends = endsIn(fields, state.local ?? {}).filter(({ at }) => at < now + expireTolerance);
  // The rules of a summarized set that represent only such an entry are not computed here.
  if (ends.length > 0 && isSummarized(state.outputs)) return [];
  const ended = new Set(ends.map(({ key }) => canonical(key)));
  return recorded.filter((range) => !ended.has(range));
}

/** @param held the rules that the policy holds, if the set is summarized. */
function withoutEntries(state: RecordedState, ended: readonly End[], held?: Json): RecordedState {
  const left = new Set(ended.map(({ key }) => canonical(key)));
  const entriesOf = ({ rules }: Json): Json =>
    Object.fromEntries(Object.entries(membersOf(rules)).filter(([key]) => !left.has(canonical(key))));
  const { local = {} } = state;
  const { rules: _, ...others } = local;
  const ends = entriesOf(local);
  const known = held && state.heldRules && Object.entries(state.heldRules).filter(([range]) => range in held);
  return {
    ...state,
    outputs: { ...state.outputs, rules: entriesOf(state.outputs) },
    // Without an entry that ends, the state records no ends.
    local: Object.keys(ends).length === 0 ? others : { ...others, rules: ends },
    ...(known && { heldRules: Object.fromEntries(known) }),
  };
}
