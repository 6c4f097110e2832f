/**
 * An oracle of who gets in, written from docs/access.md alone: it uses nothing of `src`. It answers about one address in one
 * world, by going through all that is not known.
 */
import { contains, embedded, intervalOf } from "./ranges";
import type { Address, Range } from "./ranges";

export type Action = "allow" | "deny";
export type Verdict = "allowed" | "denied" | "undecided" | "unmatched" | "open" | "unknown";

/** "What the specification leaves open". */
export interface Answers {
  readonly overlap: "unknown" | "deny-wins" | "allow-wins";
  readonly unmatched: "unknown" | "denied" | "allowed";
  readonly empty: "unknown" | "open" | "closed";
  readonly policies: "unknown" | "any" | "all";
}

export interface Rule {
  readonly action: Action | "unknown";
  readonly range: Range | "unknown";
  /** Whether it belongs to the policy. */
  readonly isHere: true | "unknown";
  /** When the program lets it end; Infinity for never. */
  readonly end: number;
  /** The resource that declares it. */
  readonly source: string;
}

export interface Policy {
  readonly name: string;
  /** Whether it may have any rule beside its own: it is outside, only read, or has a set that is not exclusive or not known. */
  readonly hasOthers: boolean;
  readonly rules: readonly Rule[];
  /** The sets that are not known as a whole. */
  readonly open: readonly string[];
  /** Whether it is deleted, and the id stays where it is. */
  readonly isGone: boolean;
}

/** The restriction by address of an edge or module. */
export interface Guard {
  readonly enabled: boolean | "unknown";
  /** Whether nothing of the list of policies is known, not even whether it has one. */
  readonly isOpenList: boolean;
  /** Whether one of its policies may be any policy. */
  readonly hasUnknown: boolean;
  /** The policies that are known for certain. Without any, no IP policy is in effect. */
  readonly policies: readonly Policy[];
  /** The policies that the program means, by the resources that its values come from. */
  readonly meant: readonly Policy[];
}

/** "… also counts as an allow rule for the IPv4 addresses" that its IPv6 addresses embed. */
function counts(range: Range, action: Action, address: Address): boolean {
  if (contains(intervalOf(range), address)) return true;
  return action === "allow" && embedded(range).some((each) => contains(each, address));
}

/** What the rules of a policy can be for an address: whether one allows it, one denies it, and whether there is one. */
interface Facts {
  readonly allow: boolean;
  readonly deny: boolean;
  readonly isEmpty: boolean;
}

const bools = [true, false] as const;
const noRule: Facts = { allow: false, deny: false, isEmpty: true };

function factsOf({ hasOthers, rules, open }: Policy, address: Address): Facts[] {
  let all: Facts[] = [noRule];
  const each = (next: (facts: Facts) => Facts[]): void => {
    const found = all.flatMap(next);
    all = [...new Map(found.map((facts) => [keyOf(facts), facts])).values()];
  };
  for (const { action, range, isHere } of rules) {
    each((facts) => {
      const there = (action === "unknown" ? (["allow", "deny"] as const) : [action]).flatMap((one) =>
        (range === "unknown" || (isHere === "unknown" && counts(range, one, address))
          ? bools
          : [counts(range, one, address)]
        ).map((covers) => ({
          ...{ ...facts, isEmpty: false },
          ...(covers && { [one]: true }),
        })),
      );
      return isHere === true ? there : [facts, ...there];
    });
  }
  if (hasOthers || open.length > 0) {
    each((facts) =>
      bools.flatMap((allow) =>
        bools.flatMap((deny) => {
          const found = { allow: facts.allow || allow, deny: facts.deny || deny };
          const others = allow || deny || !facts.isEmpty ? [false] : bools;
          return others.map((isEmpty) => ({ ...found, isEmpty }));
        }),
      ),
    );
  }
  return all;
}

function keyOf({ allow, deny, isEmpty }: Facts): number {
  return (allow ? 4 : 0) + (deny ? 2 : 0) + (isEmpty ? 1 : 0);
}

type Says = "in" | "out" | "both" | "nothing";

/** "Each policy then says of an address one of four things". */
function saysOf({ allow, deny, isEmpty }: Facts, { overlap, unmatched, empty }: Answers): Says {
  if (isEmpty) return ({ unknown: "nothing", open: "in", closed: "out" } as const)[empty];
  if (allow && deny) return ({ unknown: "both", "deny-wins": "out", "allow-wins": "in" } as const)[overlap];
  if (allow) return "in";
  if (deny) return "out";
  return ({ unknown: "nothing", denied: "out", allowed: "in" } as const)[unmatched];
}

/** "The policies together decide as follows. A policy that says nothing has no part in it". */
function together(all: readonly Says[], { policies }: Answers): Verdict {
  const said = new Set(all.filter((each) => each !== "nothing"));
  if (said.size === 0) return "unmatched";
  if (policies === "any" && said.has("in")) return "allowed";
  if (policies === "all" && said.has("out")) return "denied";
  if (said.has("both") || said.size > 1) return "undecided";
  return said.has("in") ? "allowed" : "denied";
}

/** A policy of which nothing is known. */
const anyPolicy: Policy = { name: "", hasOthers: true, rules: [], open: [], isGone: false };

/** Whether no IP policy is in effect. */
export function isOpen({ enabled, isOpenList, hasUnknown, policies }: Guard): boolean {
  return enabled === false || (!isOpenList && !hasUnknown && policies.length === 0);
}

/** "An address is `unknown` only where what is not known can change its verdict." */
export function verdictOf(guard: Guard, address: Address, answers: Answers): Verdict {
  if (isOpen(guard)) return "open";
  const { enabled, isOpenList, hasUnknown, policies } = guard;
  if (enabled === "unknown" || isOpenList) return "unknown";
  const all = hasUnknown ? [...policies, anyPolicy] : policies;
  const choices = all.map((policy) => [
    ...new Set(factsOf(policy, address).map((facts) => saysOf(facts, answers))),
  ]);
  const found = new Set<Verdict>();
  const go = (said: readonly Says[]): void => {
    const next = choices[said.length];
    if (next === undefined) found.add(together(said, answers));
    else for (const each of next) go([...said, each]);
  };
  go([]);
  return found.size === 1 ? [...found][0]! : "unknown";
}

export const expectations = ["allowed", "denied", "notAllowed", "onlyFrom"] as const;
type Expectation = (typeof expectations)[number];

/** The years in which rules of a guard end. */
export function endsOf({ policies }: Guard): number[] {
  const ends = policies.flatMap(({ rules }) => rules.map(({ end }) => end));
  return [...new Set(ends)].filter((end) => end < Infinity);
}

/** The guard once the rules have ended that end by a year: "they count as removed". */
export function guardAfter(guard: Guard, year: number): Guard {
  const after = (policies: readonly Policy[]): Policy[] =>
    policies.map((policy) => ({ ...policy, rules: policy.rules.filter(({ end }) => end > year) }));
  return { ...guard, policies: after(guard.policies), meant: after(guard.meant) };
}

/** Whether an access test that asks about addresses with these verdicts holds at one time. */
export function holds(
  guard: Guard,
  expectation: Expectation,
  asked: ReadonlySet<Verdict>,
  answers: Answers,
): boolean {
  if (expectation === "onlyFrom" && (isOpen(guard) || guard.enabled === "unknown" || guard.isOpenList))
    return false;
  return [...asked].every((verdict) => {
    if (expectation === "allowed" || expectation === "denied") return verdict === expectation;
    return verdict === "denied" || (verdict === "unmatched" && unmatchedIsFine(guard, answers));
  });
}

/** "… none is `unmatched` where a policy has no allow rule"; "if `policies` is `all`, one policy with an allow rule is enough". */
function unmatchedIsFine({ policies }: Guard, answers: Answers): boolean {
  const allows = policies.map(({ rules }) => rules.filter(isSure).some(({ action }) => action === "allow"));
  return allows.includes(true) && (answers.policies === "all" || !allows.includes(false));
}

interface SureRule extends Rule {
  readonly action: Action;
  readonly range: Range;
}

function isSure(rule: Rule): rule is SureRule {
  return rule.action !== "unknown" && rule.range !== "unknown" && rule.isHere === true;
}

/** What is known of who gets in: "what is not known is left out". */
interface Known {
  readonly letsIn: boolean;
  readonly keepsOut: boolean;
}

/** @param isLeft which rules still stand. A policy does not become one without rules when they end. */
function known({ meant }: Guard, address: Address, answers: Answers, isLeft: (rule: Rule) => boolean): Known {
  const said = meant.map(({ rules, hasOthers, open }) => {
    const sure = rules.filter((rule): rule is SureRule => isSure(rule) && isLeft(rule));
    const covers = (action: Action): boolean =>
      sure.some((rule) => rule.action === action && counts(rule.range, action, address));
    const isEmpty = rules.length === 0 && !hasOthers && open.length === 0;
    return saysOf({ allow: covers("allow"), deny: covers("deny"), isEmpty }, answers);
  });
  const verdict = together(said, answers);
  return {
    letsIn: verdict === "allowed" || verdict === "undecided",
    keepsOut: verdict === "denied" || verdict === "undecided",
  };
}

/** Whether the rules that are known, of the policies that are known, let an address in, and none of them keeps it out. */
export function isLetInAsKnown(guard: Guard, address: Address, answers: Answers): boolean {
  const meant = guard.policies.filter(({ isGone }) => !isGone);
  const { letsIn, keepsOut } = known({ ...guard, meant }, address, answers, () => true);
  return letsIn && !keepsOut;
}

function isSameRange(a: Range, b: Range | "unknown"): boolean {
  return b !== "unknown" && a.family === b.family && a.value === b.value && a.prefix === b.prefix;
}

export const kinds = [
  "newly allowed",
  "no longer allowed",
  "newly denied",
  "no longer denied",
  "allowed for longer",
  "denied for a shorter time",
] as const;
export type Kind = (typeof kinds)[number];

/** "Differences": what a review reports about an address at a place; of longer access its end. */
export function differencesAt(
  from: Guard,
  to: Guard,
  address: Address,
  answers: Answers,
): ReadonlyMap<Kind, number | undefined> {
  const gone = new Set(to.policies.filter(({ isGone }) => isGone).map(({ name }) => name));
  const withoutGone = (guard: Guard): Guard => ({
    ...guard,
    meant: guard.meant.filter(({ name }) => !gone.has(name)),
  });
  const [before, after] = [withoutGone(from), withoutGone(to)];
  const news = after.meant.flatMap(({ rules }) => rules);
  const open = [
    ...news.filter((rule) => !isSure(rule)),
    ...after.meant.flatMap((policy) =>
      policy.open.map((source) => ({ action: "unknown", range: "unknown", source }) as const),
    ),
  ];
  /** "an old range that it could be may or may not remain" */
  const mayRemain = (old: Rule): boolean =>
    !news.some((rule) => isSure(rule) && rule.source === old.source && isSameRange(rule.range, old.range)) &&
    open.some(
      ({ action, range, source }) =>
        source === old.source &&
        (action === "unknown" || action === old.action) &&
        (range === "unknown" || isSameRange(range, old.range)),
    );
  const at = (moment: number): Record<"old" | "rest" | "next", Known> => ({
    old: known(before, address, answers, ({ end }) => end >= moment),
    rest: known(before, address, answers, (rule) => rule.end >= moment && !mayRemain(rule)),
    next: known(after, address, answers, ({ end }) => end >= moment),
  });
  const now = at(0);
  const gained = now.next.letsIn && !now.old.letsIn && !now.rest.letsIn;
  const lost = now.rest.letsIn && now.old.letsIn && !now.next.letsIn;
  const isDecided = answers.unmatched !== "unknown" || answers.empty !== "unknown";
  const found = new Map<Kind, number | undefined>();
  if (gained) found.set("newly allowed", undefined);
  if (lost) found.set("no longer allowed", undefined);
  if (now.next.keepsOut && !now.old.keepsOut && !now.rest.keepsOut && !(isDecided && lost))
    found.set("newly denied", undefined);
  if (now.rest.keepsOut && now.old.keepsOut && !now.next.keepsOut && !(isDecided && gained))
    found.set("no longer denied", undefined);
  for (const moment of [2030, 2040, Infinity]) {
    const later = at(moment);
    if (now.old.letsIn && later.next.letsIn && !later.old.letsIn && !later.rest.letsIn)
      found.set("allowed for longer", moment);
    if (now.next.keepsOut && later.rest.keepsOut && later.old.keepsOut && !later.next.keepsOut)
      found.set("denied for a shorter time", undefined);
  }
  return found;
}

/** What a client may do: 2 gets in, 1 perhaps, 0 not; undefined where nobody knows. A place that does not exist serves nobody. */
export function levelOf(verdict: Verdict, guard: Guard, answers: Answers): 0 | 1 | 2 | undefined {
  if (verdict === "unknown") return undefined;
  if (verdict === "allowed" || verdict === "open") return 2;
  if (verdict === "undecided") return 1;
  return holds(guard, "notAllowed", new Set([verdict]), answers) ? 0 : 1;
}
