/** Matches interrupted creates with objects of the account. */
import { toInstant } from "../../schema/formats/time";
import type { AccountObject } from "../inventory/account-contents";
import type { PendingCreate, StackContents } from "../inventory/stack";
import { secretsOfCreation } from "../../schema/secrets";
import { equalCreates } from "../../provider/life-cycle/lost-creates";
import { idIn } from "../../provider/http/path";
import { mayResultFrom, withTexts } from "../../provider/life-cycle/answers";
import type { Settings } from "../../provider/settings/settings";
import { FreeObjects } from "./free-objects";

export type CreateOutcome = { readonly pending: PendingCreate } & (
  | { readonly kind: "created"; readonly object: AccountObject }
  /** The object exists, but its secret, which only creation returns, is lost. The next up creates another one. */
  | { readonly kind: "secret lost"; readonly objects: readonly AccountObject[] }
  /** No object matches. The next up creates it. */
  | { readonly kind: "not created" }
  /** More objects match than there are creates. */
  | { readonly kind: "undecided"; readonly objects: readonly AccountObject[] }
);

/** The outcome of each interrupted create, given the objects that the stack does not manage. */
export function matchPending(
  { pending, project, stack, urns }: StackContents,
  unmanaged: readonly AccountObject[],
  settings: Settings,
): CreateOutcome[] {
  // A later update may have created the object of an earlier, interrupted create; and nothing is imported twice under one URN.
  const open = pending.filter(({ urn }) => !urns.has(urn));
  const free = new FreeObjects(unmanaged);
  const outcomes: CreateOutcome[] = [];
  const take = (each: PendingCreate, object: AccountObject): void => {
    free.take(object);
    outcomes.push({ kind: "created", pending: each, object });
  };
  const unstamped = open.filter((each) => {
    const object = free.stampedFor(createdBy(each), { project, stack, name: each.name });
    if (!object || secretsOfCreation(object.declaration.fields).length > 0) return true;
    take(each, object);
    return false;
  });
  const groups = equalCreates(unstamped, ({ declaration, args }) => ({ ...args, __type: declaration.type }));
  for (const group of groups) {
    const declaration = createdBy(group[0]!);
    const objects = free
      .like(declaration, withTexts(declaration, group[0]!.args))
      .filter((object) => mayBe(object, group[0]!, settings));
    const hasLostSecret = secretsOfCreation(group[0]!.declaration.fields).length > 0;
    for (const [i, each] of group.entries()) {
      if (objects.length === 0) outcomes.push({ kind: "not created", pending: each });
      else if (hasLostSecret) outcomes.push({ kind: "secret lost", pending: each, objects });
      else if (objects.length > group.length) outcomes.push({ kind: "undecided", pending: each, objects });
      // Equal objects are interchangeable: any of them may get any of the names.
      else if (objects[i]) take(each, objects[i]);
      else outcomes.push({ kind: "not created", pending: each });
    }
  }
  return outcomes;
}

/** The object that the create makes in the account: a rotating key begins as a key of its collection. */
export function createdBy({ declaration }: Pick<PendingCreate, "declaration">): PendingCreate["declaration"] {
  return declaration.rotates ?? declaration;
}

/** Whether the create may have made the object, which is of its class. */
export function mayBe(
  { declaration, id, answer }: AccountObject,
  pending: PendingCreate,
  settings: Settings,
): boolean {
  const { args, time } = pending;
  const ownId = idIn(declaration.path, args);
  if (ownId !== "" && id !== ownId) return false;
  return isCreatedIn(time, answer) && mayResultFrom(declaration, answer, args, settings);
}

/** Modules have no creation time; they are identified by their path. */
function isCreatedIn(time: PendingCreate["time"], { created_at }: AccountObject["answer"]): boolean {
  if (time === undefined || typeof created_at !== "string") return true;
  const at = toInstant(created_at);
  return at !== undefined && at >= time.from && at <= time.until;
}
