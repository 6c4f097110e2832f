/** What the specification leaves open about IP policies, and what follows from the answers of a team. */
import { AddressSet } from "../../schema/addresses/address-set";

/**
 * How the service decides what the specification leaves open. A team states what it has verified with its service; with
 * `unknown`, verdicts say what the rules say.
 */
export interface Semantics {
  /** The rule that counts where an allow rule and a deny rule of one policy cover an address. */
  readonly overlap: "unknown" | "deny-wins" | "allow-wins";
  /** An address that no rule of a policy covers. */
  readonly unmatched: "unknown" | "denied" | "allowed";
  /** A policy with zero rules: open to every address, or closed to every address. */
  readonly empty: "unknown" | "open" | "closed";
  /** Several policies: any of them that lets an address in is enough, or all of them must. */
  readonly policies: "unknown" | "any" | "all";
}

export const semanticsValues: { readonly [S in keyof Semantics]: readonly Semantics[S][] } = {
  overlap: ["unknown", "deny-wins", "allow-wins"],
  unmatched: ["unknown", "denied", "allowed"],
  empty: ["unknown", "open", "closed"],
  policies: ["unknown", "any", "all"],
};

export const semanticsNames = Object.keys(semanticsValues) as readonly (keyof Semantics)[];

/** Nothing is known of what the specification leaves open. */
export const unknownSemantics: Semantics = {
  overlap: "unknown",
  unmatched: "unknown",
  empty: "unknown",
  policies: "unknown",
};

/** What a team has verified, and nothing else. */
export const semanticsWith = (given: Partial<Semantics> = {}): Semantics => ({
  ...unknownSemantics,
  ...given,
});

/** The answers that are given: `overlap is deny-wins`. */
export function semanticsTexts(semantics: Semantics): string[] {
  const given = semanticsNames.filter((name) => semantics[name] !== "unknown");
  return given.map((name) => `${name} is ${semantics[name]}`);
}

/** A set that is known in part: the addresses that are surely in it, and all that may be in it. */
export interface Bounds {
  readonly surely: AddressSet;
  readonly possibly: AddressSet;
}

/** The addresses that the rules of one policy cover. */
export interface PolicyCover {
  readonly allow: Bounds;
  readonly deny: Bounds;
  readonly isEmpty: boolean | "unknown";
}

/** The addresses that policies let in, and those that they keep out. An address in both is undecided, in none unmatched. */
export interface Decision {
  readonly letsIn: Bounds;
  readonly keepsOut: Bounds;
}

const { empty, everything } = AddressSet;

/** Nothing for certain, and everything possibly. */
export const anything: Bounds = { surely: empty, possibly: everything };

export function exactly(set: AddressSet): Bounds {
  return { surely: set, possibly: set };
}

/** Whether everything about a policy is known. */
export function isExact({ allow, deny, isEmpty }: PolicyCover): boolean {
  return isEmpty !== "unknown" && [allow, deny].every(isKnown);
}

function isKnown({ surely, possibly }: Bounds): boolean {
  return surely === possibly;
}

/** What policies decide together. */
export function decide(policies: readonly PolicyCover[], semantics: Semantics): Decision {
  const all = policies.map((policy) => decideOne(policy, semantics));
  const letsIn = union(all.map((each) => each.letsIn));
  const keepsOut = union(all.map((each) => each.keepsOut));
  switch (semantics.policies) {
    case "any":
      return {
        letsIn,
        keepsOut: without(keepsOut, union(all.map((each) => without(each.letsIn, each.keepsOut)))),
      };
    case "all":
      return {
        letsIn: without(letsIn, union(all.map((each) => without(each.keepsOut, each.letsIn)))),
        keepsOut,
      };
    case "unknown":
      return { letsIn, keepsOut };
  }
}

function decideOne({ allow, deny, isEmpty }: PolicyCover, semantics: Semantics): Decision {
  const { overlap, unmatched } = semantics;
  const ruled: Decision = {
    letsIn: sideOf(allow, deny, overlap === "deny-wins", unmatched === "allowed"),
    keepsOut: sideOf(deny, allow, overlap === "allow-wins", unmatched === "denied"),
  };
  if (isEmpty === false) return ruled;
  const ruleless: Decision = {
    letsIn: exactly(semantics.empty === "open" ? everything : empty),
    keepsOut: exactly(semantics.empty === "closed" ? everything : empty),
  };
  if (isEmpty === true) return ruleless;
  return {
    letsIn: either(ruled.letsIn, ruleless.letsIn),
    keepsOut: either(ruled.keepsOut, ruleless.keepsOut),
  };
}

/** The addresses that rules with one action decide, against those with the other one. */
function sideOf(own: Bounds, other: Bounds, otherWins: boolean, ownIfUnmatched: boolean): Bounds {
  const ruled = otherWins ? without(own, other) : own;
  return ownIfUnmatched ? union([ruled, without(exactly(everything), other)]) : ruled;
}

function union(all: readonly Bounds[]): Bounds {
  if (all.length === 1) return all[0]!;
  const surely = AddressSet.unionOf(all.map((each) => each.surely));
  return all.every(isKnown)
    ? exactly(surely)
    : { surely, possibly: AddressSet.unionOf(all.map(({ possibly }) => possibly)) };
}

function without(from: Bounds, removed: Bounds): Bounds {
  const surely = from.surely.difference(removed.possibly);
  return isKnown(from) && isKnown(removed)
    ? exactly(surely)
    : { surely, possibly: from.possibly.difference(removed.surely) };
}

/** One of the two, if it is not known which one. */
function either(a: Bounds, b: Bounds): Bounds {
  return { surely: a.surely.intersection(b.surely), possibly: a.possibly.union(b.possibly) };
}
