/** Who gets in through IP policies: the verdict about every address, as sets of addresses. */
import { AddressSet } from "../../schema/addresses/address-set";
import { families } from "../../schema/addresses/block";
import { coverOf, endsFor, policyAfter, withRanges } from "./policies";
import type { PolicyEntry, PolicyRanges } from "./policies";
import { anything, decide, exactly, isExact } from "./semantics";
import type { Decision, PolicyCover, Semantics } from "./semantics";

/**
 * What IP policies decide about an address. Without {@link Semantics}: `allowed`: an allow rule covers it and no deny rule;
 * `denied`: the opposite; `undecided`: both, and the specification does not say which one counts; `unmatched`: neither;
 * `open`: no IP policy is in effect; `unknown`: known only after the deployment, or decided by a policy outside the program.
 */
export const verdicts = ["allowed", "denied", "undecided", "unmatched", "open", "unknown"] as const;
export type Verdict = (typeof verdicts)[number];

type ByVerdict = Readonly<Record<Verdict, AddressSet>>;

/** Addresses with the same verdict. */
export interface Piece {
  readonly verdict: Verdict;
  readonly addresses: AddressSet;
}

/** What may decide in addition to the known policies. */
interface Beside {
  /** The policies that may decide too, because an id is known only after the deployment. */
  readonly candidates: readonly PolicyRanges[];
  /** The ids of policies that are referred to and do not exist: they have no rules. */
  readonly gone: readonly string[];
  /** Whether a policy that decides is known only after the deployment. */
  readonly hasUnknownPolicy: boolean;
}

const nothingBeside: Beside = { candidates: [], gone: [], hasUnknownPolicy: false };

/** What the policies of a place, or one policy by itself, decide. Sets are computed at their first use. */
export class Access {
  private verdictSets: ByVerdict | undefined;
  private wholeDecision: Decision | undefined;
  private knownDecision: Decision | undefined;
  private readonly later = new Map<number, Access>();

  constructor(
    /** Whether IP policies decide; "unknown" if it is known only after the deployment. */
    readonly isRestricted: boolean | "unknown",
    /** The policies that decide. */
    readonly policies: readonly PolicyRanges[],
    readonly semantics: Semantics,
    readonly beside = nothingBeside,
  ) {}

  /** The policies that decide, and those that may. */
  get allPolicies(): readonly PolicyRanges[] {
    return [...this.policies, ...this.beside.candidates];
  }

  /** Every address of both families is in one of the sets. */
  get byVerdict(): ByVerdict {
    this.verdictSets ??= { ...nothing, ...this.decidedVerdicts() };
    return this.verdictSets;
  }

  /** The addresses that certainly get in: those that are allowed, and those that nothing restricts. */
  get letsIn(): AddressSet {
    return this.byVerdict.allowed.union(this.byVerdict.open);
  }

  /** The verdicts about the addresses of a query, in the order of {@link verdicts}, one piece for each. Default: all addresses. */
  pieces(query?: AddressSet): Piece[] {
    return verdicts
      .map((verdict) => {
        const addresses = this.byVerdict[verdict];
        return { verdict, addresses: query ? addresses.intersection(query) : addresses };
      })
      .filter(({ addresses }) => !addresses.isEmpty());
  }

  /**
   * Whether the rules keep `unmatched` addresses out: each policy has an allow rule for others. The deny rules of a policy
   * without one may let everybody else in.
   */
  get unmatchedStaysOut(): boolean {
    const allows = this.policies.map(({ allowed }) => !allowed.isEmpty());
    const isIn = allows.includes(true);
    const isInEach = !allows.includes(false) && this.beside.gone.length === 0;
    return isIn && (isInEach || this.semantics.policies === "all");
  }

  /** Whether they certainly keep every address out. */
  get isClosed(): boolean {
    return families.every((family) => this.byVerdict.denied.coversFamily(family));
  }

  /** The addresses that the known rules let in. Without `semantics`: the union of the allowed ranges. */
  get allowed(): AddressSet {
    return this.asKnown.letsIn.surely;
  }

  /** The addresses that the known rules keep out; some may be in both sets. Without `semantics`: the denied ranges. */
  get denied(): AddressSet {
    return this.asKnown.keepsOut.surely;
  }

  /** The same with some of the known rules. A policy that loses all of them still does not count as one with zero rules. */
  withRules(isKept: (entry: PolicyEntry) => boolean): Access {
    const policies = this.policies.map((policy) =>
      policy.entries.every(isKept) ? policy : withRanges(policy, policy.entries.filter(isKept)),
    );
    return new Access(this.isRestricted, policies, this.semantics);
  }

  /**
   * The same now, and from each time at which the end of a rule can change a verdict about the addresses, earliest first.
   * Without addresses these are the times at which a policy loses its last allow rule and its last rule. A rule may remain
   * after its end, so past times count too.
   */
  overTime(addresses = AddressSet.empty): { since: number | undefined; access: Access }[] {
    const ends = new Set(this.policies.flatMap((policy) => endsFor(addresses, policy)));
    const later = [...ends].sort((a, b) => a - b);
    return [
      { since: undefined, access: this },
      ...later.map((since) => ({ since, access: this.after(since) })),
    ];
  }

  private after(time: number): Access {
    const known = this.later.get(time);
    if (known) return known;
    const policies = this.policies.map((policy) => policyAfter(policy, time));
    const access = new Access(this.isRestricted, policies, this.semantics, this.beside);
    this.later.set(time, access);
    return access;
  }

  private get asKnown(): Decision {
    this.knownDecision ??= this.isWhollyKnown
      ? this.decision
      : decide(this.policies.map(knownCover), this.semantics);
    return this.knownDecision;
  }

  private get isWhollyKnown(): boolean {
    return this.beside.gone.length === 0 && this.covers.every(isExact);
  }

  private get decision(): Decision {
    this.wholeDecision ??= decide(this.covers, this.semantics);
    return this.wholeDecision;
  }

  private get covers(): PolicyCover[] {
    const { gone, hasUnknownPolicy } = this.beside;
    return [
      ...this.policies.map(coverOf),
      ...gone.map(() => goneCover),
      ...(hasUnknownPolicy ? [unknownCover] : []),
    ];
  }

  private decidedVerdicts(): Partial<ByVerdict> {
    if (this.isRestricted === false) return { open: AddressSet.everything };
    if (this.isRestricted === "unknown") return { unknown: AddressSet.everything };
    const { letsIn, keepsOut } = this.decision;
    const allowed = letsIn.surely.difference(keepsOut.possibly);
    const denied = keepsOut.surely.difference(letsIn.possibly);
    const undecided = letsIn.surely.intersection(keepsOut.surely);
    const unmatched = AddressSet.everything.difference(letsIn.possibly.union(keepsOut.possibly));
    const unknown = AddressSet.everything.difference(allowed.union(denied, undecided, unmatched));
    return { allowed, denied, undecided, unmatched, unknown };
  }
}

const nothing = Object.fromEntries(verdicts.map((verdict) => [verdict, AddressSet.empty])) as ByVerdict;

function knownCover({ allowed, denied, isEmpty }: PolicyRanges): PolicyCover {
  return { allow: exactly(allowed), deny: exactly(denied), isEmpty: isEmpty === true };
}

const noRange = exactly(AddressSet.empty);
/** A policy that does not exist has zero rules. */
const goneCover: PolicyCover = { allow: noRange, deny: noRange, isEmpty: true };
const unknownCover: PolicyCover = { allow: anything, deny: anything, isEmpty: "unknown" };
