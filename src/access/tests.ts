/** Access tests: what must always hold about who gets in, and where it does not. */
import { oncePer } from "../once-per";
import type { Inventory, InventoryObject } from "../inventory/inventory";
import { globPattern } from "../text/glob";
import { compareTexts } from "../text/order";
import { shortened } from "../text/phrase";
import { AddressSet } from "./address-set";
import { blockOf } from "./block";
import { listText, rangeList, rangesText } from "./range-text";
import { nameOf } from "./report";
import { causesOf, guardedThings, piecesOf, verdicts } from "./verdicts";
import type { VerdictCause, GuardedThing, Verdict } from "./verdicts";

/** What must hold about everything that a pattern names. At least one of the expectations is given. */
export interface AccessTest {
  /** The resource's name, `Type name`, URN or id; `*` matches any text. It must match something. */
  readonly resource: string;
  /** Addresses and ranges of which every address is allowed. */
  readonly allowed?: readonly string[];
  /**
   * Addresses and ranges of which no address is allowed, undecided or open. An address that no rule covers is not allowed
   * if the policies have an allow rule, and undecided if they have none.
   */
  readonly notAllowed?: readonly string[];
  /** Everything that is allowed or undecided lies in these ranges, and the restriction is enabled. */
  readonly onlyFrom?: readonly string[];
}

export const expectations = ["allowed", "notAllowed", "onlyFrom"] as const;
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

/** The failures of access tests, in the order of the tests. What is not known before the deployment breaks them too. */
export function accessTestFailures(inventory: Inventory, tests: readonly AccessTest[]): TestFailure[] {
  const things = guardedThings(inventory).map((thing) => ({ thing, names: namesOf(thing.on) }));
  return tests.flatMap((test) => {
    const pattern = globPattern(test.resource);
    const tested = things.filter(({ names }) => names.some((name) => pattern.test(name)));
    if (tested.length === 0) return [{ test, on: undefined, at: undefined, message: missing(test) }];
    const sets = setsOf(test);
    return tested.flatMap(({ thing }) =>
      expectations.flatMap((expectation): TestFailure[] => {
        const set = sets[expectation];
        const failure = set && failureOf(thing, expectation, set);
        return failure ? [{ test, on: thing.on, ...failure }] : [];
      }),
    );
  });
}

function namesOf({ declaration: { type }, name, urn, id }: InventoryObject): string[] {
  // The name of a resource may be shortened; its URN has all of it.
  const names = [name, ...(urn === undefined ? [] : [urn.split("::").slice(3).join("::")]), id ?? []].flat();
  return [...names, ...names.map((each) => `${type} ${each}`), urn ?? []].flat();
}

/** Whether a pattern names an object, as the resource of a test does. */
export function matches(on: InventoryObject, pattern: string): boolean {
  const glob = globPattern(pattern);
  return namesOf(on).some((name) => glob.test(name));
}

function missing({ resource }: AccessTest): string {
  return `no edge, route or endpoint has the name ${JSON.stringify(shortened(resource, 200))} of an access test`;
}

function isResource(cause: VerdictCause): cause is InventoryObject {
  return !("outside" in cause);
}

const setOf = oncePer((ranges: readonly string[]) =>
  AddressSet.ofBlocks(ranges.flatMap((range) => blockOf(range) ?? [])),
);

function setsOf(test: AccessTest): Partial<Record<Expectation, AddressSet>> {
  return Object.fromEntries(
    expectations.flatMap((expectation) => {
      const ranges = test[expectation];
      return ranges === undefined ? [] : [[expectation, setOf(ranges)]];
    }),
  );
}

/** The verdicts that break an expectation. */
const breaking: Readonly<Record<Expectation, readonly Verdict[]>> = {
  allowed: verdicts.filter((verdict) => verdict !== "allowed"),
  notAllowed: ["allowed", "undecided", "open", "unknown"],
  onlyFrom: ["allowed", "undecided", "open", "unknown"],
};

const expected: Readonly<Record<Expectation, string>> = {
  allowed: "must be allowed",
  notAllowed: "must not be allowed",
  onlyFrom: "must not be allowed, because only other ranges may be",
};

const outcomes: Readonly<Record<Verdict, string>> = {
  allowed: "an allow rule covers it",
  denied: "a deny rule covers it",
  undecided: "allow and deny rules cover it, and the specification does not say which one counts",
  unmatched: "no rule covers it",
  open: "nothing restricts by address",
  unknown: "this is known only after the deployment",
};

function failureOf(
  thing: GuardedThing,
  expectation: Expectation,
  set: AddressSet,
): Pick<TestFailure, "message" | "at"> | undefined {
  if (expectation === "onlyFrom" && thing.isRestricted !== true) {
    const state =
      thing.isRestricted === false ? "nothing restricts" : "it is not known whether anything restricts";
    return {
      at: undefined,
      message: `${state} by address, but only ${rangesText(rangeList(set))} may be allowed`,
    };
  }
  const hasAllowRule = thing.policies.some(({ allowed }) => !allowed.isEmpty());
  const isBroken = (verdict: Verdict): boolean =>
    breaking[expectation].includes(verdict) || (verdict === "unmatched" && !hasAllowRule);
  const asked = expectation === "onlyFrom" ? AddressSet.everything.difference(set) : set;
  const pieces = piecesOf(thing, asked).filter(({ verdict }) => isBroken(verdict));
  if (pieces.length === 0) return undefined;
  const causes = pieces.map((piece) => causesOf(thing, piece));
  const sentences = pieces.map(({ verdict, addresses }, i) => {
    const by = listText(causes[i]!.map(nameOf).sort(compareTexts), "rule");
    const outcome = `${outcomes[verdict]}${by === "" ? "" : ` (${by})`}`;
    return `${rangesText(rangeList(addresses))} ${expected[expectation]}: ${outcome}`;
  });
  const at = causes.flat().find(isResource);
  return { at, message: sentences.join("; ") };
}
