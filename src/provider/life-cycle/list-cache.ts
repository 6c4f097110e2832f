/**
 * The list of a collection, shared by a refresh, which reads object by object, and rule sets, which need all rules of a
 * policy.
 *
 * Pages are fetched on demand. Reads by id fetch at most one page each, so that a small stack in a large account does not
 * pay for the account. A page is used until a write that may have changed its objects, and for at most 60 seconds.
 */
import type { Declaration } from "../../schema/declaration";
import { canonical } from "../../schema/formats/cidr";
import type { Answer, FieldValues } from "../../schema/values";
import { oncePer } from "../../schema/once-per";
import { policyOf } from "../../schema/rule-set";
import type { RuleValues } from "../../schema/rule-set";
import type { Http } from "../http/http";
import { listRequest, pages } from "../http/pagination";

/** The first reads by id do not use the list: a stack with so few objects of a collection needs none. */
const readsWithoutList = 3;

/** How long pages are used, in milliseconds: a plugin may outlive many operations. */
const freshness = 60_000;

/** How many objects are read by their ids because the list shows drift. After so many, the list is believed. */
const mostDoubts = 20;

/** One reading of the list, page by page. */
interface Walk {
  readonly pages: AsyncIterator<readonly Answer[]>;
  /** The event at which it began, and how many writes the process had sent by then. */
  readonly begunAt: number;
  readonly writes: number;
  /** When it began or, once all pages were read for a set, when it ended: in milliseconds, as `timing.elapsed`. */
  at: number;
  ended: boolean;
  /** How many pages were read. */
  count: number;
  /** How many objects were read by their ids because that took fewer requests. */
  readSingly: number;
  /** Whether its pages are being read to the end. */
  isReadWhole: boolean;
  fetching: Promise<void> | undefined;
  readonly byId: Map<string, Answer>;
  /** The objects by their policy, once all pages are read. */
  byPolicy?: ReadonlyMap<unknown, readonly Answer[]>;
  /** The ids of objects that a read by id has returned. The next read of one sends a request, to show later changes. */
  readonly given: Set<string>;
}

export class ListCache {
  private walk: Walk | undefined;
  private asked = 0;
  private fetched = 0;
  private doubts = 0;
  /** Whether the list failed during a read by id. Later reads by id do not use it. */
  private isUnusable = false;
  /** Counts walks and writes, which shows which came first. */
  private event = 0;
  /** The event of the last write to the rules, by policy. */
  private readonly lastWrites = new Map<unknown, number>();

  /** The rules that sets of the program hold, by policy: `<range> <action>`. */
  private readonly heldBySets = new Map<unknown, Set<string>>();
  /** The ids of the rules that the program has as objects of their own. */
  private readonly singles = new Set<string>();
  /** The ranges whose rules this process has deleted as objects of their own, by policy. */
  private readonly deleted = new Map<unknown, Set<string>>();

  constructor(
    private readonly declaration: Declaration,
    private readonly http: Http,
  ) {}

  /** The object as a page shows it; undefined if it must be read by itself. */
  async find(id: string): Promise<Answer | undefined> {
    this.asked += 1;
    for (;;) {
      const walk = this.walkForId();
      const found = walk?.byId.get(id);
      if (walk === undefined || walk.given.has(id)) return undefined;
      if (found) {
        walk.given.add(id);
        return found;
      }
      if (walk.fetching === undefined) {
        if (walk.ended || this.fetched >= this.asked) return undefined;
        this.fetched += 1;
      }
      // If the list fails, objects are read one by one, and their errors are reported.
      await this.fetch(walk).catch(() => (this.isUnusable = true));
    }
  }

  /** The objects of a page. Those that are not as the state records them are read by their ids: a list may lag behind a write. */
  async confirmed(
    listed: readonly Answer[],
    isAsRecorded: (answer: Answer) => boolean,
    read: (id: string) => Promise<Answer | undefined>,
  ): Promise<readonly Answer[]> {
    const doubted = new Set(listed.filter((each) => !isAsRecorded(each)));
    this.doubts += doubted.size;
    if (this.doubts > mostDoubts) return listed;
    const objects = listed.map(async (each) =>
      doubted.has(each) ? read(String(each.id)).catch(() => each) : each,
    );
    return (await Promise.all(objects)).filter((each) => each !== undefined);
  }

  /** All rules of the policy, as they are after the last write of this process to them. */
  async of(policy: string): Promise<readonly Answer[]> {
    const walk = this.walkForPolicy(policy);
    if (!walk.ended) {
      walk.isReadWhole = true;
      try {
        while (!walk.ended) await this.fetch(walk);
        walk.at = this.http.timing.elapsed();
      } finally {
        walk.isReadWhole = false;
      }
    }
    walk.byPolicy ??= Map.groupBy(walk.byId.values(), policyOf);
    return walk.byPolicy.get(policy) ?? [];
  }

  /**
   * The rules of the policy with the ids, if that takes fewer requests than the list: never more single reads than pages.
   * Undefined if all pages were read, or one of the rules is gone.
   */
  async byIds(
    policy: string,
    ids: readonly string[],
    read: (id: string) => Promise<Answer | undefined>,
  ): Promise<readonly Answer[] | undefined> {
    const walk = this.walkForPolicy(policy);
    const missing = (): string[] => ids.filter((id) => !walk.byId.has(id));
    while (!walk.ended && walk.count < walk.readSingly + missing().length) await this.fetch(walk);
    if (walk.ended) return undefined;
    const single = missing();
    walk.readSingly += single.length;
    const answers = new Map(await Promise.all(single.map(async (id) => [id, await read(id)] as const)));
    const found = ids.map((id) => walk.byId.get(id) ?? answers.get(id));
    return found.every((answer) => answer !== undefined) ? found : undefined;
  }

  /** Notes rules that a set of the policy holds. A resource for one of them that leaves the program must leave its rule. */
  hold(policy: string, rules: Iterable<RuleValues>): void {
    const held = this.heldBySets.get(policy) ?? new Set();
    for (const { cidr, action } of rules) held.add(`${cidr} ${action}`);
    this.heldBySets.set(policy, held);
  }

  /** Whether a set holds the rule with the values. */
  isHeld({ ipPolicyId, cidr, action }: FieldValues): boolean {
    return this.heldBySets.get(ipPolicyId)?.has(`${canonical(String(cidr))} ${String(action)}`) ?? false;
  }

  /** Notes a rule that the program has as an object of its own. A set that is deleted or gives up its range must leave it. */
  noteSingle(id: string): void {
    this.singles.add(id);
  }

  isSingle(id: string): boolean {
    return this.singles.has(id);
  }

  /** Notes that a rule with the values was deleted, so that nobody waits for the list to show it. */
  noteDeleted({ ipPolicyId, cidr }: FieldValues): void {
    const ranges = this.deleted.get(ipPolicyId) ?? new Set();
    this.deleted.set(ipPolicyId, ranges.add(canonical(String(cidr))));
  }

  isDeleted(policy: string, range: string): boolean {
    return this.deleted.get(policy)?.has(range) ?? false;
  }

  /** Pages that are fetched so far are no longer used for rules of the policy. */
  outdate(policy: unknown): void {
    this.lastWrites.set(policy, ++this.event);
  }

  /** Runs a write to rules of the policy. Pages from before its end are not used for them. */
  async outdateAfter<T>(policy: unknown, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.outdate(policy);
    }
  }

  /** For reads by id, a walk is used until any write: it may have changed the object. */
  private walkForId(): Walk | undefined {
    if (this.isUnusable) return undefined;
    const { walk } = this;
    if (walk && this.isFresh(walk) && walk.writes === this.http.writes) return walk;
    return this.asked <= readsWithoutList ? undefined : this.begin();
  }

  private walkForPolicy(policy: string): Walk {
    const { walk } = this;
    const isCurrent = walk && this.isFresh(walk) && walk.begunAt > (this.lastWrites.get(policy) ?? -1);
    return isCurrent ? walk : this.begin();
  }

  private isFresh(walk: Walk): boolean {
    return walk.isReadWhole || this.http.timing.elapsed() - walk.at <= freshness;
  }

  private begin(): Walk {
    return (this.walk = {
      pages: pages(this.http, listRequest(this.declaration)),
      begunAt: ++this.event,
      writes: this.http.writes,
      at: this.http.timing.elapsed(),
      ...{ count: 0, readSingly: 0 },
      ...{ ended: false, isReadWhole: false, fetching: undefined },
      ...{ byId: new Map<string, Answer>(), given: new Set<string>() },
    });
  }

  /** Fetches the next page, or waits for the one that is under way. */
  private fetch(walk: Walk): Promise<void> {
    walk.fetching ??= this.add(walk).finally(() => (walk.fetching = undefined));
    return walk.fetching;
  }

  private async add(walk: Walk): Promise<void> {
    try {
      const page = await walk.pages.next();
      walk.count += 1;
      if (page.done) walk.ended = true;
      // A list may show an object on two pages.
      else for (const item of page.value) if (typeof item.id === "string") walk.byId.set(item.id, item);
    } catch (error) {
      // Reads that come later begin a new walk.
      this.walk = undefined;
      throw error;
    }
  }
}

const caches = oncePer((http: Http) =>
  oncePer((declaration: Declaration) => new ListCache(declaration, http)),
);

/** The cache of a collection's list over a connection. */
export function listCacheOf(http: Http, declaration: Declaration): ListCache {
  return caches(http)(declaration);
}
