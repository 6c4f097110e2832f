/**
 * Finds resources of one program that contradict each other: an exclusive set removes what is no entry of it, so a
 * second set of the same parent, or a resource for one of its objects, would be removed again and again.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import { oncePer } from "../once-per";
import { isAbsent, isLater } from "../schema/unknown";
import type { Problem } from "../schema/validate";

interface Claim {
  readonly type: string;
  readonly name: string;
  /** Whether it claims all objects of the parent. */
  readonly exclusive: boolean;
}

/** The claims of a run by collection and parent; several runs may share a process. */
const claimsOfRun = oncePer((_run: object) =>
  oncePer((_collection: Declaration) => new Map<unknown, Claim[]>()),
);

/**
 * Notes which objects the resource manages.
 * @param found called at once or, where the parent's id becomes known later, then: with the contradiction.
 */
export function claimObjects(
  declaration: Declaration,
  name: string,
  args: Readonly<Record<string, unknown>>,
  found: (problem: Problem) => void,
): void {
  const run = pulumi.runtime.getStackResource();
  const set = declaration.entries;
  const collection = set?.of ?? declaration;
  const { parentId } = collection;
  // Without a stack a test constructs resources, and may construct the same ones again.
  if (run === undefined || parentId === undefined) return;
  const parent = args[parentId];
  if (isAbsent(parent)) return;
  const claims = claimsOfRun(run)(collection);
  const claimIt = (exclusive: boolean): void =>
    note({ type: declaration.type, name, exclusive }, claims, parent, (other, claim) =>
      found({ path: parentId, clause: contradiction(claim, other, collection.plural) }),
    );
  const given = set === undefined ? false : args[set.exclusive];
  // Whether a set is exclusive may be known only later; where it stays unknown, nothing is claimed.
  if (isLater(given))
    (pulumi.output(given) as pulumi.Output<boolean>).apply((known) => claimIt(known !== false));
  else claimIt(given !== false);
}

/** Notes the claim; `found` is called once with another one that it contradicts. */
function note(
  claim: Claim,
  claims: Map<unknown, Claim[]>,
  parent: unknown,
  found: (other: Claim, claim: Claim) => void,
): void {
  let isReported = false;
  const noteAt = (key: unknown): void => {
    const others = claims.get(key) ?? [];
    claims.set(key, [...others, claim]);
    const other = others.find((each) => each !== claim && (each.exclusive || claim.exclusive));
    if (other === undefined || isReported) return;
    isReported = true;
    found(other, claim);
  };
  noteAt(parent);
  // An id that is known in this run may come from another Output, or stand in the program as text.
  if (pulumi.Output.isInstance(parent)) parent.apply((id) => noteAt(id));
}

function contradiction(claim: Claim, other: Claim, objects: string): string {
  const beside = `${other.type} "${other.name}"`;
  const advice =
    claim.type === other.type ? "merge the two" : `make it an entry of the set, or set exclusive to false`;
  return claim.exclusive
    ? `must not be that of ${beside}: this set manages all ${objects} of it; ${advice}`
    : `must not be that of ${beside}, which manages all ${objects} of it; ${advice}`;
}
