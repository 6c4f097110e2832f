/** The objects in the account of a page before the page starts. */
import { declarations } from "../../../src/resources/registry";
import type { Seed, Snapshot } from "../../../src/emulator/types";
import { oddAccount } from "../odd-account";
import { makeCertificate } from "../x509";
import { beginsInProject } from "./project";

/** A generated page imports an object of its class, so it needs one of every class; the others need a few. */
export function accountFor(page: string): Seed {
  if (page.startsWith("docs/resources/")) return oddAccount();
  return beginsInProject(page) ? {} : smallAccount();
}

/** The objects that the programs of the pages find by name. */
export function smallAccount(): Seed {
  const site = makeCertificate({ subject: "www.example.com", dnsNames: ["www.example.com"] });
  return {
    ip_policies: [{ id: "ipp_office", description: "office networks" }],
    ip_policy_rules: [
      { ip_policy_id: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
      { ip_policy_id: "ipp_office", cidr: "203.0.113.128/25", action: "deny" },
    ],
    tls_certificates: [{ certificate_pem: site.pem, private_key_pem: site.privateKeyPem }],
    bot_users: [{ name: "deployer" }],
    api_keys: [{ description: "used by the audit" }],
    tunnel_sessions: [{ os: "linux", agent_version: "3.1.0", agent: { update_available: "3.2.0" } }],
  };
}

/** An id of the class that a generated page is about; none for other pages. */
export function idFor(page: string, account: Snapshot): string | undefined {
  const name = /^docs\/resources\/(.+)\.md$/.exec(page)?.[1]?.replaceAll("-", "");
  const path = declarations.find(({ type }) => type.toLowerCase() === name)?.path;
  if (path === undefined) return undefined;
  const module = path.split("/").at(-1)!;
  if (path.startsWith("/edges/https/")) {
    const edge = account.https_edges![0]!;
    const routes = edge.routes as Record<string, unknown>[];
    return `${String(edge.id)}/${String(routes.find((route) => module in route)!.id)}`;
  }
  if (path.startsWith("/edges/tls/")) return String(account.tls_edges![0]!.id);
  if (path.includes("/sources/")) {
    const subscriptions = account.event_subscriptions as { id: string; sources: { type: string }[] }[];
    const { id, sources } = subscriptions.find((each) => each.sources.length > 0)!;
    return `${id}/${sources[0]!.type}`;
  }
  // What belongs to an object has its id.
  const collection = path.replace(/\/\{\w+\}$/, "").slice(1);
  return String(account[collection]![0]!.id);
}
