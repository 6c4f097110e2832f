/**
 * What only the account shows: the agents that are online, the tunnel group backends without tunnels, and the objects outside
 * the stack that use what the deployment deletes.
 */
import type { AccountClient } from "../../account/account-client";
import { collected, readEach } from "../../account/read-objects";
import { declarationOf, declarations } from "../../resources/registry";
import type { TunnelGroupBackend } from "../../resources/tunnel-group-backend";
import type { TunnelSession } from "../../resources/tunnel-session";
import type { Declaration, StateOf } from "../../schema/declaration";
import { idArguments } from "../../schema/references";
import { declaresRules } from "../../schema/rule-set";
import { inventoryOfAccount, readAccount } from "../inventory/account-contents";
import type { Reference } from "../inventory/inventory";
import type { Preview, ResourceChange } from "../inventory/read-preview";

/** An agent that is online. */
export type Agent = Pick<TunnelSession, "id" | "os" | "ip">;

export interface AccountFacts {
  /** The agents by the id of the credential that they use. */
  readonly agents: ReadonlyMap<string, readonly Agent[]>;
  /** The ids of tunnel group backends without tunnels. */
  readonly withoutTunnels: ReadonlySet<string>;
  /** The references of objects that the stack does not manage, to objects that the deployment deletes. */
  readonly outside: readonly Reference[];
}

/**
 * Reads what the rules need for a preview: at most the list of the agents that are online, the list of the tunnel group
 * backends, and the objects that may use what is deleted. Reads each, and connects, only if resources of the preview need it.
 * Throws if a request fails.
 */
export async function readFacts(
  preview: Pick<Preview, "resources">,
  connect: () => Promise<AccountClient>,
): Promise<AccountFacts> {
  const resources = [...preview.resources.values()];
  const gone = resources.filter(losesId);
  return {
    agents: resources.some(losesCredential) ? await onlineAgents(await connect()) : new Map(),
    withoutTunnels: resources.some(isTunnelGroup) ? await backendsWithoutTunnels(await connect()) : new Set(),
    outside: gone.length > 0 ? await referencesFromOutside(await connect(), gone, resources) : [],
  };
}

/** What {@link readFacts} finds out for the preview, in words. */
export function factsFor({ resources }: Pick<Preview, "resources">): string[] {
  const all = [...resources.values()];
  return [
    ...(all.some(losesCredential) ? ["its agents"] : []),
    ...(all.some(isTunnelGroup) ? ["its tunnels"] : []),
    ...(all.some(losesId) ? ["what uses the deleted objects from outside the stack"] : []),
  ];
}

/** Whether an object to whose id others may refer is deleted or replaced. */
function losesId({ declaration: { idPrefix }, action, before }: ResourceChange): boolean {
  const isDeleted = action === "delete" || action === "replace";
  return isDeleted && before?.id !== undefined && idPrefix !== undefined && users(idPrefix).length > 0;
}

/** The classes that refer to ids with the prefix. The rules of a policy are a part of it, so they do not count. */
function users(prefix: string): Declaration[] {
  return declarations.filter(
    (each) =>
      !declaresRules(each) && idArguments(each.fields).some(({ prefixes }) => prefixes.includes(prefix)),
  );
}

async function referencesFromOutside(
  client: AccountClient,
  gone: readonly ResourceChange[],
  resources: readonly ResourceChange[],
): Promise<Reference[]> {
  const classes = new Set(gone.flatMap(({ declaration }) => users(declaration.idPrefix!)));
  const isChosen = (declaration: Declaration): boolean => classes.has(declaration);
  const { objects } = await readAccount({ client, isChosen, findsEdges: true });
  const own = new Set(resources.map(({ declaration, before }) => `${declaration.type} ${before?.id}`));
  const others = objects.filter(({ declaration, id }) => !own.has(`${declaration.type} ${id}`));
  const inventory = inventoryOfAccount(others);
  const ids = new Set(gone.map(({ before }) => before!.id!));
  return others.flatMap((each) => inventory.references(each)).filter(({ id = "" }) => ids.has(id));
}

/** Whether an SSH credential, which agents may use, is deleted or replaced. */
export function losesCredential({ declaration, action }: ResourceChange): boolean {
  return declaration.type === "SshCredential" && (action === "delete" || action === "replace");
}

function isTunnelGroup({ declaration, before }: ResourceChange): boolean {
  return declaration.type === "TunnelGroupBackend" && before !== undefined;
}

async function onlineAgents(client: AccountClient): Promise<Map<string, Agent[]>> {
  const sessions = await listed<TunnelSession>(client, "TunnelSession");
  const known = sessions.filter(({ credential }) => credential?.id !== undefined);
  return Map.groupBy(known, ({ credential }) => credential!.id);
}

async function backendsWithoutTunnels(client: AccountClient): Promise<Set<string>> {
  type Backend = { id: string } & StateOf<TunnelGroupBackend>;
  const backends = await listed<Backend>(client, "TunnelGroupBackend");
  return new Set(backends.filter(({ tunnels }) => tunnels.length === 0).map(({ id }) => id));
}

function listed<T extends object>(client: AccountClient, type: string): Promise<T[]> {
  return collected(readEach<T>(client, declarationOf(type), undefined, {}));
}
