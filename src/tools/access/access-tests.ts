/** Access tests: what must always hold about who gets in, and the resources that break it. */
import { oncePer } from "../../schema/once-per";
import type { Inventory, InventoryObject } from "../inventory/inventory";
import { tokensOf } from "../stack/engine-identity";
import { nameOfOne } from "../../provider/urn";
import { globPattern } from "../../schema/text/glob";
import { compareTexts } from "../../schema/text/compare-texts";
import { listText, shortened } from "../../schema/text/phrase";
import { AddressSet } from "../../schema/addresses/address-set";
import { blockOf } from "../../schema/addresses/block";
import { textOf } from "../../schema/formats/time";
import { rangeList, rangesText } from "./range-text";
import { nameOf } from "./access-answer";
import { unknownSemantics } from "./semantics";
import { verdicts } from "./verdicts";
import type { Verdict } from "./verdicts";
import { causesOf, isResource, placesIn } from "./place";
import type { Place } from "./place";
import { reachOf } from "./policies";

/** What must hold for all resources that match a pattern. At least one of the expectations is given. */
export interface AccessTest {
  /** The resource's name, `Type name`, URN or id; `*` matches any text. It must match something. */
  readonly resource: string;
  /** Every address of these addresses and ranges is allowed. */
  readonly allowed?: readonly string[];
  /** Every address of these addresses and ranges is denied. */
  readonly denied?: readonly string[];
  /**
   * No address of these addresses and ranges is allowed, undecided, open or unknown. If a policy has no allow rule, none is
   * unmatched either: its deny rules alone may let everybody else in. With `policies: all` one allow rule is enough.
   */
  readonly notAllowed?: readonly string[];
  /** The restriction is enabled, and every address outside these ranges meets `notAllowed`. */
  readonly onlyFrom?: readonly string[];
}

export const expectations = ["allowed", "denied", "notAllowed", "onlyFrom"] as const;
type Expectation = (typeof expectations)[number];

/** A resource that breaks a test. */
export interface TestFailure {
  readonly test: AccessTest;
  /** Undefined if the test matches nothing. */
  readonly on: InventoryObject | undefined;
  /** The rule that causes it, if one does. */
  readonly at: InventoryObject | undefined;
  /** A sentence without a full stop. */
  readonly message: string;
}

/**
 * The failures of access tests, in the order of the tests. A test must hold now and once rules have ended; its failure is
 * about the first time at which it does not hold. What is not known before the deployment breaks a test too.
 */
export function accessTestFailures(
  inventory: Inventory,
  tests: readonly AccessTest[],
  semantics = unknownSemantics,
): TestFailure[] {
  const places = placesIn(inventory, semantics);
  const unclear = inventory.mismatches.flatMap(({ name, problem }): TestFailure[] =>
    tests.slice(0, 1).map((test) => ({
      ...{ test, on: undefined, at: undefined },
      message: `${JSON.stringify(name)} is not what it seems, so access is not known: ${problem}`,
    })),
  );
  const failures = tests.flatMap((test) => {
    const isTested = resourcePattern(test.resource);
    const tested = places.filter(({ on }) => isTested(on));
    if (tested.length === 0) return [{ test, on: undefined, at: undefined, message: missing(test) }];
    return tested.flatMap((place) =>
      expectations.flatMap((expectation): TestFailure[] => {
        const ranges = test[expectation];
        const failure = ranges && failureOverTime(place, expectation, setOf(ranges, expectation));
        return failure ? [{ test, on: place.on, ...failure }] : [];
      }),
    );
  });
  return [...unclear, ...failures];
}

const namesOf = oncePer(({ declaration: { type }, name, urn, id }: InventoryObject): string[] => {
  // The name of a resource may be shortened; its URN has the whole name.
  const names = [name, ...(urn === undefined ? [] : [nameOfOne(urn, tokensOf(type))]), id ?? []].flat();
  return [...names, ...names.map((each) => `${type} ${each}`), urn ?? []].flat();
});

/** Whether a pattern names an object, as the resource of a test does. */
export function resourcePattern(pattern: string): (on: InventoryObject) => boolean {
  const glob = globPattern(pattern);
  return (on) => namesOf(on).some((name) => glob.test(name));
}

function missing({ resource }: AccessTest): string {
  return `no edge, route or endpoint has the name ${JSON.stringify(shortened(resource, 200))} of an access test`;
}

/** The IPv4 addresses that IPv6 ranges embed must be kept out too. */
const setWithEmbedded = oncePer((ranges: readonly string[]) => {
  const blocks = ranges.flatMap((range) => blockOf(range) ?? []);
  return AddressSet.ofBlocks(blocks.flatMap((block) => reachOf("allow", block)));
});
const setAsGiven = oncePer((ranges: readonly string[]) => AddressSet.ofRanges(ranges));

function setOf(ranges: readonly string[], expectation: Expectation): AddressSet {
  const keepsOut = expectation === "notAllowed" || expectation === "denied";
  return (keepsOut ? setWithEmbedded : setAsGiven)(ranges);
}

/** The verdicts that break an expectation. */
const breaking: Readonly<Record<Expectation, readonly Verdict[]>> = {
  allowed: verdicts.filter((verdict) => verdict !== "allowed"),
  denied: verdicts.filter((verdict) => verdict !== "denied"),
  notAllowed: ["allowed", "undecided", "open", "unknown"],
  onlyFrom: ["allowed", "undecided", "open", "unknown"],
};

const expected: Readonly<Record<Expectation, string>> = {
  allowed: "must be allowed",
  denied: "must be denied",
  notAllowed: "must not be allowed",
  onlyFrom: "must not be allowed, because onlyFrom does not list it",
};

const outcomes: Readonly<Record<Verdict, string>> = {
  allowed: "an allow rule covers it",
  denied: "a deny rule covers it",
  undecided: "allow and deny rules cover it, and the specification does not say which one counts",
  unmatched: "no rule covers it",
  open: "no IP policy is in effect",
  unknown: "this is known only after the deployment",
};

/** The outcomes that a team's answers decide and no rule. */
const unruled: Partial<Record<Verdict, string>> = {
  allowed: "no rule covers it, and it is allowed by the setting semantics",
  denied: "no rule covers it, and it is denied by the setting semantics",
};

/** The first failure: now, or once a rule has ended. */
function failureOverTime(
  place: Place,
  expectation: Expectation,
  set: AddressSet,
): Pick<TestFailure, "message" | "at"> | undefined {
  const asked = expectation === "onlyFrom" ? AddressSet.everything.difference(set) : set;
  for (const { since, access } of place.access.overTime(asked)) {
    const failure = failureOf({ ...place, access }, expectation, set, asked);
    if (failure === undefined) continue;
    return since === undefined
      ? failure
      : { ...failure, message: `from ${textOf(since)} on, ${failure.message}` };
  }
  return undefined;
}

function failureOf(
  place: Place,
  expectation: Expectation,
  set: AddressSet,
  asked: AddressSet,
): Pick<TestFailure, "message" | "at"> | undefined {
  const { isRestricted, unmatchedStaysOut } = place.access;
  if (expectation === "onlyFrom" && isRestricted !== true) {
    const state = isRestricted === false ? "no IP policy is" : "it is not known whether an IP policy is";
    return {
      at: undefined,
      message: `${state} in effect, but only ${rangesText(rangeList(set))} may be allowed`,
    };
  }
  const isBroken = (verdict: Verdict): boolean =>
    breaking[expectation].includes(verdict) || (verdict === "unmatched" && !unmatchedStaysOut);
  const pieces = place.access.pieces(asked).filter(({ verdict }) => isBroken(verdict));
  if (pieces.length === 0) return undefined;
  const causes = pieces.map((piece) => causesOf(place, piece));
  const sentences = pieces.map(({ verdict, addresses }, i) => {
    const by = listText(causes[i]!.map(nameOf).sort(compareTexts), "rule");
    const reason = by === "" ? (unruled[verdict] ?? outcomes[verdict]) : outcomes[verdict];
    const outcome = `${reason}${by === "" ? "" : ` (${by})`}`;
    return `${rangesText(rangeList(addresses))} ${expected[expectation]}: ${outcome}`;
  });
  const at = causes.flat().find(isResource);
  return { at, message: sentences.join("; ") };
}
