/** The rules that need the account or the state. The review reads both with --stack. */
import { counted, firstOf, most5 } from "../../../schema/text/phrase";
import { losesCredential } from "../account-facts";
import type { Agent } from "../account-facts";
import { pastTense } from "../../stack/preview";
import type { ChangeRule } from "../rule";
import { keyOf, named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { subjects } from "./each";

export const accountRules: readonly ChangeRule[] = [
  {
    id: "interruption/agents-online",
    severity: "warning",
    title: "Online agents use a credential that is deleted or replaced",
    help: "Give them the new one before the old one is deleted. Only with `--stack` and without `--offline`.",
    changes: subjects((subject, { account }) => {
      const agents = account?.agents.get(subject.before?.id ?? "") ?? [];
      if (!losesCredential(subject) || agents.length === 0) return undefined;
      const uses = agents.length === 1 ? "uses" : "use";
      return `${pastTense[subject.action]} while ${counted(agents.length, "online agent")} ${uses} it: ${agentsText(agents)}`;
    }),
  },
  {
    id: "hygiene/pending-create",
    severity: "warning",
    title: "An interrupted create is repeated",
    help: "The object may exist. Adopt it first, by `orphans --stack <stack> --write import.json`. Only with `--stack`.",
    changes: subjects(({ action, urn }, { pending }) =>
      action === "create" && pending?.has(urn)
        ? "its create was interrupted, so it may exist already, and this deployment creates another one"
        : undefined,
    ),
  },
  {
    id: "hygiene/no-tunnels",
    severity: "note",
    title: "An edge sends traffic to a tunnel group backend without tunnels",
    help: "Start the agents, or correct the labels. Only with `--stack` and without `--offline`.",
    *changes(find, { after, account }) {
      for (const backend of after.ofType("TunnelGroupBackend")) {
        if (!account?.withoutTunnels.has(backend.id ?? "")) continue;
        const [edge] = edgesUsing(backend, after, new Set());
        if (edge) yield find(backend, `it has no tunnels, and ${named(edge)} sends traffic to it`);
      }
    },
  },
];

function agentsText(agents: readonly Agent[]): string {
  return firstOf(
    agents.map(({ id, os, ip }) => `${id} (${os}, ${ip})`),
    most5,
  );
}

/** The edges that use a backend, also through weighted and failover backends. */
function edgesUsing(backend: InventoryObject, inventory: Inventory, seen: Set<string>): InventoryObject[] {
  if (seen.has(keyOf(backend))) return [];
  seen.add(keyOf(backend));
  const users = inventory.referrers(backend).map(({ from }) => from);
  return users.flatMap((user) =>
    user.declaration.type === "TcpEdge" ? [user] : edgesUsing(user, inventory, seen),
  );
}
