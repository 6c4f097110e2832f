/** From the account to statements and import entries. */
import type { Client } from "../functions/client";
import { GatewayError } from "../provider/errors";
import type { StackContents } from "../stack/state";
import { readAccount } from "./account";
import type { Held, Modules } from "./account";
import { areas, placeOf } from "./areas";
import { blockFor } from "./code";
import type { Block } from "./code";
import { entryFor, problemsOf } from "./entries";
import type { ImportFile } from "./entries";
import { planFor, referable } from "./plan";
import type { Note, Plan } from "./plan";
import type { Standing } from "./program";
import { chosenTypes, matching } from "./selection";
import type { Selection } from "./selection";

/** An explicit provider: its variable in the program and its URN in the stack. */
export interface NamedProvider {
  readonly variable: string;
  readonly urn: string;
}

export interface Preparing {
  readonly client: Client;
  readonly selection: Selection;
  readonly modules: Modules;
  readonly stack: StackContents | undefined;
  /** Statements of the program; those of resources that the stack manages stay. */
  readonly standing: readonly Standing[];
  readonly protect: boolean;
  readonly provider?: NamedProvider;
  readonly tell: (line: string) => void;
  readonly now: number;
}

export interface Prepared {
  readonly plan: Plan;
  readonly blocks: readonly Block[];
  readonly file: ImportFile;
  /** How many chosen objects the stack manages already. */
  readonly managed: number;
}

export async function prepare(preparing: Preparing): Promise<Prepared> {
  const { client, selection, stack, now } = preparing;
  const isChosen = chosenTypes(selection);
  const isMeant = matching(selection);
  const members = selection.only?.some((name) => name.toLowerCase() === "eventsource") ?? false;
  const read = (choose: (type: string) => boolean, tell?: (line: string) => void): Promise<Held[]> =>
    readAccount({ client, isChosen: choose, members, modules: preparing.modules, tell });
  const managed = new Set(stack?.managed.map(({ type, id }) => `${type} ${id}`));
  const held = await read(isChosen, preparing.tell);
  const open = held.filter((each) => !managed.has(keyOf(each)));
  const { still, notes } = await confirmed(open, read);
  const plan = planFor(still, {
    settings: client.settings,
    now,
    isMeant,
    taken: {
      names: new Set(stack?.managed.map(({ type, name }) => `${type} ${name}`)),
      variables: new Set([
        ...preparing.standing
          .filter((block) => managed.has(keyOfBlock(block)))
          .map(({ variable }) => variable),
        ...(preparing.provider ? [preparing.provider.variable] : []),
      ]),
    },
    without: sourcesManagedApart(stack, members, still),
  });
  const whole = { ...plan, notes: [...notes, ...plan.notes] };
  return {
    plan: whole,
    blocks: blocksOf(whole, preparing, managed),
    file: await fileOf(whole, preparing),
    managed: held.length - open.length,
  };
}

/** A long list is old when it ends: what was deleted meanwhile is no object to import. */
async function confirmed(
  open: readonly Held[],
  read: (choose: (type: string) => boolean) => Promise<Held[]>,
): Promise<{ still: Held[]; notes: Note[] }> {
  const types = new Set(open.map(({ declaration }) => declaration.type));
  const there = new Set((await read((type) => types.has(type))).map(keyOf));
  const isThere = (each: Held): boolean => there.has(keyOf(each));
  const notes = open
    .filter((each) => !isThere(each))
    .map(({ declaration, id }) => ({
      type: declaration.type,
      id,
      reason: "it was deleted while the import ran",
    }));
  return { still: open.filter(isThere), notes };
}

/** A subscription gives no sources where they are resources of their own, now or in the stack. */
function sourcesManagedApart(
  stack: StackContents | undefined,
  members: boolean,
  held: readonly Held[],
): Map<string, string[]> {
  const owners = new Set(
    stack?.managed.filter(({ type }) => type === "EventSource").map(({ id }) => id.split("/")[0]),
  );
  const subscriptions = held.filter(({ declaration }) => declaration.type === "EventSubscription");
  return new Map(
    subscriptions.filter(({ id }) => members || owners.has(id)).map((each) => [keyOf(each), ["sources"]]),
  );
}

function blocksOf({ resources }: Plan, preparing: Preparing, managed: ReadonlySet<string>): Block[] {
  const standing = new Map(
    preparing.standing.filter((block) => managed.has(keyOfBlock(block))).map((block) => [block.id, block]),
  );
  const byId = referable(resources);
  const position = new Map(resources.map((each, i) => [each.id, i]));
  return resources.map((resource, at) => {
    const { area } = placeOf(resource.declaration.type);
    return blockFor(resource, {
      protect: preparing.protect,
      provider: preparing.provider?.variable,
      refer(id) {
        const target = byId.get(id);
        const other = target ? placeOf(target.declaration.type).area : -1;
        // A statement stands behind what it uses, and files do not import each other in a circle.
        if (target)
          return other < area || (other === area && position.get(id)! < at) ? target.variable : undefined;
        const block = standing.get(id);
        return block && placeOf(block.type).area <= area ? block.variable : undefined;
      },
    });
  });
}

async function fileOf({ resources }: Plan, { provider, now }: Preparing): Promise<ImportFile> {
  const file: ImportFile = {
    ...(provider ? { nameTable: { [provider.variable]: provider.urn } } : {}),
    resources: await Promise.all(
      resources.map(({ declaration, name, id, args, outputs }) =>
        entryFor({
          declaration,
          name,
          id,
          inputs: args,
          outputs,
          ...(provider ? { provider: provider.variable } : {}),
        }),
      ),
    ),
  };
  const problems = problemsOf(file, now);
  if (problems.length > 0) throw new GatewayError(`the import file would be wrong: ${problems.join("; ")}`);
  return file;
}

/** The statements by the file of their area. */
export function byFile(blocks: readonly Block[]): Map<string, Block[]> {
  const files = new Map<string, Block[]>();
  for (const block of blocks) {
    const { file } = areas[placeOf(block.type).area]!;
    files.set(file, [...(files.get(file) ?? []), block]);
  }
  return files;
}

export function keyOfBlock({ type, id }: Standing): string {
  return `${type} ${id}`;
}

function keyOf({ declaration, id }: Held): string {
  return `${declaration.type} ${id}`;
}
