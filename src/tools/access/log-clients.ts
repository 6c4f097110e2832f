/** The clients of logs, sorted by address, so that counting the clients in a range takes logarithmic time. */
import { cidrOf } from "../../schema/addresses/address-set";
import type { AddressSet } from "../../schema/addresses/address-set";
import { blockOfAddress, compareBlocks } from "../../schema/addresses/block";
import type { Block } from "../../schema/addresses/block";
import { counted } from "../../schema/text/phrase";
import type { AddressCount, ClientLog } from "./client-log";

/** A client of a log. */
export interface LogClient extends Omit<AddressCount, "bytes"> {
  /** Its address, as a range of one address. */
  readonly block: Block;
}

export interface ClientCount {
  readonly clients: number;
  readonly requests: number;
}

/** "3 clients with 5 requests" */
export function clientsText({ clients, requests }: ClientCount): string {
  return `${counted(clients, "client")} with ${counted(requests, "request")}`;
}

export function addressText({ block }: LogClient): string {
  return cidrOf(block).replace(/\/.*/, "");
}

export class LogClients {
  /** The clients of logs. A client that occurs in several logs counts once, with all of its requests. */
  static of(logs: readonly ClientLog[]): LogClients {
    const all = logs
      .flatMap((log) => [...log.clients()])
      .map(({ bytes, ...count }): LogClient => ({ block: blockOfAddress(bytes), ...count }))
      .sort((a, b) => compareBlocks(a.block, b.block));
    const found: LogClient[] = [];
    for (const each of all) {
      const before = found.at(-1);
      if (before && compareBlocks(before.block, each.block) === 0)
        found[found.length - 1] = { ...each, requests: before.requests + each.requests };
      else found.push(each);
    }
    return new LogClients(found);
  }

  /** The number of requests of the clients before each one. */
  private readonly sums: readonly number[];

  /** @param all each client once, ascending. */
  constructor(readonly all: readonly LogClient[]) {
    let sum = 0;
    this.sums = [0, ...all.map(({ requests }) => (sum += requests))];
  }

  where(isMeant: (client: LogClient) => boolean): LogClients {
    return new LogClients(this.all.filter(isMeant));
  }

  inside(set: AddressSet): LogClients {
    return this.where(({ block }) => set.overlaps(block));
  }

  outside(set: AddressSet): LogClients {
    return this.where(({ block }) => !set.overlaps(block));
  }

  count(): ClientCount {
    return { clients: this.all.length, requests: this.sums.at(-1)! };
  }

  /** The clients in ranges that do not overlap. */
  countIn(blocks: readonly Block[]): ClientCount {
    let [clients, requests] = [0, 0];
    for (const { family, first, last } of blocks) {
      const [from, to] = [this.before(family, first), this.before(family, last + 1n)];
      clients += to - from;
      requests += this.sums[to]! - this.sums[from]!;
    }
    return { clients, requests };
  }

  /** The number of clients before an address. */
  private before(family: Block["family"], address: bigint): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { block } = this.all[middle]!;
      if (block.family < family || (block.family === family && block.first < address)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
