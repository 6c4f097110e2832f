/** Which objects of the account are what an interrupted run of a stack made. */
import { isDeepStrictEqual } from "node:util";
import { toInstant } from "../schema/formats/time";
import { stampIn } from "../schema/stamp";
import type { Held } from "../import/account";
import { argumentsIn } from "../import/entries";
import { pathArguments } from "../provider/object-client";
import { asMade } from "../provider/request-match";
import { givenOnce } from "../provider/lost-creates";
import { declarationOf } from "../resources/registry";
import type { Settings } from "../settings";
import type { PendingCreate, StackContents } from "./state";

/** What became of a create that was interrupted. */
export type Outcome =
  | { readonly kind: "made"; readonly pending: PendingCreate; readonly object: Held }
  /** The object exists, and its secret, shown once, is lost: the next up makes another one. */
  | { readonly kind: "secret lost"; readonly pending: PendingCreate; readonly objects: readonly Held[] }
  /** Nothing in the account is like it: the next up makes it. */
  | { readonly kind: "not made"; readonly pending: PendingCreate }
  /** Nothing tells which of the objects it is. */
  | { readonly kind: "undecided"; readonly pending: PendingCreate; readonly objects: readonly Held[] };

/** What becomes of each interrupted create, given the objects that the stack does not manage. */
export function matchPending(
  { pending, project, stack, managed }: StackContents,
  unmanaged: readonly Held[],
  settings: Settings,
): Outcome[] {
  const urns = new Set(managed.map(({ urn }) => urn));
  // An entry of an older run may be healed already.
  const open = pending.filter(({ urn }) => !urns.has(urn));
  const free = new Set(unmanaged.filter(({ problem }) => problem === undefined));
  const outcomes: Outcome[] = [];
  const take = (each: PendingCreate, object: Held): void => {
    free.delete(object);
    outcomes.push({ kind: "made", pending: each, object });
  };
  const left = open.filter((each) => {
    const object = [...free].find((held) => isStampedFor(held, each, project, stack));
    if (!object || givenOnce(object.declaration).length > 0) return true;
    take(each, object);
    return false;
  });
  for (const group of equalOnes(left)) {
    const objects = [...free].filter((held) => mayBe(held, group[0]!, settings));
    const declaration = declarationOf(group[0]!.type);
    if (objects.length === 0)
      outcomes.push(...group.map((each) => ({ kind: "not made" as const, pending: each })));
    else if (givenOnce(declaration).length > 0) {
      outcomes.push(...group.map((each) => ({ kind: "secret lost" as const, pending: each, objects })));
    } else if (objects.length <= group.length) {
      // Equal ones are interchangeable: which gets which name does not matter.
      group.forEach((each, i) => {
        if (objects[i]) take(each, objects[i]);
        else outcomes.push({ kind: "not made", pending: each });
      });
    } else outcomes.push(...group.map((each) => ({ kind: "undecided" as const, pending: each, objects })));
  }
  return outcomes;
}

/** Whether the stamp in the object's metadata names the resource. */
function isStampedFor(
  { declaration, answer }: Held,
  each: PendingCreate,
  project: string,
  stack: string,
): boolean {
  if (declaration.type !== each.type) return false;
  const stamp = stampIn(answer.metadata);
  return stamp?.project === project && stamp.stack === stack && stamp.name === each.name;
}

function mayBe(
  { declaration, id, answer }: Held,
  { type, inputs, made }: PendingCreate,
  settings: Settings,
): boolean {
  if (declaration.type !== type) return false;
  const args = argumentsIn(inputs);
  const names = pathArguments(declaration);
  if (names.length > 0 && id !== names.map((name) => args[name]).join("/")) return false;
  return isOfTime(answer, made) && asMade(declaration, answer, args, settings);
}

/** Modules tell no time; they have their address. */
function isOfTime({ created_at }: Held["answer"], made: PendingCreate["made"]): boolean {
  if (made === undefined || typeof created_at !== "string") return true;
  const at = toInstant(created_at);
  return at !== undefined && at >= made.from && at <= made.until;
}

/** Creates of equal arguments together, the most detailed first: what they take is not left to others. */
function equalOnes(pending: readonly PendingCreate[]): PendingCreate[][] {
  const groups: PendingCreate[][] = [];
  const byText = new Map<string, PendingCreate[]>();
  for (const each of pending) {
    const text = JSON.stringify([each.type, argumentsIn(each.inputs)]);
    const known =
      byText.get(text) ??
      groups.find(
        ([other]) =>
          other!.type === each.type &&
          isDeepStrictEqual(argumentsIn(other!.inputs), argumentsIn(each.inputs)),
      );
    if (known) known.push(each);
    else groups.push([each]);
    byText.set(text, known ?? groups.at(-1)!);
  }
  return groups.sort((a, b) => Object.keys(b[0]!.inputs).length - Object.keys(a[0]!.inputs).length);
}
