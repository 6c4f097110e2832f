/**
 * Finds resources of one program that contradict each other: two objects of one parent that only one may be, such as two
 * rules of a policy with the same range, and an exclusive set beside other objects of its parent, which it would remove
 * again and again.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../sdk";
import type { Declaration } from "../schema/declaration";
import { withoutEnded } from "../schema/entry-ends";
import { isExclusive, rulePath } from "../schema/rule-set";
import { canonicalOf } from "../schema/field";
import { canonical, problem } from "../schema/formats/cidr";
import { withMaps } from "../schema/listed";
import { oncePer } from "../once-per";
import { contains, isAbsent, isLater, membersOf } from "../schema/unknown";
import type { Problem } from "../schema/validate";
import { visible } from "./program-arguments";
import { programLine } from "./program-errors";
import type { Json } from "../schema/json";

/** A resource that claims objects of a parent. */
interface Claimant {
  readonly declaration: Declaration;
  readonly name: string;
  /** Made where the program constructs the resource. */
  readonly at: Error;
}

/** The objects that a resource claims: their canonical keys, with the paths of the arguments that hold them. */
interface Claim {
  readonly by: Claimant;
  readonly keys: () => ReadonlyMap<string, string>;
}

/** What is claimed of one parent. */
class Parent {
  private any: Claimant | undefined;
  private exclusive: Claimant | undefined;
  private unindexed: Claim | undefined;
  private readonly byKey = new Map<string, Claimant>();

  /** Notes that the resource claims some or all objects. Returns what contradicts an earlier one. */
  enter(by: Claimant, isExclusive: boolean): Problem | undefined {
    const other = isExclusive ? this.any : this.exclusive;
    this.any ??= by;
    if (isExclusive) this.exclusive ??= by;
    return other && { path: collectionOf(by).parentId!, clause: contradiction(by, other, isExclusive) };
  }

  /** Notes the objects. Returns the first that another resource claims too. */
  claim(claim: Claim): Problem | undefined {
    // The keys of a set are spelled canonically only where the parent has a second claim.
    if (this.unindexed === undefined && this.byKey.size === 0) {
      this.unindexed = claim;
      return undefined;
    }
    if (this.unindexed)
      for (const key of this.unindexed.keys().keys()) this.byKey.set(key, this.unindexed.by);
    this.unindexed = undefined;
    let problem: Problem | undefined;
    for (const [key, path] of claim.keys()) {
      const other = this.byKey.get(key);
      if (other === undefined) this.byKey.set(key, claim.by);
      else if (other !== claim.by) problem ??= { path, clause: repetition(claim.by, other) };
    }
    return problem;
  }
}

/** The parents of a run by collection, provider and id; several runs may share a process. */
const parentsOfRun = oncePer((_run: object) =>
  oncePer((_collection: Declaration) => new Map<unknown, Map<unknown, Parent>>()),
);

/**
 * Notes which objects the resource manages.
 * @param found called once, at once or where values become known later then: with the contradiction.
 */
export function claimObjects(
  declaration: Declaration,
  name: string,
  args: Json,
  provider: pulumi.ProviderResource | undefined,
  found: (problem: Problem) => void,
): void {
  const run = sdk.getStackResource();
  const isSet = declaration.setOf !== undefined;
  const collection = declaration.setOf ?? declaration;
  const { parentId, unique = [] } = collection;
  // Without a stack a test constructs resources, and may construct the same ones again.
  if (run === undefined || parentId === undefined) return;
  const parent = args[parentId];
  if (isAbsent(parent)) return;
  const parents = byProvider(parentsOfRun(run)(collection), provider);
  const by = { declaration, name, at: new Error() };
  let isReported = false;
  const note = (work: (of: Parent) => Problem | undefined): void => {
    const noteAt = (key: unknown): void => {
      const of = parents.get(key) ?? new Parent();
      parents.set(key, of);
      const problem = work(of);
      if (problem === undefined || isReported) return;
      isReported = true;
      found(problem);
    };
    noteAt(parent);
    // An id that is known in this run may come from another Output, or stand in the program as text.
    if (sdk.Output.isInstance(parent)) parent.apply(noteAt);
  };
  // Where a value stays unknown, nothing follows from it.
  whenKnown(args.exclusive, (exclusive) => note((of) => of.enter(by, isSet && isExclusive({ exclusive }))));
  const argument = isSet ? "rules" : unique.find((each) => each !== parentId);
  if (argument === undefined) return;
  const keysOf = (value: unknown) => (): Map<string, string> => keysIn(declaration, argument, value);
  const claim = (value: unknown): void => note((of) => of.claim({ by, keys: keysOf(value) }));
  whenKnown(args[argument], (value) => {
    claim(value);
    // Keys in a list may be Outputs: then those that are known come first.
    if (Array.isArray(value) && contains(value, isLater)) whenKnown(sdk.output(value), claim);
  });
}

function byProvider(all: Map<unknown, Map<unknown, Parent>>, provider: unknown): Map<unknown, Parent> {
  const parents = all.get(provider) ?? new Map<unknown, Parent>();
  all.set(provider, parents);
  return parents;
}

function whenKnown(value: unknown, use: (value: unknown) => void): void {
  if (isLater(value)) (sdk.output(value) as pulumi.Output<unknown>).apply(use);
  else use(value);
}

/** The canonical keys of the objects that a resource stands for, by the paths of the arguments that hold them. */
function keysIn(declaration: Declaration, argument: string, value: unknown): Map<string, string> {
  const { setOf, fields } = declaration;
  if (setOf !== undefined) {
    const given = { [argument]: value };
    const entries = Array.isArray(value) ? withMaps(fields, visible(given)) : given;
    const standing = membersOf(withoutEnded(fields, entries, Date.now())[argument]);
    const known = Object.keys(standing).filter((range) => problem(range) === undefined);
    return new Map(known.map((range) => [canonical(range), rulePath(range)]));
  }
  const { shape } = fields[argument]!;
  if (shape.kind !== "string" || typeof value !== "string") return new Map();
  return new Map([[canonicalOf(shape.format, value), argument]]);
}

function collectionOf({ declaration }: Claimant): Declaration {
  return declaration.setOf ?? declaration;
}

function contradiction(by: Claimant, other: Claimant, isExclusive: boolean): string {
  const { plural } = collectionOf(by);
  const advice =
    by.declaration === other.declaration
      ? "merge the two"
      : "make it an entry of the set, or set exclusive to false";
  const beside = `must not be that of ${labelOf(other)}`;
  return isExclusive
    ? `${beside}: this set manages all ${plural} of it; ${advice}`
    : `${beside}, which manages all ${plural} of it; ${advice}`;
}

function repetition(by: Claimant, other: Claimant): string {
  const { noun, unique = [] } = collectionOf(by);
  const line = programLine(by.at);
  const here = line === undefined ? "" : `; this one is at ${line}`;
  return (
    `must not be that of ${labelOf(other)} too: only one ${noun} may have this ${unique.join(" and ")}. ` +
    `Remove one of the two${here}`
  );
}

/** A resource with its line in the program. */
function labelOf({ declaration, name, at }: Claimant): string {
  const line = programLine(at);
  return `${declaration.type} ${JSON.stringify(name)}${line === undefined ? "" : ` (${line})`}`;
}
