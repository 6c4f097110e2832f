/** What is so for a moment of a deployment: between the writes of its run, in any order that the engine may take. */
import { blockOf } from "../../schema/addresses/block";
import type { Json } from "../../schema/json";
import { oncePer } from "../../schema/once-per";
import { isAction, policyOf } from "../../schema/rule-set";
import type { PossibleEntry } from "../access/policies";
import { stepOrder } from "../approval/step-order";
import type { Rehearsal } from "../rehearsal/rehearse";
import type { Context } from "./rule";

/** A write that changes something, with its place among the requests. */
export type RunWrite = Rehearsal["requests"][number] & { readonly position: number };

/** A time after some writes and before others. */
export interface Moment {
  readonly after: readonly RunWrite[];
  readonly before: readonly RunWrite[];
}

/** A rule of a policy, from the write that makes it to the one that deletes it. */
export interface RuleLife extends Pick<PossibleEntry, "action" | "block"> {
  readonly policyId: string;
  readonly cidr: string;
  /** Undefined where it exists before the deployment. */
  readonly made?: RunWrite;
  /** Undefined where it stays. */
  gone?: RunWrite;
}

export const writesOf = oncePer(({ rehearsal }: Context): readonly RunWrite[] =>
  (rehearsal?.requests ?? [])
    .map((request, position) => ({ ...request, position }))
    .filter(({ changes }) => changes.length > 0),
);

/** The rules of each policy of which the deployment makes or deletes some, by the base URL and the id of the policy. */
export const changedPolicies = oncePer((context: Context): ReadonlyMap<string, readonly RuleLife[]> => {
  const current = new Map<string, RuleLife>();
  const byPolicy = new Map<string, RuleLife[]>();
  const add = (rule: Json, baseUrl: string, made?: RunWrite): void => {
    const [cidr, policyId] = [String(rule.cidr), String(policyOf(rule))];
    const action = isAction(rule.action) ? rule.action : undefined;
    const life = { policyId, cidr, action, block: blockOf(cidr), made };
    current.set(`${baseUrl} ${String(rule.id)}`, life);
    const others = byPolicy.get(`${baseUrl} ${policyId}`);
    if (others) others.push(life);
    else byPolicy.set(`${baseUrl} ${policyId}`, [life]);
  };
  for (const { baseUrl, before } of context.rehearsal?.accounts ?? [])
    for (const rule of before.ip_policy_rules ?? []) add(rule, baseUrl);
  for (const write of writesOf(context))
    for (const { list, id, object } of write.changes) {
      if (list !== "ip_policy_rules") continue;
      const old = current.get(`${write.baseUrl} ${id}`);
      if (old && old.cidr === object?.cidr && old.action === object.action) continue;
      if (old) old.gone = write;
      if (object) add(object, write.baseUrl, write);
    }
  return new Map([...byPolicy].filter(([, rules]) => !rules.every(isUnchanged)));
});

/** Whether the rule exists before, during and after the deployment. */
export function isUnchanged({ made, gone }: RuleLife): boolean {
  return !made && !gone;
}

/** The rules before the deployment, and those after it. */
export function endsOf(rules: readonly RuleLife[]): [readonly RuleLife[], readonly RuleLife[]] {
  return [rules.filter(({ made }) => !made), rules.filter(({ gone }) => !gone)];
}

/** The most steps that are known to come before others. */
const mostKnown = 1_000_000;

/** The function says whether the engine may take an order that has the moment. */
export const momentsOf = oncePer(({ plan }: Context): ((moment: Moment) => boolean) => {
  const order = stepOrder(plan);
  const known = new Map<number, ReadonlySet<number>>();
  let size = 0;
  const stepsBefore = (step: number): ReadonlySet<number> => {
    let steps = known.get(step);
    if (!steps) {
      const found = new Set(order[step]!.after);
      // A Set iterates over what is added meanwhile too.
      for (const each of found) for (const other of order[each]!.after) found.add(other);
      // Of a long chain of steps, all of these would not fit into the memory.
      size += found.size;
      if (size > mostKnown) {
        known.clear();
        size = found.size;
      }
      known.set(step, (steps = found));
    }
    return steps;
  };
  /** Whether one write is the other, or is sent before it in every order. */
  const isFirst = (one: RunWrite, other: RunWrite): boolean => {
    // The writes of one step have an order.
    if (one.step === other.step) return one.position <= other.position;
    return (order[other.step]!.isLate && !order[one.step]!.isLate) || stepsBefore(other.step).has(one.step);
  };
  return ({ after, before }) => !before.some((later) => after.some((earlier) => isFirst(later, earlier)));
});

/** The time at which all of the moments are. */
export function atOnce(...moments: readonly Moment[]): Moment {
  return {
    after: moments.flatMap(({ after }) => after),
    before: moments.flatMap(({ before }) => before),
  };
}

/** When a rule is there. */
export function whileThere({ made, gone }: RuleLife): Moment {
  return { after: made ? [made] : [], before: gone ? [gone] : [] };
}

/** When a rule is not there yet; none if it exists before the deployment. */
export function untilMade({ made }: RuleLife): Moment[] {
  return made ? [{ after: [], before: [made] }] : [];
}

/** When a rule is not there any more; none if it stays. */
export function onceGone({ gone }: RuleLife): Moment[] {
  return gone ? [{ after: [gone], before: [] }] : [];
}

/** Whether a rule may be missing at the moment. */
export function mayLack(rule: RuleLife, moment: Moment, canBe: (moment: Moment) => boolean): boolean {
  return [...untilMade(rule), ...onceGone(rule)].some((away) => canBe(atOnce(moment, away)));
}
