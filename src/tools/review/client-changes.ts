/** Real clients: the addresses of a log whose access a deployment changes. */
import type { AddressSet } from "../../schema/addresses/address-set";
import { blockOfAddress } from "../../schema/addresses/block";
import { resourcePattern } from "../access/access-tests";
import { unknownSemantics } from "../access/semantics";
import { entranceAt, placePairs } from "../access/place";
import type { Entrance } from "../access/place";
import type { Preview } from "../inventory/read-preview";
import type { ClientLog } from "../access/client-log";
import { addressText } from "../access/log-clients";
import type { ClientCount, LogClient } from "../access/log-clients";
import { most20 } from "../../schema/text/phrase";
import type { StackScope } from "../output/finding";

/** The clients of a guarded resource whose access changes. */
export type ClientChange = ReturnType<typeof clientChanges>[number] & StackScope;

/** The clients whose access a deployment changes, by resource. `resource`: the only resources that the log is about. */
export function clientChanges(
  { before, after }: Preview,
  log: ClientLog,
  resource?: string,
  semantics = unknownSemantics,
) {
  const changes = placePairs(before, after, semantics).flatMap(({ on, old, next }) => {
    if (resource !== undefined && !resourcePattern(resource)(on)) return [];
    const [from, to] = [entranceAt(old, on), entranceAt(next, on)];
    const [losing, gaining] = [lessSure(from, to), lessSure(to, from)];
    if (losing.isEmpty() && gaining.isEmpty()) return [];
    return [{ on, losing: clientsIn(losing), gaining: clientsIn(gaining) }];
  });
  if (changes.length === 0) return [];
  // A log may have millions of clients: those whose access stays are not kept.
  for (const { bytes, requests, lastLine } of log.clients()) {
    const client = { block: blockOfAddress(bytes), requests, lastLine };
    for (const { losing, gaining } of changes)
      for (const { set, clients } of [losing, gaining]) if (set.overlaps(client.block)) clients.push(client);
  }
  return changes
    .filter(({ losing, gaining }) => losing.clients.length + gaining.clients.length > 0)
    .map(({ on, losing, gaining }) => ({
      ...{ urn: on.urn, type: on.declaration.type, name: on.name },
      /** They may get in before the deployment; after it they do not, or are less sure to. */
      losing: most(losing.clients),
      gaining: most(gaining.clients),
      counts: { losing: countOf(losing.clients), gaining: countOf(gaining.clients) },
      /** Otherwise the log holds all clients of the file. */
      isOwnLog: resource !== undefined,
    }));
}

function clientsIn(set: AddressSet): { readonly set: AddressSet; readonly clients: LogClient[] } {
  return { set, clients: [] };
}

function countOf(clients: readonly LogClient[]): ClientCount {
  return { clients: clients.length, requests: clients.reduce((sum, { requests }) => sum + requests, 0) };
}

/** Those with most requests. */
function most(clients: readonly LogClient[]) {
  const sorted = clients.toSorted((a, b) => b.requests - a.requests || b.lastLine - a.lastLine);
  return sorted.slice(0, most20).map((client) => {
    return { address: addressText(client), requests: client.requests, lastLine: client.lastLine };
  });
}

/** Whether a log can be about this resource: the preview has one of the name that can have IP policies. */
export function canHavePolicies({ before, after }: Preview, resource: string): boolean {
  return placePairs(before, after).some(({ on }) => resourcePattern(resource)(on));
}

/** The addresses that are less sure to get in than before, or do not. */
function lessSure(from: Entrance, to: Entrance): AddressSet {
  return from.surely.intersection(to.perhaps.union(to.not)).union(from.perhaps.intersection(to.not));
}
