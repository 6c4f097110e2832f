/** What the account holds and a stack does not manage, and the import file that heals an interrupted run. */
import { stampIn } from "../schema/stamp";
import type { Stamp } from "../schema/stamp";
import { setPaths } from "../schema/unknown";
import type { Client } from "../account/client";
import { readAccount } from "../import/account";
import type { Held } from "../import/account";
import { argumentsIn, entryFor, problemsOf } from "../import/entries";
import type { Entry, ImportFile } from "../import/entries";
import { pathValues } from "../provider/object-client";
import { GatewayError } from "../provider/errors";
import { outputsOf } from "../provider/state";
import { declarationOf } from "../resources/registry";
import { matchPending } from "./match";
import type { Outcome } from "./match";
import type { FailedTime } from "./planned";
import type { PendingCreate, StackContents } from "./state";

/** An object that the stack does not manage. */
interface Orphan {
  /** The class. */
  readonly type: string;
  readonly id: string;
  readonly description?: string;
  readonly created?: string;
  /** The resource that its metadata names. */
  readonly stamp?: Stamp;
  /** Whether the stamp is one of this stack, so that the object is surely the stack's. */
  readonly own: boolean;
  /** The name of the resource that an interrupted run made it for. */
  readonly madeFor?: string;
}

export interface Orphans {
  readonly orphans: readonly Orphan[];
  readonly outcomes: readonly Outcome[];
}

/** What the program is about to make, and when updates failed that may have made it. */
export interface Planned {
  readonly creates: readonly PendingCreate[];
  readonly time: FailedTime;
}

/** Compares a stack with the account. Objects addressed by path count only where the stack was about to make them. */
export async function findOrphans(
  client: Client,
  contents: StackContents,
  planned: Planned | undefined,
  tell: (line: string) => void,
): Promise<Orphans> {
  const { settings } = client;
  const held = await readAccount({
    client,
    isChosen: (type) => declarationOf(type).style === "collection",
    tell,
  });
  const stack = withPlanned(contents, planned, client);
  const managed = new Set(stack.managed.map(({ type, id }) => `${type} ${id}`));
  const unmanaged = held.filter(({ declaration, id }) => !managed.has(`${declaration.type} ${id}`));
  const addressed = await pendingByPath(client, stack);
  const outcomes = matchPending(stack, [...unmanaged, ...addressed], settings).filter(
    // What a program is about to make need not be there: it is no story to tell.
    ({ kind, pending }) => kind !== "not made" || pending.made === undefined,
  );
  const madeFor = new Map(
    outcomes.flatMap((each) => (each.kind === "made" ? [[each.object, each.pending.name] as const] : [])),
  );
  return {
    outcomes,
    orphans: [...unmanaged, ...addressed]
      // Endpoints of agents and edges are nobody's to manage.
      .filter(({ declaration, answer }) => declaration.type !== "CloudEndpoint" || isCloud(answer))
      .map((each) => orphan(each, stack, madeFor.get(each))),
  };
}

/** Times of objects have whole seconds; and where no answer told the service's clock, it may be another one. */
const tolerance = 2_000;
const unknownClock = 60_000;

function withPlanned(stack: StackContents, planned: Planned | undefined, { http }: Client): StackContents {
  if (!planned) return stack;
  const { creates, time } = planned;
  const [from, until] = [http.serverTime(time.from), http.serverTime(time.until)];
  const made = {
    from: (from ?? time.from - unknownClock) - tolerance,
    until: (until ?? time.until + unknownClock) + tolerance,
  };
  const pending = new Set(stack.pending.map(({ urn }) => urn));
  const more = creates.filter(({ urn }) => !pending.has(urn)).map((each) => ({ ...each, made }));
  return { ...stack, pending: [...stack.pending, ...more] };
}

function isCloud({ type }: Held["answer"]): boolean {
  return type === undefined || type === null || type === "cloud";
}

/** What the stack was about to make at a path, where it is there. */
async function pendingByPath(client: Client, { pending, managed }: StackContents): Promise<Held[]> {
  const urns = new Set(managed.map(({ urn }) => urn));
  const held: Held[] = [];
  for (const { type, inputs, urn } of pending) {
    const declaration = declarationOf(type);
    if (declaration.style === "collection" || urns.has(urn)) continue;
    const names = Object.keys(pathValues(declaration, ""));
    const id = names.map((name) => String(inputs[name])).join("/");
    const answer = await client.read(declaration, id);
    if (answer) held.push({ declaration, id, answer });
  }
  return held;
}

function orphan(
  { declaration, id, answer }: Held,
  stack: StackContents,
  madeFor: string | undefined,
): Orphan {
  const stamp = stampIn(answer.metadata);
  const text = (value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  const [description, created] = [text(answer.description) ?? text(answer.name), text(answer.created_at)];
  return {
    type: declaration.type,
    id,
    ...(description === undefined ? {} : { description }),
    ...(created === undefined ? {} : { created }),
    ...(stamp === undefined ? {} : { stamp }),
    own: stamp?.project === stack.project && stamp.stack === stack.stack,
    ...(madeFor === undefined ? {} : { madeFor }),
  };
}

/**
 * The import file with what interrupted creates made; their secrets are in clear in it. What is under a parent
 * or provider that the stack does not hold yet must wait for it.
 */
export async function healingFile(
  outcomes: readonly Outcome[],
  { urns }: StackContents,
  now: number,
): Promise<ImportFile> {
  const nameTable: Record<string, string> = {};
  const nameOf = (urn: string | undefined): string | undefined => {
    if (urn === undefined) return undefined;
    const known = Object.keys(nameTable).find((name) => nameTable[name] === urn);
    if (known !== undefined) return known;
    const name = `resource${Object.keys(nameTable).length + 1}`;
    nameTable[name] = urn;
    return name;
  };
  const resources: Entry[] = [];
  for (const outcome of outcomes) {
    if (outcome.kind !== "made") continue;
    const { object, pending } = outcome;
    if ([pending.parent, pending.provider].some((urn) => urn !== undefined && !urns.has(urn))) continue;
    const { declaration, id, answer } = object;
    const inputs = argumentsIn(pending.inputs);
    const known = { ...pathValues(declaration, id), ...inputs };
    const outputs = outputsOf(declaration, answer, known, setPaths(declaration.fields, inputs));
    const [parent, provider] = [nameOf(pending.parent), nameOf(pending.provider)];
    resources.push(
      await entryFor({
        declaration,
        name: pending.name,
        id,
        inputs,
        outputs,
        ...(parent === undefined ? {} : { parent }),
        ...(provider === undefined ? {} : { provider }),
      }),
    );
  }
  const file = { ...(Object.keys(nameTable).length > 0 ? { nameTable } : {}), resources };
  const problems = problemsOf(file, now);
  if (problems.length > 0) throw new GatewayError(`the import file would be wrong: ${problems.join("; ")}`);
  return file;
}
