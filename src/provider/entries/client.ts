/**
 * A set of entries: a parent's objects of another collection as one resource.
 *
 * Every operation first reads what the parent holds and does what is missing, so that a lost answer, a crash or a
 * second run never makes an entry twice. Nothing of an entry but its key and its value is kept in the state.
 */
import type { Declaration, EntrySet } from "../../schema/declaration";
import { wireName } from "../../schema/field";
import { listCacheOf } from "../objects/list-cache";
import type { ListCache } from "../objects/list-cache";
import { EntryRun } from "./run";
import type { EntryReport } from "./report";
import { EntryPlanner } from "./plan";
import type { SetEntry } from "./plan";
import { GatewayError, IncompleteError } from "../errors";
import type { Http } from "../http/http";
import { PathClient } from "../objects/object-client";
import { noState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import type { Answer, Arguments, Outputs } from "../../schema/values";
import type { AsAsked, CreatedObject } from "../life-cycle/answers";
import type { UpdateArguments } from "../objects/object-client";
import type { Budget } from "../http/retry";

type Entries = ReadonlyMap<string, SetEntry>;
type Owned = (key: string) => boolean;

const none: Entries = new Map();

/** What the sets of this process have with the objects of a parent. */
interface Claims {
  /** The keys whose object was there before a set got the entry: another set may be giving it up, and must leave it. */
  readonly adopted: Set<string>;
  /** All keys of the sets that adopted some. A set that such a one replaces is deleted, and must leave them. */
  readonly taken: Set<string>;
  /** Ends with the work of the set that has its turn. */
  turn: Promise<unknown>;
}

export class EntrySetClient extends PathClient {
  /** What is read by its own address is the parent, of which only the existence counts. */
  protected override validator = () => undefined;
  private readonly set: EntrySet;
  private readonly planner: EntryPlanner;
  private readonly cache: ListCache;
  private readonly claims = new Map<string, Claims>();

  constructor(declaration: Declaration, http: Http) {
    super(declaration, http);
    this.set = declaration.entries!;
    this.planner = new EntryPlanner(declaration, this.set);
    this.cache = listCacheOf(http, this.set.of);
  }

  override async create(args: Arguments): Promise<CreatedObject | AsAsked> {
    const id = String(args[this.set.of.parentId!]);
    const answer = await this.reconcile(id, args, noState);
    return answer ? { id, answer } : { id };
  }

  override update(id: string, { full, prior }: UpdateArguments): Promise<Answer | undefined> {
    return this.reconcile(id, full, prior);
  }

  override async read(id: string, prior: RecordedState): Promise<Answer | undefined> {
    const objects = await this.cache.of(id);
    if (objects.length === 0 && (await this.fetch(id)) === undefined) return undefined;
    const known = this.planner.entriesOf(prior.outputs, prior.accepted);
    return this.answerOf(objects, known, this.owned(prior.outputs, known));
  }

  override async remove(id: string, prior: RecordedState): Promise<void> {
    const known = this.planner.entriesOf(prior.outputs, prior.accepted);
    const report = await this.inTurn(id, ({ taken }) => {
      const removed = new Map([...known].filter(([key]) => !taken.has(key)));
      // What a deleted set does not know of goes with its parent, or stays.
      return this.carryOut(id, undefined, removed, () => false);
    });
    const problem = report.problem();
    if (problem) throw problem;
  }

  /**
   * Makes the parent's objects what the arguments say. Throws an IncompleteError where some of them are not.
   * @returns the set in the form of an answer where the service keeps another form of some entries.
   */
  private reconcile(id: string, args: Arguments, prior: RecordedState): Promise<Answer | undefined> {
    const [wanted, before] = [
      this.planner.entriesOf(args),
      this.planner.entriesOf(prior.outputs, prior.accepted),
    ];
    return this.inTurn(id, async (claims) => {
      const isLeft = (key: string): boolean => !this.isExclusive(args) && claims.adopted.has(key);
      const known = new Map([...before].filter(([key]) => wanted.has(key) || !isLeft(key)));
      const owned = this.owned(args, new Map([...known, ...wanted]));
      const report = await this.carryOut(id, wanted, known, owned, (found) => {
        const adopted = [...found].filter((key) => wanted.has(key) && !before.has(key));
        for (const key of adopted) claims.adopted.add(key);
        if (adopted.length > 0) for (const key of wanted.keys()) claims.taken.add(key);
      });
      const problem = report.problem();
      const [held, accepted] = [[...report.held.values()], new Set(report.accepted.keys())];
      // Recorded as incomplete, a change of which nothing was done would show an update where it is taken back.
      if (problem && !report.isOpen && this.holdsJust(before, held, owned)) throw problem;
      if (claims.adopted.size > 0) {
        const adopted = held.filter((object) => claims.adopted.has(this.planner.keyIn(object)));
        for (const { id: object } of adopted) this.cache.adopted.add(String(object));
      }
      if (problem === undefined) return accepted.size > 0 ? this.answerOf(held, wanted, owned) : undefined;
      throw new IncompleteError(problem.message, id, this.answerOf(held, wanted, owned), accepted);
    });
  }

  /** Whether the objects that the set answers for are the entries, no more and no less. */
  private holdsJust(entries: Entries, objects: readonly Answer[], owned: Owned): boolean {
    const groups = [...this.planner.byKey(objects)].filter(([key]) => owned(key));
    return (
      groups.length === entries.size &&
      groups.every(([key, [object, ...others]]) => {
        const entry = entries.get(key);
        return entry !== undefined && others.length === 0 && this.planner.isEntry(object!, entry);
      })
    );
  }

  /** Does the work of a set while no other set of the parent works: each must see what the other did. */
  private async inTurn<T>(id: string, work: (claims: Claims) => Promise<T>): Promise<T> {
    let claims = this.claims.get(id);
    if (!claims) {
      claims = { adopted: new Set(), taken: new Set(), turn: Promise.resolve() };
      this.claims.set(id, claims);
    }
    const { turn } = claims;
    const done = turn.then(() => work(claims));
    claims.turn = done.catch(() => undefined);
    return done;
  }

  /**
   * @param wanted the entries; undefined where the set is deleted, with or after its parent.
   * @param known the entries of the state.
   * @param onFirst called with the keys that the parent holds before anything is done.
   */
  private async carryOut(
    id: string,
    wanted: Entries | undefined,
    known: Entries,
    owned: Owned,
    onFirst: (found: Iterable<string>) => void = () => undefined,
  ): Promise<EntryReport> {
    const { declaration, set, http, planner } = this;
    const run = new EntryRun(declaration, set, id, http, planner);
    const budget = http.budget();
    for (;;) {
      const isFirst = !run.report.isBegun;
      const held = await this.held(id, run.report, budget, wanted !== undefined);
      if (held === undefined) return run.report;
      if (isFirst) onFirst(planner.byKey(held).keys());
      const plan = planner.plan(wanted ?? none, new Map([...known, ...run.report.accepted]), held, owned);
      const undecided = await this.cache.write(id, () => run.carryOut(plan));
      if (undecided === undefined) return run.report;
      try {
        await http.pause(undecided, budget);
      } catch (error) {
        return run.report.stopped(error as Error);
      }
    }
  }

  /** What the parent holds now; undefined where that cannot be known after something was done already. */
  private async held(
    id: string,
    report: EntryReport,
    budget: Budget,
    mustExist: boolean,
  ): Promise<readonly Answer[] | undefined> {
    try {
      const held = await this.cache.of(id);
      if (held.length === 0 && mustExist && (await this.fetch(id, budget)) === undefined) {
        throw new GatewayError(
          `${this.words("changing", id)} failed: ${id} does not exist. If it was deleted outside of this stack, run ` +
            "pulumi refresh, then pulumi up",
        );
      }
      report.read(held);
      return held;
    } catch (error) {
      if (!report.isBegun) throw error;
      report.stopped(error as Error);
      return undefined;
    }
  }

  /**
   * The set in the form of an answer. Where the parent holds a key twice, the object that differs from the entry is the
   * one that shows.
   */
  private answerOf(objects: readonly Answer[], entries: Entries, owned: Owned): Answer {
    const shown: Record<string, Answer> = {};
    for (const [key, group] of this.planner.byKey(objects)) {
      if (!owned(key)) continue;
      const entry = entries.get(key);
      const other = entry && group.find((object) => !this.planner.isEntry(object, entry));
      shown[key] = other ?? group[0]!;
    }
    const field = this.declaration.fields[this.set.entries]!;
    return { [wireName(this.set.entries, field)]: shown };
  }

  /** The keys that a set with the values answers for. */
  private owned(values: Arguments | Outputs, entries: Entries): Owned {
    return this.isExclusive(values) ? () => true : (key) => entries.has(key);
  }

  private isExclusive(values: Arguments | Outputs): boolean {
    return values[this.set.exclusive] !== false;
  }
}
