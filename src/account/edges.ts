/**
 * The HTTPS and TLS edges of an account. The API has no list of them, but the endpoints that they serve name them.
 * Specification: Endpoint.
 */
import { isRecord } from "../schema/unknown";
import type { Json } from "../schema/json";

/** The ids of edges, sorted. */
export interface Edges {
  readonly https: readonly string[];
  readonly tls: readonly string[];
}

export const endpointsPath = "/endpoints";

/** The edges that endpoints name. An edge without an endpoint is not among them. */
export function edgesIn(endpoints: readonly Json[]): Edges {
  const served = endpoints.filter(({ type }) => type === "edge");
  return { https: idsOf(served, ["http", "https"]), tls: idsOf(served, ["tls"]) };
}

function idsOf(endpoints: readonly Json[], protocols: readonly string[]): string[] {
  const ids = endpoints
    .filter(({ proto }) => protocols.includes(String(proto)))
    .map(({ edge }) => (isRecord(edge) ? edge.id : undefined))
    .filter((id) => typeof id === "string" && id !== "");
  return [...new Set(ids as string[])].sort();
}
