/** Carries out plans for the entries of a set, many requests at once, and keeps account of what the parent holds. */
import type { Declaration, EntrySet } from "../../schema/declaration";
import type { EntryPlan, EntryPlanner, EntryUpdate, SetEntry } from "./plan";
import { inDigits, EntryReport } from "./report";
import { ifFound, requireOwnAnswer } from "../objects/absence";
import { ApiError, GatewayError } from "../errors";
import type { Http } from "../http/http";
import type { Json } from "../../schema/json";
import { notChanged, otherMeaning } from "../life-cycle/accepted";
import { segment } from "../path";
import { answerValidator, validated } from "../response-schema";
import { isLost } from "../http/retry";
import { toWire } from "../wire";

/** Requests under way at once. The rate limiter decides how fast they go. */
const concurrency = 12;

/** How far apart the lines about progress are, in milliseconds. */
const progressInterval = 25_000;

type Replacement = EntryPlan["replace"][number];

export class EntryRun {
  readonly report: EntryReport;
  private readonly check;
  private done = 0;
  private total = 0;
  private undecided: Error | undefined;
  /** Keys that a create found taken: read once more before that is a failure. */
  private readonly conflicts = new Set<string>();

  constructor(
    declaration: Declaration,
    private readonly set: EntrySet,
    private readonly parent: string,
    private readonly http: Http,
    private readonly planner: EntryPlanner,
  ) {
    this.report = new EntryReport(`the ${declaration.noun} of ${parent}`, set.of.plural);
    this.check = answerValidator(set.of);
  }

  /**
   * Carries out the plan; what the service refuses is reported, and the rest is done. At every moment what is open is
   * open before or after the update, what is closed before and after it stays closed, and the parent holds an object
   * unless it holds none before or after.
   * @returns the reason to read the parent again and continue; undefined where nothing is left to do.
   */
  async carryOut(plan: EntryPlan): Promise<Error | undefined> {
    this.undecided = undefined;
    for (const entry of plan.accepted) this.report.accepted.set(entry.key, entry);
    const { create, replace, update, remove, blocked } = plan;
    // Later plans hold what is left of the first one, and what failed.
    this.total ||= [create, replace, update, remove, blocked].flat().length;
    this.report.planned(
      this.total,
      plan.unseen.map((object) => this.inWords(object)),
    );
    const stop = this.http.timing.every(progressInterval, () => this.reportProgress());
    try {
      for (const step of this.steps(plan)) {
        await step();
        // Where an outcome is open, what must come after it waits for the next reading.
        if (this.report.isStopped || this.undecided !== undefined) break;
      }
    } finally {
      stop();
    }
    return this.report.isStopped ? undefined : this.undecided;
  }

  /** Everything new comes before anything goes. What closes comes before what opens, and goes after it. */
  private steps(plan: EntryPlan): (() => Promise<void>)[] {
    const { planner } = this;
    const isClosing = ({ entry }: { readonly entry: SetEntry }): boolean => planner.isClosing(entry.args);
    const create = plan.create.map((entry) => ({ entry }));
    return [
      () => this.createAll(create.filter(isClosing)),
      () =>
        this.createAll(
          this.unexposed(
            plan,
            create.filter((each) => !isClosing(each)),
          ),
        ),
      () => this.updateAll(plan.update),
      () => this.replaceAll(plan.replace.filter(isClosing)),
      () =>
        this.replaceAll(
          this.unexposed(
            plan,
            plan.replace.filter((each) => !isClosing(each)),
          ),
        ),
      () =>
        this.removeAll(
          plan,
          plan.remove.filter((object) => !planner.isClosing(object)),
        ),
      () =>
        this.removeAll(
          plan,
          plan.remove.filter((object) => planner.isClosing(object)),
        ),
    ];
  }

  private createAll(items: readonly { readonly entry: SetEntry }[]): Promise<void> {
    return this.each(items, keyOfEntry, ({ entry }) => this.make(entry));
  }

  private updateAll(items: EntryPlan["update"]): Promise<void> {
    return this.each(items, keyOfEntry, (item) => this.update(item));
  }

  /** One waits for the others, so that the parent holds an object where all of them are replaced. */
  private async replaceAll(items: readonly Replacement[]): Promise<void> {
    await this.each(items.slice(1), keyOfEntry, (item) => this.replace(item));
    if (this.undecided === undefined) {
      await this.each(items.slice(0, 1), keyOfEntry, (item) => this.replace(item));
    }
  }

  /** Removes the objects, but for those that something which failed needs. */
  private removeAll(plan: EntryPlan, objects: readonly Json[]): Promise<void> {
    const missing = this.missing(plan);
    const kinds = new Set(missing.map(({ args }) => this.planner.kindOf(args)));
    const left = [...plan.remove, ...plan.unseen].filter((object) => this.report.held.has(String(object.id)));
    const opening = left.filter((object) => !this.planner.isClosing(object));
    const isNeeded = (object: Json): boolean =>
      kinds.has(this.planner.kindOf(object)) ||
      (this.planner.isClosing(object) && opening.some((each) => this.overlap(object, each)));
    const free = objects.filter((object) => !isNeeded(object));
    // Of the old objects one stays where none of the new ones could be made.
    if (missing.length > 0 && free.length === this.report.held.size) free.shift();
    const isFree = new Set(free);
    for (const object of objects) {
      if (!isFree.has(object)) this.report.waits(this.planner.keyIn(object), "removed");
    }
    return this.each(
      free,
      (object) => this.planner.keyIn(object),
      (object) => this.remove(object),
    );
  }

  /** The items without those that would open what an entry that is missing should close. */
  private unexposed<T extends { readonly entry: SetEntry }>(
    plan: EntryPlan,
    items: readonly T[],
  ): readonly T[] {
    const closing = this.missing(plan).filter(({ args }) => this.planner.isClosing(args));
    return items.filter(({ entry: { key } }) => {
      const isExposed = closing.some((each) => this.set.precedence.overlap(each.key, key));
      if (isExposed) this.report.waits(key, "created");
      return !isExposed;
    });
  }

  /** The entries of the plan that could not be made so far. */
  private missing({ create, replace, blocked }: EntryPlan): SetEntry[] {
    const tried = [...create, ...replace.map(({ entry }) => entry)];
    return [...blocked, ...tried.filter(({ key }) => this.report.isMissing(key))];
  }

  private async each<T>(
    items: readonly T[],
    keyOf: (item: T) => string,
    work: (item: T) => Promise<void>,
  ): Promise<void> {
    const queue = items.filter((item) => !this.report.isMissing(keyOf(item)))[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const item of { [Symbol.iterator]: () => queue }) {
        if (this.report.isStopped) return;
        await this.attempt(keyOf(item), () => work(item));
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  }

  /** One entry's requests: a refusal is its own failure, a lost answer is for the next reading, all else ends the run. */
  private async attempt(key: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.done += 1;
    } catch (thrown) {
      const error = thrown as Error;
      if (isLost(error)) {
        this.report.isOpen = true;
        this.undecided = error;
      } else if (isStale(error) && !this.conflicts.has(key)) {
        this.conflicts.add(key);
        this.undecided = error;
      } else if (isOfOneEntry(error)) {
        this.report.failed(key, error);
        this.done += 1;
      } else this.report.stopped(error);
    }
  }

  /** Deletes an object again that the service created with another meaning: it would open or close what nobody asked for. */
  private async make(entry: SetEntry): Promise<void> {
    const object = await this.create(entry.key, this.sent(entry.args));
    const other = this.planner.otherMeaning(object, entry);
    if (other) {
      await this.remove(object);
      throw new NotTakenError(otherMeaning(other));
    }
    this.accept(object, entry);
  }

  private accept(object: Json, entry: SetEntry): void {
    if (!this.planner.isEntry(object, entry)) {
      this.report.accepted.set(entry.key, this.planner.kept(object, entry));
    }
  }

  private async create(key: string, args: Json): Promise<Json> {
    const { of } = this.set;
    const operation = `creating the ${of.noun} ${key}`;
    const { body } = await this.http.send({
      method: "POST",
      path: of.path,
      body: toWire(of.fields, args),
      operation,
    });
    const object = validated(operation, body, this.check, true);
    this.report.held.set(String(object.id), object);
    return object;
  }

  private async update(update: EntryUpdate): Promise<void> {
    const { entry, object, changed } = update;
    const { of } = this.set;
    const operation = `updating the ${of.noun} ${entry.key}`;
    const { body } = await this.http.send({
      method: "PATCH",
      path: this.address(object),
      body: toWire(of.fields, changed),
      operation,
    });
    const answer = validated(operation, body, this.check, true);
    this.report.held.set(String(object.id), answer);
    const other = this.planner.otherMeaning(answer, entry);
    if (other) throw new NotTakenError(otherMeaning(other));
    const ignored = this.planner.ignored(answer, update);
    if (ignored) throw new NotTakenError(notChanged(ignored));
    this.accept(answer, entry);
  }

  private async replace({ entry, objects }: Replacement): Promise<void> {
    const isOnly = objects.length === this.report.held.size;
    const standIn = isOnly ? await this.createStandIn(entry) : undefined;
    // A failure must not be what leaves the parent without any object.
    if (isOnly && standIn === undefined && this.report.hasFailures) {
      this.report.waits(entry.key, "replaced");
      return;
    }
    for (const object of objects) await this.remove(object);
    await this.make(entry);
    if (standIn) await this.remove(standIn);
  }

  /**
   * An object for a part of the entry, so that the parent is not left without any while the entry's own is replaced;
   * undefined where the entry has no parts. One part is enough: what it covers is as the entry wants it, and nothing
   * else opens or closes that would not without it.
   */
  private async createStandIn(entry: SetEntry): Promise<Json | undefined> {
    const { key, precedence } = this.set;
    const part = precedence.parts(entry.key).find((each) => !this.report.isMissing(each));
    if (part === undefined) return undefined;
    return this.create(part, { ...this.sent(entry.args), ...precedence.standIn, [key]: part });
  }

  private async remove(object: Json): Promise<void> {
    const operation = `deleting the ${this.set.of.noun} ${this.planner.keyIn(object)}`;
    const sent = this.http.send({ method: "DELETE", path: this.address(object), operation });
    // The list of this run has answered, so the service's own answer is proof.
    await ifFound(sent, (refusal) => requireOwnAnswer(this.http, refusal));
    this.report.held.delete(String(object.id));
  }

  private overlap(one: Json, other: Json): boolean {
    return this.set.precedence.overlap(this.planner.keyIn(one), this.planner.keyIn(other));
  }

  /** The arguments without those that have their default anyway. */
  private sent(args: Json): Json {
    return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== ""));
  }

  private address(object: Json): string {
    return `${this.set.of.path}/${segment(String(object.id))}`;
  }

  private inWords(object: Json): string {
    return `${this.planner.keyIn(object)} (${this.planner.kindOf(object)})`;
  }

  private reportProgress(): void {
    this.http.report(
      `${this.parent}: ${inDigits(this.done)} of ${inDigits(this.total)} ${this.set.of.plural} done`,
    );
  }
}

function keyOfEntry({ entry }: { readonly entry: SetEntry }): string {
  return entry.key;
}

/** The service answered the write of an entry with success and did not take it. */
class NotTakenError extends GatewayError {}

/** Whether the failure is about the entry alone, so that the others are tried. */
function isOfOneEntry(error: Error): boolean {
  if (error instanceof NotTakenError) return true;
  return error instanceof ApiError && error.status !== 401 && error.status < 500;
}

/** Whether the refusal says that the account changed since it was read. */
function isStale(error: Error): boolean {
  return error instanceof ApiError && (error.status === 409 || error.isGone);
}
