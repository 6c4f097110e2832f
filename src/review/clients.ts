/** Real clients: the addresses of a log, and those among them whose access a deployment changes. */
import { isIPv4, isIPv6 } from "node:net";
import { AddressSet } from "../access/address-set";
import { blockOf } from "../access/block";
import { matches } from "../access/tests";
import { guardedThings } from "../access/verdicts";
import type { GuardedThing } from "../access/verdicts";
import type { Inventory } from "../inventory/inventory";
import { inventoriesOf } from "../inventory/preview";
import { canonicalAddress } from "../schema/formats/cidr";
import { valueAt } from "../schema/unknown";
import type { Preview } from "../stack/preview";
import type { InStacks } from "./in-stacks";

/** One address of a log. */
export interface Client {
  readonly address: string;
  /** The number of lines that begin with it. */
  readonly requests: number;
  /** The number of the last of these lines, from 1. */
  readonly lastLine: number;
}

/** The clients of a guarded resource whose access changes. At most {@link mostShown} are listed, those with most requests first. */
export interface ClientChange extends InStacks {
  readonly urn: string | undefined;
  readonly type: string;
  readonly name: string;
  /** They may get in before the deployment, and after it not or not surely. */
  readonly losing: readonly Client[];
  readonly gaining: readonly Client[];
  /** All of them, with those that are not listed. */
  readonly counts: Readonly<
    Record<"losing" | "gaining", { readonly clients: number; readonly requests: number }>
  >;
  /** Whether the log is that of this resource alone; otherwise it holds all clients of the file. */
  readonly isOwnLog: boolean;
}

export const mostShown = 20;

/** The longest part of a line that is read, in bytes: a log may be anything. */
const longestLine = 64 * 1024;

/** Counts the clients of a log while it arrives. */
export class ClientLog {
  private readonly places = new Map<string, number>();
  private readonly requests: number[] = [];
  private readonly lastLines: number[] = [];
  private lines = 0;
  private rest = "";

  /** @param field the member of JSON lines that holds the address; without it the first address of a line counts. */
  constructor(private readonly field?: string) {}

  push(chunk: Buffer): void {
    // Addresses are ASCII, and so is what is around the texts of JSON.
    const text = this.rest + chunk.toString("latin1");
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.line(text.slice(start, Math.min(end, start + longestLine)));
      start = end + 1;
    }
    this.rest = text.slice(start, start + longestLine);
  }

  end(): void {
    if (this.rest !== "") this.line(this.rest);
    this.rest = "";
  }

  *clients(): Generator<Client> {
    for (const [address, place] of this.places) {
      yield { address, requests: this.requests[place]!, lastLine: this.lastLines[place]! };
    }
  }

  private line(line: string): void {
    this.lines += 1;
    const address = this.field === undefined ? firstAddress(line) : addressAt(line, this.field);
    if (address === undefined) return;
    let place = this.places.get(address);
    if (place === undefined) {
      place = this.places.size;
      // A slice of a line would keep the whole chunk in memory.
      this.places.set(Buffer.from(address, "latin1").toString("latin1"), place);
      this.requests.push(0);
    }
    this.requests[place]! += 1;
    this.lastLines[place] = this.lines;
  }
}

const candidates =
  /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*[\w])|(?:[0-9a-f]{0,4}:){2,7}[0-9a-f.]{0,15})/gi;
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The first address of a text; an IPv4 client of a dual-stack server as its IPv4 address. */
export function firstAddress(text: string): string | undefined {
  candidates.lastIndex = 0;
  for (let match = candidates.exec(text); match; match = candidates.exec(text)) {
    const [found] = match;
    const address = mapped.exec(found)?.[1] ?? found;
    if (isIPv4(address)) return address;
    if (isIPv6(address)) return canonicalAddress(address);
  }
  return undefined;
}

function addressAt(line: string, field: string): string | undefined {
  try {
    const value = valueAt(JSON.parse(line), field);
    return typeof value === "string" ? firstAddress(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The clients whose access a deployment changes, by resource. `resource` names those that the log is of. */
export function clientChanges(
  preview: Pick<Preview, "subjects">,
  log: ClientLog,
  resource?: string,
): ClientChange[] {
  const { before, after } = inventoriesOf(preview);
  const [olds, news] = [thingsIn(before), thingsIn(after)];
  const changes = [...new Set([...olds.keys(), ...news.keys()])].flatMap((key) => {
    const [old, next] = [olds.get(key), news.get(key)];
    const { on } = (next ?? old)!;
    if (resource !== undefined && !matches(on, resource)) return [];
    const [from, to] = [levelsOf(old, on), levelsOf(next, on)];
    const [losing, gaining] = [falls(from, to), falls(to, from)];
    return losing.isEmpty() && gaining.isEmpty()
      ? []
      : [{ on, losing: new Tally(losing), gaining: new Tally(gaining) }];
  });
  if (changes.length > 0) {
    for (const client of log.clients()) {
      const block = blockOf(client.address)!;
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

/** Clients in a set of addresses: their number, and those with most requests. */
class Tally {
  clients = 0;
  private requests = 0;
  private shown: Client[] = [];

  constructor(readonly set: AddressSet) {}

  add(client: Client): void {
    this.clients += 1;
    this.requests += client.requests;
    this.shown.push(client);
    if (this.shown.length >= 50 * mostShown) this.shown = this.most();
  }

  most(): Client[] {
    const order = (a: Client, b: Client): number => b.requests - a.requests || b.lastLine - a.lastLine;
    return [...this.shown].sort(order).slice(0, mostShown);
  }

  count(): { clients: number; requests: number } {
    return { clients: this.clients, requests: this.requests };
  }
}

function thingsIn(inventory: Inventory): Map<string, GuardedThing> {
  const things = guardedThings(inventory).filter(({ on }) =>
    on.declaration.gates?.some(({ by }) => by === "address"),
  );
  return new Map(things.map((each) => [`${each.on.declaration.type} ${each.place}`, each]));
}

/** Who gets in surely, perhaps and not; nobody knows of the other addresses. */
interface Levels {
  readonly surely: AddressSet;
  readonly perhaps: AddressSet;
  readonly not: AddressSet;
}

function levelsOf(thing: GuardedThing | undefined, { declaration }: GuardedThing["on"]): Levels {
  const { empty, everything } = AddressSet;
  if (!thing) {
    // An edge or route without its module is open; one that does not exist serves nobody.
    return declaration.style === "singleton"
      ? { surely: everything, perhaps: empty, not: empty }
      : { surely: empty, perhaps: empty, not: everything };
  }
  const { allowed, open, undecided, denied, unmatched } = thing.byVerdict;
  const hasAllowRule = thing.policies.some((policy) => !policy.allowed.isEmpty());
  return {
    surely: allowed.union(open),
    perhaps: hasAllowRule ? undecided : undecided.union(unmatched),
    not: hasAllowRule ? denied.union(unmatched) : denied,
  };
}

/** The addresses that come to a lower level. */
function falls(from: Levels, to: Levels): AddressSet {
  return from.surely.intersection(to.perhaps.union(to.not)).union(from.perhaps.intersection(to.not));
}
