/** What a preview says about a change beside the lines that the engine draws. */
import { accessValues } from "../../schema/access-fields";
import type { Declaration } from "../../schema/declaration";
import { canonical } from "../../schema/formats/cidr";
import type { RecordedState } from "../../schema/recorded-state";
import { isExclusive, isSummarized, rangesIn, ruleOf, rulePath, unknownRanges } from "../../schema/rule-set";
import { hasUnknown, membersOf, valueAt } from "../../schema/unknown";
import type { Arguments, FieldValues, Inputs } from "../../schema/values";
import { counted, inDigits } from "../../schema/text/phrase";
import { isRegrouped, plannedRules, ruleChanges } from "../rule-set/sent-rules";
import { noTemporaryRule, withoutTemporaryRule } from "../rule-set/temporary-rule";
import type { Settings } from "../settings/settings";
import { acceptedNotes } from "./accepted";
import type { ArgumentChange } from "./changes";
import { changedArguments } from "./changes";
import { GatewayError } from "../errors";
import { toWire } from "./wire";

/** A change from a state to arguments. */
export interface ResourceStep {
  readonly state: RecordedState;
  readonly inputs: Inputs;
  /** Those of the inputs that the object is compared with. */
  readonly args: Arguments;
  readonly changes: readonly ArgumentChange[];
  /** Whether the object is replaced. */
  readonly replaces: boolean;
}

/** The notes on a change, one sentence each. */
export function notesOn(declaration: Declaration, step: ResourceStep, settings: Settings): string[] {
  return [
    ...(step.replaces ? [] : unsendable(declaration, step, settings)),
    ...(step.replaces ? [] : released(step)),
    ...unseenRules(declaration, step),
    ...(step.replaces ? [] : summarizedRules(declaration, step)),
    ...acceptedNotes(declaration, step.state, step.args),
    ...unseenAccess(declaration, step),
    ...(step.replaces ? [] : lastAllowed(declaration, step)),
    ...(declaration.notes?.(step.state.outputs, step.args) ?? []),
  ];
}

/**
 * The note on an update that will be refused, because it must send a secret that Pulumi does not know. It is not an error: a
 * refresh calls diff too, and must be able to record the drift.
 */
function unsendable(declaration: Declaration, { changes, args }: ResourceStep, settings: Settings): string[] {
  if (changes.length === 0) return [];
  const sent = declaration.whole ? args : changedArguments(declaration, changes, args, settings);
  try {
    toWire(declaration.fields, sent);
    return [];
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return [error.message];
  }
}

/** The notes on arguments that are no longer in the program and whose values stay. */
function released({ changes }: ResourceStep): string[] {
  return changes
    .filter((change) => change.released)
    .map(
      ({ path }) =>
        `${path} is no longer in the program, and its default is left to the service; the value stays as it is`,
    );
}

/**
 * The note on rules that the last update of a set found and left, and that the next one removes. The engine compares inputs,
 * which never contained them.
 */
function unseenRules({ setOf }: Declaration, { state, args }: ResourceStep): string[] {
  if (setOf === undefined || state.mark !== "unlike") return [];
  const wanted = rangesIn(args);
  return Object.entries(membersOf(state.outputs.rules))
    .filter(([range]) => !wanted.has(canonical(range)))
    .map(
      ([range, rule]) =>
        `${rulePath(range)}: ${JSON.stringify(rule)} is removed, because the program does not name it`,
    );
}

/** The notes on arguments that decide who has access, and that the service does not show. */
function unseenAccess({ fields }: Declaration, { state, args }: ResourceStep): string[] {
  const isAccess = (path: string): boolean => {
    const value = valueAt(args, path);
    return accessValues(fields, args, (each) => each === value).some((found) => found.path === path);
  };
  return (state.unanswered ?? [])
    .filter(isAccess)
    .map(
      (path) =>
        `${path} decides who has access, and the service does not show it: Pulumi cannot see what others change in it`,
    );
}

/** The note on the rules that a change of a summarized set sends: the engine shows only the entries. */
function summarizedRules(declaration: Declaration, step: ResourceStep): string[] {
  const { state, inputs, args, changes } = step;
  const isConcerned = isSummarized(args) || isSummarized(state.outputs);
  const isSent = changes.some((change) => !change.recordedOnly) || isRegrouped(declaration, state, inputs);
  if (declaration.setOf === undefined || !isConcerned || !isSent || hasUnknown(args)) return [];
  if (unknownRanges(args).length > 0) return [];
  const [before, after] = plannedRules(declaration, state, inputs);
  const { created, changed, replaced, removed } = ruleChanges(before, after);
  const { noun, plural } = declaration.setOf;
  return [
    `${counted(rangesIn(args).size, "range")} as ${counted(after.size, noun, plural)} ` +
      `(${inDigits(before.size)} before): the update creates ${inDigits(created)}, changes ${inDigits(changed + replaced)} ` +
      `and deletes ${inDigits(removed)}`,
  ];
}

/** The note on a set whose last rule that allows would become one that denies, without a possible temporary rule. */
function lastAllowed(declaration: Declaration, step: ResourceStep): string[] {
  const { state, inputs, args, changes } = step;
  if (declaration.setOf === undefined || changes.length === 0 || hasUnknown(args)) return [];
  // If the set is not exclusive, the policy may hold other rules that allow.
  if (!isExclusive(args) || unknownRanges(args).length > 0 || keepsAllowing(state.outputs, args)) return [];
  const range = withoutTemporaryRule(...plannedRules(declaration, state, inputs));
  return range === undefined ? [] : [noTemporaryRule(range)];
}

/** Whether an entry allows before and after: a set may have tens of thousands. */
function keepsAllowing(before: FieldValues, args: FieldValues): boolean {
  if (isSummarized(before) || isSummarized(args)) return false;
  const old = membersOf(before.rules);
  const allows = (range: string, entry: unknown): boolean => ruleOf(range, entry).action === "allow";
  return Object.entries(membersOf(args.rules)).some(
    ([range, entry]) => allows(range, entry) && allows(range, old[range]),
  );
}
