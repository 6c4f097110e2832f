/**
 * Finds resources of one program that contradict each other: two rules of a policy with the same range, and an exclusive set
 * beside other rules of its policy, which every deployment would remove.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import type { Declaration } from "../schema/declaration";
import { withoutEndedEntries } from "../schema/entry-ends";
import { declaresRules, isExclusive, rulePath } from "../schema/rule-set";
import { canonical, problem } from "../schema/formats/cidr";
import { withMaps } from "../schema/listed";
import { contains, isAbsent, membersOf } from "../schema/unknown";
import type { Problem } from "../schema/validate";
import { visible } from "./program-arguments";
import { claimsOfRun, labelOf, repetition, whenKnown } from "./claims";
import type { Claimant } from "./claims";
import type { Json } from "../schema/json";

/** The ranges that a resource claims, in canonical spelling, with the paths of the arguments that hold them. */
interface Claim {
  readonly by: Claimant;
  readonly ranges: () => ReadonlyMap<string, string>;
}

/** What is claimed of one policy. */
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

/**
 * Records which rules the resource manages.
 * @param found called at most once with the contradiction, at once or when the values become known.
 */
export function claimRules(
  declaration: Declaration,
  name: string,
  args: Json,
  provider: pulumi.ProviderResource | undefined,
  found: (problem: Problem) => void,
): void {
  const { ipPolicyId: id } = args;
  if (!declaresRules(declaration) || isAbsent(id)) return;
  const policies = policiesOf(provider);
  if (policies === undefined) return;
  const isSet = declaration.setOf !== undefined;
  const by = { declaration, name, at: new Error() };
  let isReported = false;
  const note = (work: (of: ClaimedPolicy) => Problem | undefined): void => {
    const noteAt = (key: unknown): void => {
      const of = policies.get(key) ?? new ClaimedPolicy();
      policies.set(key, of);
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
  const claim = (value: unknown): void => note((of) => of.claim({ by, ranges: () => ranges(value) }));
  whenKnown(isSet ? args.rules : args.cidr, (value) => {
    claim(value);
    // Ranges in a list may be Outputs: the known ones are claimed first.
    if (Array.isArray(value) && contains(value, sdk.isLater)) whenKnown(sdk.output(value), claim);
  });
}

function rangesOfSet({ fields }: Declaration, rules: unknown): Map<string, string> {
  const entries = Array.isArray(rules) ? withMaps(fields, visible({ rules })) : { rules };
  const standing = membersOf(withoutEndedEntries(fields, entries, Date.now()).rules);
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
