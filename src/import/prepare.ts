/** From the account to statements and import entries. */
import type { Client } from "../account/client";
import { declarationOf, declarations } from "../resources/registry";
import type { StackContents, StackResource } from "../stack/state";
import { readAccount } from "../account/contents";
import type { AccountObject, Modules } from "../account/contents";
import { areas, placeOf } from "./areas";
import { blockFor } from "./code";
import type { Block } from "./code";
import { importEntry } from "../stack/import-entry";
import { checkImportFile } from "../stack/import-file";
import type { ImportFile } from "../stack/import-file";
import { planFor, referable } from "./plan";
import type { Names, Note, Plan, Planned } from "./plan";
import { keyOfBlock } from "./program";
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
  /**
   * Statements of the program. Those of resources that the stack manages stay; the others lend their names to what
   * is imported now.
   */
  readonly standing: readonly Standing[];
  readonly protect: boolean;
  readonly provider?: NamedProvider;
  readonly report: (line: string) => void;
  readonly now: number;
}

export interface Prepared {
  readonly plan: Plan;
  readonly blocks: readonly Block[];
  readonly file: ImportFile;
  /** How many chosen objects the stack manages already. */
  readonly managed: number;
  /** What was deleted while the account was read; the plan's notes hold it too. */
  readonly deleted: readonly Note[];
  /** What the stack manages in this account, and the account does not hold. */
  readonly gone: readonly StackResource[];
  /** Reads once more, and says which objects of the plan are deleted by now. */
  missing(): Promise<Planned[]>;
}

export async function prepare(preparing: Preparing): Promise<Prepared> {
  const { client, selection, stack, now, report } = preparing;
  const isChosen = chosenTypes(selection);
  const isMeant = matching(selection);
  const members = selection.only?.some((name) => name.toLowerCase() === "eventsource") ?? false;
  const read = (what: string, choose: (type: string) => boolean): Promise<AccountObject[]> =>
    readAccount({
      client,
      declarations,
      isChosen: choose,
      members,
      modules: preparing.modules,
      report: (line) => report(`${what}: ${line}`),
    });
  const managed = new Set(stack?.managed.map(({ type, id }) => `${type} ${id}`));
  const held = await read("Reading", isChosen);
  const open = held.filter((each) => !managed.has(keyOf(each)));
  const types = new Set(open.map(({ declaration }) => declaration.type));
  // A long list is old when it ends. What was deleted meanwhile is no object to import, and may have changed others.
  const again = new Map(
    (await read("Checking", (type) => types.has(type))).map((each) => [keyOf(each), each]),
  );
  const still = open.flatMap((each) => again.get(keyOf(each)) ?? []);
  const deleted = open.filter((each) => !again.has(keyOf(each))).map(deletedMeanwhile);
  const plan = planFor(still, {
    settings: client.settings,
    now,
    isMeant,
    taken: namesOf(preparing, managed),
    without: sourcesManagedApart(stack, members, still),
  });
  const whole = { ...plan, notes: [...deleted, ...plan.notes] };
  return {
    plan: whole,
    blocks: blocksOf(whole, preparing, managed),
    file: await fileOf(whole, preparing),
    managed: held.length - open.length,
    deleted,
    gone: goneFrom(held, preparing, isChosen),
    async missing() {
      const imported = new Set(plan.resources.map(({ declaration }) => declaration.type));
      const there = new Set((await read("Checking again", (type) => imported.has(type))).map(keyOf));
      return plan.resources.filter((each) => !there.has(keyOf(each)));
    },
  };
}

function deletedMeanwhile({ declaration, id }: AccountObject): Note {
  return { type: declaration.type, id, reason: "it was deleted while the import ran" };
}

/** Objects that are addressed by path are in no list, so that nothing tells of them. */
function goneFrom(
  held: readonly AccountObject[],
  { stack, provider }: Preparing,
  isChosen: (type: string) => boolean,
): StackResource[] {
  const there = new Set(held.map(keyOf));
  // Another provider may be another account.
  const own = (stack?.managed ?? []).filter((each) => each.provider === provider?.urn);
  return own.filter(
    (each) =>
      isChosen(each.type) &&
      declarationOf(each.type).style === "collection" &&
      !there.has(`${each.type} ${each.id}`),
  );
}

function namesOf({ stack, standing, provider }: Preparing, managed: ReadonlySet<string>): Names {
  const stays = (block: Standing): boolean => managed.has(keyOfBlock(block));
  return {
    names: new Set(stack?.managed.map(({ type, name }) => `${type} ${name}`)),
    variables: new Set([
      ...standing.filter(stays).map(({ variable }) => variable),
      ...(provider ? [provider.variable] : []),
    ]),
    // A name with a backslash in its literal was not given here.
    before: new Map(
      standing
        .filter((block) => !stays(block) && !block.name.includes("\\"))
        .map((block) => [keyOfBlock(block), block]),
    ),
  };
}

/** A subscription gives no sources where they are resources of their own, now or in the stack. */
function sourcesManagedApart(
  stack: StackContents | undefined,
  members: boolean,
  held: readonly AccountObject[],
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
  const stood = new Map(preparing.standing.map((block, i) => [keyOfBlock(block), i]));
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
        if (!block || placeOf(block.type).area > area) return undefined;
        // A statement that was before it may use this one's variable.
        const isBehind = stood.get(keyOfBlock(block))! < (stood.get(keyOf(resource)) ?? Infinity);
        return isBehind || placeOf(block.type).area < area ? block.variable : undefined;
      },
    });
  });
}

async function fileOf({ resources }: Plan, { provider, now }: Preparing): Promise<ImportFile> {
  const file: ImportFile = {
    ...(provider ? { nameTable: { [provider.variable]: provider.urn } } : {}),
    resources: await Promise.all(
      resources.map(({ declaration, name, id, args, outputs }) =>
        importEntry({
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
  checkImportFile(file, now);
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

function keyOf({ declaration, id }: AccountObject | Planned): string {
  return `${declaration.type} ${id}`;
}
