/**
 * A set of entries: a parent's objects of another collection as one resource.
 *
 * Every operation first reads what the parent holds and does what is missing, so that a lost answer, a crash or a
 * second run never makes an entry twice. Nothing of an entry but its key and its value is kept in the state.
 */
import type { Declaration, EntrySet } from "../schema/declaration";
import { wireName } from "../schema/field";
import { keyOf } from "../schema/entry-set";
import { isRecord } from "../schema/unknown";
import { CollectionSnapshot } from "./collection-snapshot";
import { EntryRun } from "./entry-run";
import type { RunReport } from "./entry-run";
import { groupByKey, planOf, wishesOf } from "./entry-plan";
import type { Wish } from "./entry-plan";
import { GatewayError, IncompleteError } from "./errors";
import type { Http } from "./http";
import { PathClient } from "./object-client";
import type { Json } from "../schema/json";
import type { CreatedObject } from "./created-object";
import type { UpdateArguments } from "./object-client";
import type { Budget } from "./retry";

export class EntrySetClient extends PathClient {
  /** What is read by its own address is the parent, of which only the existence counts. */
  protected override validator = () => undefined;
  private readonly set: EntrySet;
  private readonly snapshot: CollectionSnapshot;
  /** The keys that a set of this process made or took over, by parent: the set that it replaces must not delete them. */
  private readonly managed = new Map<string, Set<string>>();

  constructor(declaration: Declaration, http: Http) {
    super(declaration, http);
    this.set = declaration.entries!;
    const parentRef = this.set.of.fields[this.set.of.parentId!]!.traits.ref!;
    this.snapshot = new CollectionSnapshot(this.set.of, parentRef, http);
  }

  override async create(args: Json): Promise<CreatedObject> {
    const id = String(args[this.set.of.parentId!]);
    return { id, answer: await this.reconcile(id, args, {}) };
  }

  override async update(id: string, { full, prior }: UpdateArguments): Promise<Json> {
    return this.reconcile(id, full, prior);
  }

  override async read(id: string, prior: Json): Promise<Json | undefined> {
    const objects = await this.snapshot.of(id);
    if (objects.length === 0 && (await this.fetch(id)) === undefined) return undefined;
    const keys = this.keysOf(prior);
    const isShown = isExclusive(this.set, prior) ? () => true : (key: string) => keys.has(key);
    return this.answerOf(this.grouped(objects), wishesOf(this.declaration, this.set, prior), isShown);
  }

  override async remove(id: string, prior: Json): Promise<void> {
    const keys = this.keysOf(prior);
    const kept = this.managed.get(id);
    const removable = (key: string): boolean => keys.has(key) && !kept?.has(key);
    await this.snapshot.write(id, async () => {
      const report = await this.carryOut(id, undefined, removable);
      const problem = report.problem();
      if (problem) throw problem;
    });
  }

  /** Makes the parent's objects what the arguments say. Throws an IncompleteError where some of them are not. */
  private async reconcile(id: string, args: Json, prior: Json): Promise<Json> {
    const wishes = wishesOf(this.declaration, this.set, args);
    const known = new Set([...this.keysOf(prior), ...wishes.keys()]);
    const isManaged = isExclusive(this.set, args) ? () => true : (key: string) => known.has(key);
    const report = await this.snapshot.write(id, () => this.carryOut(id, wishes, isManaged));
    const groups = this.grouped([...report.held.values()]);
    this.managed.set(id, new Set(groups.keys()));
    const answer = this.answerOf(groups, wishes, isManaged);
    const problem = report.problem();
    if (problem === undefined) return answer;
    throw new IncompleteError(problem.message, id, answer);
  }

  /** @param wishes the entries; undefined where the set is deleted, with or after its parent. */
  private async carryOut(
    id: string,
    wishes: ReturnType<typeof wishesOf> | undefined,
    removable: (key: string) => boolean,
  ): Promise<RunReport> {
    const { declaration, set, http } = this;
    const run = new EntryRun(declaration, set, id, http);
    const budget = http.budget();
    for (;;) {
      const held = await this.held(id, run, budget, wishes !== undefined);
      if (held === undefined) return run.report;
      const plan = planOf(declaration, set, wishes ?? new Map(), held, removable, http.settings);
      const undecided = await run.carryOut(plan);
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
    run: EntryRun,
    budget: Budget,
    mustExist: boolean,
  ): Promise<readonly Json[] | undefined> {
    try {
      const held = await this.snapshot.of(id);
      if (held.length === 0 && mustExist && (await this.fetch(id, budget)) === undefined) {
        throw new GatewayError(`${this.words("changing", id)} failed: ${id} does not exist`);
      }
      run.report.read(held);
      return held;
    } catch (error) {
      if (!run.report.isBegun) throw error;
      run.report.stopped(error as Error);
      return undefined;
    }
  }

  /**
   * The set in the form of an answer. Where the parent holds a key twice, the object that differs from the wanted
   * entry is the one that shows.
   */
  private answerOf(
    groups: ReadonlyMap<string, Json[]>,
    wishes: ReadonlyMap<string, Wish>,
    isShown: (key: string) => boolean,
  ): Json {
    const entries: Record<string, Json> = {};
    for (const [key, group] of groups) {
      if (!isShown(key)) continue;
      const wish = wishes.get(key);
      entries[key] = (wish === undefined ? group : this.wantedFirst(group, wish)).at(-1)!;
    }
    const field = this.declaration.fields[this.set.entries]!;
    return { [wireName(this.set.entries, field)]: entries };
  }

  private grouped(objects: readonly Json[]): Map<string, Json[]> {
    return groupByKey(this.declaration, this.set, objects);
  }

  private wantedFirst(group: Json[], wish: Wish): Json[] {
    if (group.length < 2) return group;
    const isOther = (object: Json): number => {
      const only = new Map([[wish.key, wish]]);
      const plan = planOf(this.declaration, this.set, only, [object], () => false, this.http.settings);
      return plan.replace.length + plan.update.length;
    };
    return [...group].sort((a, b) => isOther(a) - isOther(b));
  }

  private keysOf(values: Json): Set<string> {
    const entries = values[this.set.entries];
    const keys = Object.keys(isRecord(entries) ? entries : {});
    return new Set(keys.map((key) => keyOf(this.declaration, this.set, key)));
  }
}

function isExclusive(set: EntrySet, values: Json): boolean {
  return values[set.exclusive] !== false;
}
