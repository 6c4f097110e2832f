/** Carries out plans for the entries of a set, many requests at once, and keeps account of what the parent holds. */
import type { Declaration, EntrySet } from "../schema/declaration";
import { wireName } from "../schema/field";
import type { AnyField } from "../schema/field";
import { isDeepStrictEqual } from "node:util";
import type { Plan, Wish } from "./entry-plan";
import { ifFound, requireOwnAnswer } from "./absence";
import { ApiError, GatewayError } from "./errors";
import type { Http } from "./http";
import type { Json } from "../schema/json";
import { segment } from "./path";
import { answerValidator, validated } from "./response-schema";
import { isLost } from "./retry";
import { toWire } from "./wire";

/** Requests under way at once. The rate limiter decides how fast they go. */
const concurrency = 12;

/** How far apart the lines about progress are, in milliseconds. */
const progressInterval = 25_000;

/** How many failed entries an error lists. */
const listed = 20;

/** What came of a run so far. */
export class RunReport {
  /** The objects of the parent, by id. */
  held = new Map<string, Json>();
  /** Whether anything was read or done: an error from here on must not lose it. */
  isBegun = false;
  private readonly failures = new Map<string, Error>();
  private readonly waiting = new Set<string>();
  private stop: Error | undefined;
  private wanted = 0;

  constructor(private readonly subject: string) {}

  read(objects: readonly Json[]): void {
    this.isBegun = true;
    this.held = new Map(objects.map((object) => [String(object.id), object]));
  }

  planned(keys: number): void {
    this.wanted = Math.max(this.wanted, keys);
  }

  failed(key: string, error: Error): void {
    this.failures.set(key, error);
  }

  hasFailed(key: string): boolean {
    return this.failures.has(key);
  }

  /** The object stays because what should take its place failed. */
  waits(key: string): void {
    this.waiting.add(key);
  }

  /** No further request is sent. */
  stopped(error: Error): this {
    this.stop ??= error;
    return this;
  }

  get isStopped(): boolean {
    return this.stop !== undefined;
  }

  /** What is not as the program wants it, in one error; undefined where all is. */
  problem(): GatewayError | undefined {
    if (this.failures.size === 0 && this.stop === undefined) return undefined;
    const lines = [...this.failures].slice(0, listed).map(([key, { message }]) => `  ${key}: ${message}`);
    if (this.failures.size > listed) lines.push(`  and ${counted(this.failures.size - listed)} more`);
    const waiting = [...this.waiting].slice(0, listed).join(", ");
    if (this.waiting.size > 0) {
      lines.push(
        `  not removed, because an entry that may take its place failed: ${waiting}` +
          (this.waiting.size > listed ? ` and ${counted(this.waiting.size - listed)} more` : ""),
      );
    }
    if (this.stop) lines.push(`  stopped: ${this.stop.message}`);
    const failed =
      this.failures.size === 0
        ? ""
        : `${counted(this.failures.size)} of ${counted(this.wanted)} entries failed`;
    return new GatewayError(
      `${this.subject}: ${failed || "not all entries were changed"}\n${lines.join("\n")}`,
    );
  }
}

export class EntryRun {
  readonly report: RunReport;
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
  ) {
    this.report = new RunReport(`the ${declaration.noun} of ${parent}`);
    this.check = answerValidator(set.of);
  }

  /**
   * Carries out the plan; what the service refuses is reported, and the rest goes on. New objects come before removed
   * ones, so that at no moment more is missing or more is there than before or after.
   * @returns the reason to read the parent again and go on; undefined where nothing is left to do.
   */
  async carryOut(plan: Plan): Promise<Error | undefined> {
    this.undecided = undefined;
    const open = <T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] =>
      items.filter((item) => !this.report.hasFailed(keyOf(item)));
    const create = open(plan.create, ({ key }) => key);
    const replace = open(plan.replace, ({ wish }) => wish.key);
    const update = open(plan.update, ({ wish }) => wish.key);
    const left = create.length + replace.length + update.length + plan.remove.length;
    this.total = Math.max(this.total, this.done + left);
    this.report.planned(this.total);
    const stop = this.http.timing.every(progressInterval, () => this.reportProgress());
    try {
      await this.each(create, (wish) => this.entry(wish.key, () => this.create(wish)));
      await this.each(update, ({ wish, object, changed }) =>
        this.entry(wish.key, () => this.update(wish, object, changed)),
      );
      await this.each(replace, ({ wish, object }) =>
        this.entry(wish.key, async () => {
          await this.remove(wish.key, object);
          await this.create(wish);
        }),
      );
      // Where a create's outcome is open, what it may take the place of stays until the next reading.
      if (this.undecided === undefined) {
        const needed = this.failedKinds([...plan.create, ...plan.replace.map(({ wish }) => wish)]);
        await this.each(plan.remove, (object) => this.removeUnlessNeeded(object, needed));
      }
    } finally {
      stop();
    }
    return this.report.isStopped ? undefined : this.undecided;
  }

  private async each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const queue = items[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const item of { [Symbol.iterator]: () => queue }) {
        if (this.report.isStopped) return;
        await work(item);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  }

  /** One entry's requests: a refusal is its own failure, a lost answer is for the next reading, all else ends the run. */
  private async entry(key: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.done += 1;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (isLost(error)) this.undecided = error;
      else if (isStale(error) && !this.conflicts.has(key)) {
        this.conflicts.add(key);
        this.undecided = error;
      } else if (error instanceof ApiError && error.status !== 401 && error.status < 500) {
        this.report.failed(key, error);
        this.done += 1;
      } else this.report.stopped(error);
    }
  }

  private async create({ key, args }: Wish): Promise<void> {
    const { of } = this.set;
    const operation = `creating the ${of.noun} ${key}`;
    const { body } = await this.http.send({
      method: "POST",
      path: of.path,
      body: toWire(of.fields, this.sent(args)),
      operation,
    });
    const object = validated(operation, body, this.check, true);
    this.report.held.set(String(object.id), object);
  }

  private async update({ key }: Wish, object: Json, changed: Json): Promise<void> {
    const { of } = this.set;
    const operation = `updating the ${of.noun} ${key}`;
    const { body } = await this.http.send({
      method: "PATCH",
      path: this.address(object),
      body: toWire(of.fields, changed),
      operation,
    });
    this.report.held.set(String(object.id), validated(operation, body, this.check, true));
  }

  private async remove(key: string, object: Json): Promise<void> {
    const operation = `deleting the ${this.set.of.noun} ${key}`;
    const sent = this.http.send({ method: "DELETE", path: this.address(object), operation });
    // The list of this run has answered, so the service's own answer is proof.
    await ifFound(sent, (refusal) => requireOwnAnswer(this.http, refusal));
    this.report.held.delete(String(object.id));
  }

  /** The kinds of the entries whose create failed, so that objects of these kinds stay. */
  private failedKinds(wishes: readonly Wish[]): unknown[][] {
    const failed = wishes.filter(({ key }) => this.report.hasFailed(key));
    return failed.map(({ args }) => this.kindOf(this.sent(args)));
  }

  private async removeUnlessNeeded(object: Json, needed: readonly unknown[][]): Promise<void> {
    const key = String(object[wireName(this.set.key, this.set.of.fields[this.set.key]!)]);
    const kind = this.kindOf(object);
    if (needed.some((each) => isDeepStrictEqual(each, kind))) this.report.waits(key);
    else await this.entry(key, () => this.remove(key, object));
  }

  /** What an update cannot change of an object, but for its parent: two rules of one kind may take each other's place. */
  private kindOf(values: Json): unknown[] {
    return this.fixed().map(([name, field]) => values[name] ?? values[wireName(name, field)]);
  }

  private fixed(): [string, AnyField][] {
    return Object.entries(this.set.of.fields).filter(
      ([name, field]) =>
        field.presence !== "computed" && field.traits.replace !== undefined && name !== this.set.of.parentId,
    );
  }

  /** The arguments without those that have their default anyway. */
  private sent(args: Json): Json {
    return Object.fromEntries(
      Object.entries(args).filter(([, value]) => value !== "" && value !== undefined),
    );
  }

  private address(object: Json): string {
    return `${this.set.of.path}/${segment(String(object.id))}`;
  }

  private reportProgress(): void {
    this.http.report(
      `${this.parent}: ${counted(this.done)} of ${counted(this.total)} ${this.set.of.plural} done`,
    );
  }
}

/** Whether the refusal says that the account changed since it was read. */
function isStale(error: GatewayError): boolean {
  return error instanceof ApiError && (error.status === 409 || error.isGone);
}

function counted(count: number): string {
  return count.toLocaleString("en-US");
}
