/** Records what each resource of a program claims, such as a path or an address, to find resources that claim the same. */
import type * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import { oncePer } from "../schema/once-per";
import * as sdk from "../schema/sdk";
import { programLine } from "./program-errors";
import { hasOwnPath, idIn, namesIn } from "../provider/http/path";
import { isAbsent, membersOf, contains } from "../schema/unknown";
import type { Problem } from "../schema/validate";
import { argumentsFrom } from "../schema/values";
import { withStandingEntries } from "../schema/entry-ends";
import { declaresRules, isExclusive, rulePath } from "../schema/rule-set";
import { canonical, problem } from "../schema/formats/cidr";
import { visible } from "./program-arguments";
import type { Constructed } from "./program-arguments";
import { contested } from "../schema/occupied-addresses";
import type { OccupiedAddresses } from "../schema/occupied-addresses";
import { warnLater } from "./advice";

type Claiming = Pick<Constructed, "declaration" | "name" | "args" | "provider">;

/** A resource that claims something. */
interface Claimant {
  readonly declaration: Declaration;
  readonly name: string;
  /** Created where the program constructs the resource. */
  readonly at: Error;
}

interface ClaimsFor<T> {
  /** The earlier claims in this run of the program with the same provider, by their key. */
  readonly claims: Map<unknown, T>;
  /** The resource. */
  readonly by: Claimant;
}

/**
 * Several runs may share a process. Undefined without a stack, as in a test, which may construct the same resources again.
 */
function claimsOfRun<T>(): (resource: Claiming) => ClaimsFor<T> | undefined {
  const byProvider = oncePer((_run: object) => new Map<unknown, Map<unknown, T>>());
  return ({ declaration, name, provider }) => {
    const run = sdk.getStackResource();
    if (run === undefined) return undefined;
    const all = byProvider(run);
    const claims = all.get(provider) ?? new Map<unknown, T>();
    all.set(provider, claims);
    return { claims, by: { declaration, name, at: new Error() } };
  };
}

/** Uses the value now, or as soon as it is known; never if it stays unknown. */
function whenKnown(value: unknown, use: (value: unknown) => void): void {
  if (sdk.isLater(value)) (sdk.output(value) as pulumi.Output<unknown>).apply(use);
  else use(value);
}

/** The problem of two resources for one object. @param names the arguments that no two objects may have in common. */
function repetition(by: Claimant, other: Claimant, names: readonly string[]): string {
  const line = programLine(by.at);
  const here = line === undefined ? "" : `; this one is at ${line}`;
  return repetitionText(by.declaration, labelOf(other), names) + here;
}

/** The same without the place in the program. @param other names the other resource. */
export function repetitionText(declaration: Declaration, other: string, names: readonly string[]): string {
  const { noun } = declaration.setOf ?? declaration;
  return (
    `must not be that of ${other} too: only one ${noun} may have this ${names.join(" and ")}. ` +
    "Remove one of the two"
  );
}

/** A resource with its line in the program. */
function labelOf({ declaration, name, at }: Claimant): string {
  const line = programLine(at);
  return `${declaration.type} ${JSON.stringify(name)}${line === undefined ? "" : ` (${line})`}`;
}

/**
 * Records what no other resource may have: the rules of a policy, or the path of the object.
 * @param found called with each problem, at once or when the values become known.
 */
export function claim(resource: Claiming, found: (problem: Problem) => void): void {
  if (declaresRules(resource.declaration)) claimRules(resource, found);
  else if (hasOwnPath(resource.declaration)) claimPath(resource, found);
}

/** By path. */
const pathsOf = claimsOfRun<Claimant>();

/** Records the path of the resource's object. Sets of rules share the path of their policy. */
function claimPath(resource: Claiming, found: (problem: Problem) => void): void {
  const { path } = resource.declaration;
  const { args } = resource;
  const names = namesIn(path);
  const values = Object.fromEntries(names.map((each) => [each, args[each]]));
  if (Object.values(values).some(isAbsent)) return;
  const own = pathsOf(resource);
  if (own === undefined) return;
  const { claims, by } = own;
  const isKnown = !Object.values(values).some(sdk.isLater);
  whenKnown(isKnown ? values : sdk.output(values), (known) => {
    const key = `${path} ${idIn(path, argumentsFrom(membersOf(known)))}`;
    const other = claims.get(key);
    if (other) found({ path: names.at(-1)!, clause: repetition(by, other, names) });
    else claims.set(key, by);
  });
}

/** The ranges that a resource claims, in canonical spelling, with the paths of the arguments that hold them. */
interface Claim {
  readonly by: Claimant;
  readonly ranges: () => ReadonlyMap<string, string>;
}

/**
 * What is claimed of one policy. Two rules with one range contradict each other, and so does an exclusive set beside other
 * rules, which every deployment would remove.
 */
class ClaimedPolicy {
  private any: Claimant | undefined;
  private exclusive: Claimant | undefined;
  private unindexed: Claim | undefined;
  private readonly byRange = new Map<string, Claimant>();

  /** Records that the resource claims some or all rules. Returns the contradiction with an earlier resource. */
  enter(by: Claimant, isExclusive: boolean): Problem | undefined {
    const other = isExclusive ? this.any : this.exclusive;
    this.any ??= by;
    if (isExclusive) this.exclusive ??= by;
    return other && { path: "ipPolicyId", clause: contradiction(by, other, isExclusive) };
  }

  /** Records the ranges. Returns the problem of the first range that another resource claims too. */
  claim(claim: Claim): Problem | undefined {
    // The ranges of a set are spelled canonically only where the policy has a second claim.
    if (this.unindexed === undefined && this.byRange.size === 0) {
      this.unindexed = claim;
      return undefined;
    }
    if (this.unindexed)
      for (const range of this.unindexed.ranges().keys()) this.byRange.set(range, this.unindexed.by);
    this.unindexed = undefined;
    let problem: Problem | undefined;
    for (const [range, path] of claim.ranges()) {
      const other = this.byRange.get(range);
      if (other === undefined) this.byRange.set(range, claim.by);
      else if (other !== claim.by)
        problem ??= { path, clause: repetition(claim.by, other, ["cidr", "ipPolicyId"]) };
    }
    return problem;
  }
}

/** By id. */
const policiesOf = claimsOfRun<ClaimedPolicy>();

/** Records which rules the resource manages. `found` is called at most once, with the contradiction. */
function claimRules(resource: Claiming, found: (problem: Problem) => void): void {
  const { declaration, args } = resource;
  const { ipPolicyId: id } = args;
  if (isAbsent(id)) return;
  const own = policiesOf(resource);
  if (own === undefined) return;
  const { claims, by } = own;
  const isSet = declaration.setOf !== undefined;
  let isReported = false;
  const note = (work: (of: ClaimedPolicy) => Problem | undefined): void => {
    const noteAt = (key: unknown): void => {
      const of = claims.get(key) ?? new ClaimedPolicy();
      claims.set(key, of);
      const problem = work(of);
      if (problem === undefined || isReported) return;
      isReported = true;
      found(problem);
    };
    noteAt(id);
    // The same id may come from another Output, or be a text of the program.
    if (sdk.Output.isInstance(id)) id.apply(noteAt);
  };
  whenKnown(args.exclusive, (exclusive) => note((of) => of.enter(by, isSet && isExclusive({ exclusive }))));
  const ranges = (value: unknown) => (isSet ? rangesOfSet(declaration, value) : rangeOfRule(value));
  const claimRanges = (value: unknown): void => note((of) => of.claim({ by, ranges: () => ranges(value) }));
  whenKnown(isSet ? args.rules : args.cidr, (value) => {
    claimRanges(value);
    // Ranges in a list may be Outputs: the known ones are claimed first.
    if (Array.isArray(value) && contains(value, sdk.isLater)) whenKnown(sdk.output(value), claimRanges);
  });
}

function rangesOfSet({ fields }: Declaration, rules: unknown): Map<string, string> {
  const entries = Array.isArray(rules) ? visible({ rules }) : { rules };
  const standing = membersOf(withStandingEntries(fields, entries, Date.now()).rules);
  const known = Object.keys(standing).filter((range) => problem(range) === undefined);
  return new Map(known.map((range) => [canonical(range), rulePath(range)]));
}

function rangeOfRule(range: unknown): Map<string, string> {
  return new Map(typeof range === "string" ? [[canonical(range), "cidr"]] : []);
}

function contradiction(by: Claimant, other: Claimant, isExclusive: boolean): string {
  const advice =
    by.declaration === other.declaration
      ? "merge the two"
      : "make it an entry of the set, or set exclusive to false";
  const beside = `must not be that of ${labelOf(other)}`;
  return isExclusive
    ? `${beside}: this set manages all IP policy rules of it; ${advice}`
    : `${beside}, which manages all IP policy rules of it; ${advice}`;
}

interface Occupant extends OccupiedAddresses {
  readonly by: Claimant;
}

/** By address. */
const occupantsOf = claimsOfRun<readonly Occupant[]>();

/** Warns on the resource, as soon as its addresses are known, if an earlier one has one of them. */
export function warnOfOccupiedAddress(on: pulumi.Resource, resource: Constructed): void {
  const { declaration, args } = resource;
  const { address, occupies } = declaration;
  if (!occupies || isAbsent(args[address!])) return;
  const own = occupantsOf(resource);
  if (own === undefined) return;
  const { claims, by } = own;
  const values = { [address!]: args[address!], poolingEnabled: args.poolingEnabled };
  warnLater(on, values, (known) => {
    const occupant = { ...occupies(known), by };
    return occupant.addresses.flatMap((url) => {
      const here = claims.get(url) ?? [];
      const other = here.find((each) => contested(occupant, each) !== undefined);
      claims.set(url, [...here, occupant]);
      return other ? [sharedText(url, occupant, other)] : [];
    });
  });
}

function sharedText(url: string, own: Occupant, other: Occupant): string {
  const { declaration } = own.by;
  const canShare = declaration === other.by.declaration && declaration.fields.poolingEnabled !== undefined;
  const way = canShare ? ", or set poolingEnabled on both" : "";
  return (
    `${declaration.address}: ${url} is an address of ${labelOf(other.by)} too, and the service may refuse to serve it twice. ` +
    `Take it out of one of the two${way}`
  );
}
