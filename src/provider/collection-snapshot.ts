/** The objects of a collection, grouped by the parent that they belong to: one list answers all parents of a run. */
import type { Declaration } from "../schema/declaration";
import { isRecord } from "../schema/unknown";
import type { Http } from "./http";
import type { Json } from "../schema/json";
import { pages } from "./pagination";

/** How long a finished list may answer for a parent that this process does not write to, in milliseconds. */
const freshness = 60_000;

interface List {
  /** The number of the event at which the list began. */
  readonly begunAt: number;
  /** When the list ended, in milliseconds since 1970; undefined while it is read. */
  endedAt?: number;
  readonly objects: Promise<ReadonlyMap<string, readonly Json[]>>;
}

export class CollectionSnapshot {
  private list: List | undefined;
  /** Counts lists and writes, to tell which came first. */
  private event = 0;
  /** The event of the last write to a parent's objects; Infinity while one is in progress. */
  private readonly written = new Map<string, number>();

  constructor(
    private readonly declaration: Declaration,
    /** The member of an object that holds the Ref to its parent. */
    private readonly parentRef: string,
    private readonly http: Http,
  ) {}

  /** The objects of the parent, as they are after the last write of this process. */
  async of(parent: string): Promise<readonly Json[]> {
    const list = this.current(parent) ?? (this.list = this.begin());
    return (await list.objects).get(parent) ?? [];
  }

  /** Does work that writes to the parent's objects: lists from before the work ended do not answer for it. */
  async write<T>(parent: string, work: () => Promise<T>): Promise<T> {
    this.written.set(parent, Infinity);
    try {
      return await work();
    } finally {
      this.written.set(parent, ++this.event);
    }
  }

  private current(parent: string): List | undefined {
    const { list } = this;
    if (list === undefined || (this.written.get(parent) ?? -1) > list.begunAt) return undefined;
    const age = list.endedAt === undefined ? 0 : this.http.timing.now() - list.endedAt;
    return age > freshness ? undefined : list;
  }

  private begin(): List {
    const list: List = { begunAt: ++this.event, objects: this.read() };
    list.objects.then(
      () => (list.endedAt = this.http.timing.now()),
      () => {
        if (this.list === list) this.list = undefined; // a failed list answers nobody after those who wait for it
      },
    );
    return list;
  }

  private async read(): Promise<ReadonlyMap<string, readonly Json[]>> {
    const { path, listKey, plural } = this.declaration;
    const objects = new Map<string, Json[]>();
    const operation = `listing the ${plural}`;
    for await (const page of pages(this.http, { path, listKey: listKey!, operation })) {
      for (const object of page) {
        const ref = object[this.parentRef];
        const parent = isRecord(ref) ? ref.id : undefined;
        if (typeof parent !== "string") continue;
        const siblings = objects.get(parent);
        if (siblings) siblings.push(object);
        else objects.set(parent, [object]);
      }
    }
    return objects;
  }
}
