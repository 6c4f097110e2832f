/** Real clients: the addresses of a log whose access a deployment changes. */
import type { AddressSet } from "../../schema/addresses/address-set";
import { blockOfAddress } from "../../schema/addresses/block";
import { resourcePattern } from "../access/tests";
import { unknownSemantics } from "../access/semantics";
import { entranceAt, placePairs } from "../access/place";
import type { Entrance } from "../access/place";
import type { Preview } from "../inventory/read-preview";
import { formatAddress } from "../../schema/formats/cidr";
import type { AddressCount, ClientLog } from "../access/client-log";
import type { ClientCount } from "../access/log-clients";
import { most20 } from "../../schema/text/phrase";
import type { StackScope } from "./stack-scope";

/** One address of a log. */
interface Client {
  readonly address: string;
  /** The number of lines that begin with it. */
  readonly requests: number;
  /** The number of the last of these lines, from 1. */
  readonly lastLine: number;
}

/** The clients of a guarded resource whose access changes. At most {@link most20} are listed, those with most requests first. */
export interface ClientChange extends StackScope {
  readonly urn: string | undefined;
  readonly type: string;
  readonly name: string;
  /** They may get in before the deployment; after it they do not, or are less sure to. */
  readonly losing: readonly Client[];
  readonly gaining: readonly Client[];
  /** All of them, with those that are not listed. */
  readonly counts: Readonly<Record<"losing" | "gaining", ClientCount>>;
  /** Whether the log is that of this resource alone; otherwise it holds all clients of the file. */
  readonly isOwnLog: boolean;
}

/** The clients whose access a deployment changes, by resource. `resource`: the only resources that the log is about. */
export function clientChanges(
  { before, after }: Preview,
  log: ClientLog,
  resource?: string,
  semantics = unknownSemantics,
): ClientChange[] {
  const changes = placePairs(before, after, semantics).flatMap(({ on, old, next }) => {
    if (resource !== undefined && !resourcePattern(resource)(on)) return [];
    const [from, to] = [entranceAt(old, on), entranceAt(next, on)];
    const [losing, gaining] = [lessSure(from, to), lessSure(to, from)];
    return losing.isEmpty() && gaining.isEmpty()
      ? []
      : [{ on, losing: new Tally(losing), gaining: new Tally(gaining) }];
  });
  if (changes.length > 0) {
    for (const client of log.clients()) {
      const block = blockOfAddress(client.bytes);
      for (const { losing, gaining } of changes) {
        if (losing.set.overlaps(block)) losing.add(client);
        else if (gaining.set.overlaps(block)) gaining.add(client);
      }
    }
  }
  return changes
    .filter(({ losing, gaining }) => losing.clients + gaining.clients > 0)
    .map(({ on, losing, gaining }) => ({
      ...{ urn: on.urn, type: on.declaration.type, name: on.name },
      ...{ losing: losing.most(), gaining: gaining.most() },
      counts: { losing: losing.count(), gaining: gaining.count() },
      isOwnLog: resource !== undefined,
    }));
}

/** Whether a log can be about this resource: the preview has one of the name that can have IP policies. */
export function canHavePolicies({ before, after }: Preview, resource: string): boolean {
  return placePairs(before, after).some(({ on }) => resourcePattern(resource)(on));
}

/**
 * Clients in a set of addresses: their number, and those with most requests. Unlike `LogClients` it keeps no others: a log may
 * have millions.
 */
class Tally {
  clients = 0;
  private requests = 0;
  private shown: AddressCount[] = [];

  constructor(readonly set: AddressSet) {}

  add(client: AddressCount): void {
    this.clients += 1;
    this.requests += client.requests;
    this.shown.push(client);
    if (this.shown.length >= 50 * most20) this.shown = this.first();
  }

  most(): Client[] {
    return this.first().map(({ bytes, requests, lastLine }) => ({
      ...{ address: formatAddress(bytes), requests, lastLine },
    }));
  }

  private first(): AddressCount[] {
    const order = (a: AddressCount, b: AddressCount): number =>
      b.requests - a.requests || b.lastLine - a.lastLine;
    return [...this.shown].sort(order).slice(0, most20);
  }

  count(): ClientCount {
    return { clients: this.clients, requests: this.requests };
  }
}

/** The addresses that are less sure to get in than before, or do not. */
function lessSure(from: Entrance, to: Entrance): AddressSet {
  return from.surely.intersection(to.perhaps.union(to.not)).union(from.perhaps.intersection(to.not));
}
