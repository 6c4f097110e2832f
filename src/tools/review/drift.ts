/** The drift between the state of a stack and its account, from a preview that began with a refresh. */
import { unknownSemantics } from "../access/semantics";
import { accessTestFailures } from "../access/access-tests";
import type { AccessTest, TestFailure } from "../access/access-tests";
import { shownIdentity } from "../access/access-answer";
import type { ShownIdentity } from "../access/access-answer";
import { accountKey } from "../inventory/inventory";
import type { Inventory } from "../inventory/inventory";
import { endsIn } from "../../schema/entry-ends";
import { canonical } from "../../schema/formats/cidr";
import { textOf } from "../../schema/formats/time";
import { rangesIn, rulePath } from "../../schema/rule-set";
import type { Preview, ResourceChange } from "../inventory/read-preview";
import { driftOf } from "./differences";
import type { Difference } from "./differences";
import { actionCountsOf } from "./review";
import type { ActionCounts } from "./review";

/** An access test that fails in the account: at an object, or because it matches none. */
export type AccountTestFailure = ReturnType<typeof plainFailure>;

/** One stack and its account. */
export interface StackDrift extends Pick<Preview, "errors"> {
  readonly stack: string;
  /** Undefined if there is no preview. */
  readonly project: string | undefined;
  readonly drift: readonly ReturnType<typeof driftedResource>[];
  readonly ended: ReturnType<typeof endedEntries>;
  /** What a deployment would change beside the drift: the program is newer than the last deployment. */
  readonly pending: ActionCounts;
  /** The number of access tests. */
  readonly accessTests: number;
  readonly failures: readonly AccountTestFailure[];
}

/** The part of `StackDrift` that the preview shows. `now` is in milliseconds since 1970. */
export function stackDrift(
  { resources: byUrn, stackName, errors }: Preview,
  stack: string,
  now: number,
): Omit<StackDrift, "accessTests" | "failures"> {
  const resources = [...byUrn.values()];
  const drift = resources
    .map((each) => driftedResource(each, now))
    .filter(({ gone, differences }) => gone || differences.length > 0);
  const drifted = new Set(drift.map(({ urn }) => urn));
  const ended = resources.flatMap((resource) => endedEntries(resource, now));
  const others = resources.filter(({ urn }) => !drifted.has(urn) && !ended.some((each) => each.urn === urn));
  return { stack, project: stackName?.project, drift, ended, pending: actionCountsOf(others), errors };
}

/** A resource whose object somebody changed outside of Pulumi, or deleted, so that it is gone. */
function driftedResource(resource: ResourceChange, now: number) {
  const { urn, name, declaration, recorded, before } = resource;
  const gone = recorded !== undefined && before === undefined;
  const isMeant = isEndOf(recorded, now);
  // From the values in the state to those in the account.
  const differences = driftOf(resource).filter((each) => !isMeant(each));
  return { urn, type: declaration.type, name, gone, differences };
}

/**
 * Whether a difference only means that an expired rule is gone, or one that the last deployment left out because it was gone:
 * `expire` deletes rules in the account and does not change the state.
 */
function isEndOf(recorded: ResourceChange["recorded"], now: number): (difference: Difference) => boolean {
  if (recorded?.declaration.setOf === undefined) return () => false;
  const { args, values, declaration } = recorded;
  const kept = rangesIn(args);
  const ended = endsIn(declaration.fields, args).filter(({ at }) => at <= now);
  const paths = new Set(
    [
      ...ended.map(({ key }) => canonical(key)),
      ...[...rangesIn(values)].filter((range) => !kept.has(range)),
    ].map(rulePath),
  );
  // An entry with more than an action differs member by member.
  return ({ path, next }) => next === undefined && paths.has(path.slice(0, path.indexOf("]") + 1));
}

/** The entries of a set that have expired, and that stay in the account until the next deployment or `expire`. */
function endedEntries({ urn, name, declaration, before }: ResourceChange, now: number) {
  const { fields, type } = declaration;
  // If somebody removed the entry, the refresh removed it from the arguments too.
  return endsIn(fields, before?.args ?? {})
    .filter(({ at }) => at <= now)
    .map(({ key, at }) => ({ urn, type, name, key, until: textOf(at) }));
}

/**
 * The access tests that fail in the account. Objects in another account, which a provider of the stack names, are tested as
 * the refresh found them.
 */
export function accountTestFailures(
  { before }: Preview,
  account: Inventory,
  tests: readonly AccessTest[],
  semantics = unknownSemantics,
): AccountTestFailure[] {
  const ids = new Set([...account.all.values()].map(accountKey));
  const [here, there] = [account, before].map((inventory) => accessTestFailures(inventory, tests, semantics));
  const elsewhere = there!.filter(({ on }) => on !== undefined && !ids.has(accountKey(on)));
  const isMissing = ({ on, test }: TestFailure): boolean =>
    on === undefined && there!.some((each) => each.on === undefined && each.test === test);
  const failures = [...here!.filter((each) => each.on !== undefined || isMissing(each)), ...elsewhere];
  return failures.map((failure) => plainFailure(failure, tests));
}

/** The failure without the objects that it is about, with the place of the test in the list, from 0. */
export function plainFailure({ on, test, message }: TestFailure, tests: readonly AccessTest[]) {
  const identity: Partial<ShownIdentity> = on ? shownIdentity(on) : {};
  return { ...identity, test: tests.indexOf(test), message };
}
