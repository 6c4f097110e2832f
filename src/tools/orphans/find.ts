/** The objects of the account that a stack does not manage. */
import { stampInMark, stampIn } from "../../schema/metadata";
import type { Stamp } from "../../schema/metadata";
import type { AccountClient } from "../../account/account-client";
import { hasUsableId } from "../../account/read-objects";
import { accountObject, readAccount } from "../inventory/account-contents";
import type { AccountObject } from "../inventory/account-contents";
import { countByClass, excludedBy } from "../inventory/excluded";
import type { ExcludedCounts, Exclusion } from "../inventory/excluded";
import type { InventoryObject } from "../inventory/inventory";
import { objectLabel } from "../inventory/label";
import { entryText, exclusiveSetIn, managerIn } from "../inventory/managed";
import type { PendingCreate, StackContents } from "../inventory/stack";
import { idIn, namesIn } from "../../provider/http/path";
import { declarations } from "../../resources/registry";
import { matchPending } from "./match";
import type { CreateOutcome } from "./match";
import type { FailedTime } from "./planned-creates";
import { objectTimeTolerance, unknownClock } from "../../provider/life-cycle/lost-creates";

interface Orphan {
  readonly type: string;
  readonly id: string;
  readonly description?: string;
  /** What distinguishes it: its description or name, and its range, address or labels. */
  readonly label?: string;
  readonly created?: string;
  /** The resource that its metadata names. */
  readonly stamp?: Stamp;
  /** Whether the stamp names this stack, so that the object certainly belongs to it. */
  readonly own: boolean;
  /** The name of the resource whose interrupted create made it. */
  readonly createdFor?: string;
  /** The class and name of the exclusive set that manages its parent: a refresh of the stack shows it as drift. */
  readonly driftOf?: string;
}

export interface Orphans {
  readonly orphans: readonly Orphan[];
  readonly outcomes: readonly CreateOutcome[];
  /** The objects that the user excludes. */
  readonly excluded: ExcludedCounts;
}

/** The creates of the program's next update, and the time of failed updates that may already have done them. */
export interface PlannedCreates {
  readonly creates: readonly PendingCreate[];
  readonly time: FailedTime;
}

/** Compares a stack with the account. Objects without a list are compared only if the stack has a pending create. */
export async function findOrphans(
  client: AccountClient,
  contents: StackContents,
  planned: PlannedCreates | undefined,
  report: (line: string) => void,
  exclusion: Exclusion = {},
): Promise<Orphans> {
  const { objects } = await readAccount({
    client,
    isChosen: (declaration) => declarations.includes(declaration) && declaration.style === "collection",
    report,
  });
  // The answers have shown the service's time.
  const stack = withPlanned(contents, planned, client);
  const [managerOf, setOf] = [managerIn(stack), exclusiveSetIn(stack)];
  const usable = objects.filter(({ declaration, id }) => hasUsableId(client, declaration, id));
  const found = [...usable, ...(await pendingByPath(client, stack))];
  const unmanaged = found.filter((object) => !managerOf(object));
  const outcomes = matchPending(stack, unmanaged, client.settings).filter(
    // The program still plans this create, so a missing object is not worth reporting.
    ({ kind, pending }) => kind !== "not created" || pending.time === undefined,
  );
  const createdFor = new Map(
    outcomes.flatMap((each) => (each.kind === "created" ? [[each.object, each.pending.name] as const] : [])),
  );
  const orphans = unmanaged
    // A set of entries exists as soon as its parent does, so alone it does not show an interrupted create.
    .filter(({ declaration }) => declarations.includes(declaration))
    .filter((each) => createdFor.has(each) || each.declaration.style !== "ruleSet");
  // Objects that the stack created, or that its next update deletes, belong to the stack.
  const matched = excludedBy(exclusion)(found);
  const excluded = new Set(
    orphans.filter((each) => matched.has(each) && !createdFor.has(each) && !setOf(each)),
  );
  return {
    outcomes,
    excluded: countByClass(excluded),
    orphans: orphans
      .filter((each) => !excluded.has(each))
      .map((each) => orphan(each, stack, { createdFor: createdFor.get(each), set: setOf(each) })),
  };
}

function withPlanned(
  stack: StackContents,
  planned: PlannedCreates | undefined,
  { http }: AccountClient,
): StackContents {
  if (!planned) return stack;
  const { creates, time } = planned;
  const [from, until] = [http.serverTime(time.from), http.serverTime(time.until)];
  const possible = {
    from: (from ?? time.from - unknownClock) - objectTimeTolerance,
    until: (until ?? time.until + unknownClock) + objectTimeTolerance,
  };
  const pending = new Set(stack.pending.map(({ urn }) => urn));
  const more = creates.filter(({ urn }) => !pending.has(urn)).map((each) => ({ ...each, time: possible }));
  return { ...stack, pending: [...stack.pending, ...more] };
}

/** The existing modules and sources that the stack was creating, as new objects or as replacements. */
async function pendingByPath(client: AccountClient, { pending }: StackContents): Promise<AccountObject[]> {
  const found: AccountObject[] = [];
  for (const { declaration, args } of pending) {
    if (namesIn(declaration.path).length === 0) continue;
    const id = idIn(declaration.path, args);
    const answer = await client.read(declaration, id);
    if (answer) found.push(accountObject(declaration, id, answer));
  }
  return found;
}

function orphan(
  object: AccountObject,
  stack: StackContents,
  { createdFor, set }: { createdFor: string | undefined; set: InventoryObject | undefined },
): Orphan {
  const { declaration, id, answer } = object;
  // A key whose create did not finish carries the stamp in its mark.
  const stamp = stampInMark(answer.metadata) ?? stampIn(answer.metadata);
  const text = (value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  return {
    type: declaration.type,
    id,
    description: text(answer.description) ?? text(answer.name) ?? entryText(object),
    label: objectLabel(object),
    created: text(answer.created_at),
    stamp,
    own: stamp?.project === stack.project && stamp.stack === stack.stack,
    createdFor,
    driftOf: createdFor === undefined && set ? `${set.declaration.type} ${set.name}` : undefined,
  };
}
