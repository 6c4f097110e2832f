/** What only the account shows: the agents that are online, and the tunnel group backends without tunnels. */
import type { AccountClient } from "../../account/account-client";
import { collected, readEach } from "../../account/read-objects";
import { declarationOf } from "../../resources/registry";
import type { TunnelGroupBackend } from "../../resources/tunnel-group-backend";
import type { TunnelSession } from "../../resources/tunnel-session";
import type { StateOf } from "../../schema/declaration";
import type { World, ResourceChange } from "../inventory/world";

/** An agent that is online. */
export type Agent = Pick<TunnelSession, "id" | "os" | "ip">;

export interface AccountFacts {
  /** The agents by the id of the credential that they use. */
  readonly agents: ReadonlyMap<string, readonly Agent[]>;
  /** The ids of tunnel group backends without tunnels. */
  readonly withoutTunnels: ReadonlySet<string>;
}

/**
 * Reads what the rules need for a preview: at most the list of the agents that are online and the list of the tunnel
 * group backends, each only if the preview has resources that it concerns. It connects only then. Throws where a
 * request fails.
 */
export async function readFacts(
  preview: Pick<World, "resources">,
  connect: () => Promise<AccountClient>,
): Promise<AccountFacts> {
  const resources = [...preview.resources.values()];
  const [needsAgents, needsTunnels] = [resources.some(losesCredential), resources.some(isTunnelGroup)];
  if (!needsAgents && !needsTunnels) return { agents: new Map(), withoutTunnels: new Set() };
  const client = await connect();
  return {
    agents: needsAgents ? await onlineAgents(client) : new Map(),
    withoutTunnels: needsTunnels ? await backendsWithoutTunnels(client) : new Set(),
  };
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
  return new Set(backends.filter(({ tunnels }) => !tunnels?.length).map(({ id }) => id));
}

function listed<T extends object>(client: AccountClient, type: string): Promise<T[]> {
  return collected(readEach<T>(client, declarationOf(type), undefined, {}));
}
