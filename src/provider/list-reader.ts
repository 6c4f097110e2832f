/**
 * Reads of one collection's objects that cost few requests. A refresh reads object by object; where it asks
 * for many of a collection, pages of its list answer them.
 *
 * Pages never outnumber the reads asked so far, so that a small stack in a large account does not pay for
 * the account; what no page holds is read by itself before it is called gone; and a page is of no use once
 * anything was written.
 */
import type { Json } from "../schema/json";
import type { Http } from "./http";
import { pages } from "./pagination";
import type { List } from "./pagination";

/** The first reads are single: a stack with few objects of a collection needs no list. */
const singles = 3;

/** How long a page is used, in milliseconds: a plugin may outlive many operations. */
const freshness = 60_000;

interface Walk {
  readonly pages: AsyncIterator<readonly Json[]>;
  readonly writes: number;
  readonly startedAt: number;
  ended: boolean;
  /** The objects of the pages so far that were not asked for yet. */
  readonly found: Map<string, Json>;
}

export class ListReader {
  private asked = 0;
  private fetched = 0;
  private walk: Walk | undefined;
  private fetching: Promise<void> | undefined;
  private unusable = false;

  constructor(
    private readonly http: Http,
    private readonly list: List,
    /** Reads one object by its id. */
    private readonly single: (id: string) => Promise<Json | undefined>,
  ) {}

  /** The object's answer; undefined where it does not exist. */
  async read(id: string): Promise<Json | undefined> {
    this.asked += 1;
    if (this.asked <= singles) return this.single(id);
    return (await this.fromPages(id)) ?? this.single(id);
  }

  private async fromPages(id: string): Promise<Json | undefined> {
    while (!this.unusable) {
      const walk = this.freshWalk();
      const found = walk.found.get(id);
      if (found) {
        walk.found.delete(id);
        return found;
      }
      if (this.fetching) await this.fetching;
      else if (walk.ended || this.fetched >= this.asked) return undefined;
      else await this.fetch(walk);
    }
    return undefined;
  }

  private freshWalk(): Walk {
    const { writes, timing } = this.http;
    const now = timing.now();
    if (this.walk?.writes !== writes || now > this.walk.startedAt + freshness) {
      const found = new Map<string, Json>();
      this.walk = { pages: pages(this.http, this.list), writes, startedAt: now, ended: false, found };
    }
    return this.walk;
  }

  private async fetch(walk: Walk): Promise<void> {
    this.fetched += 1;
    this.fetching = this.add(walk).finally(() => (this.fetching = undefined));
    await this.fetching;
  }

  /** Where the list fails, objects are read one by one, and their errors are reported. */
  private async add(walk: Walk): Promise<void> {
    try {
      const page = await walk.pages.next();
      if (page.done) walk.ended = true;
      else for (const item of page.value) if (typeof item.id === "string") walk.found.set(item.id, item);
    } catch {
      this.unusable = true;
    }
  }
}
