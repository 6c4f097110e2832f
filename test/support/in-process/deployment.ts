/**
 * One preview, update, refresh or destroy of a stack, with the steps, the order and the writes of the state of Pulumi's
 * engine: checks and diffs one after the other, creates, updates and deletes at the same time where no dependency
 * forbids it, deletes at the end and dependents first.
 */
import { isDeepStrictEqual } from "node:util";
import type { Answer, LookUp, Registration, Registry } from "./program";
import type { DiffResult, Known, ProviderProcess, ResourceProvider, Written } from "./provider";
import { nothing, SnapshotManager, type Snapshot, type Stored } from "./snapshot";
import { marked, plain, shown, withUnknown, type Values } from "./values";
import { ended } from "../until";

export interface Step {
  readonly op: "create" | "update" | "replace" | "delete" | "same" | "read";
  readonly name: string;
  readonly urn: string;
  /** The properties that force a replacement. */
  readonly replaceReasons: readonly string[];
  /** The properties that differ. */
  readonly diffReasons: readonly string[];
  readonly before?: Noted | undefined;
  readonly after?: Noted | undefined;
  /** Of a replacement: the objects that are deleted before the new one is created, in this order. */
  readonly removedFirst?: readonly Stored[] | undefined;
}

/** What an operation does. */
export interface Operation {
  readonly steps: readonly Step[];
  /** The steps that change an object. */
  readonly changes: readonly Step[];
  /** The objects that are deleted at the end, in the order in which that begins. */
  readonly removals: readonly Stored[];
  /** Everything that a display of it can show: old and new values, with secrets masked. */
  readonly text: string;
}

export interface DeploymentOptions {
  readonly providerOf: ProviderProcess["providerOf"];
  readonly isPreview: boolean;
  /** How many steps run at the same time. */
  readonly parallel?: number;
  /** Saves the state. */
  readonly write?: (snapshot: Snapshot) => Promise<void>;
  /** The resources that change; default: all. */
  readonly targets?: ReadonlySet<string> | undefined;
}

/** What the engine makes of it. */
interface Difference extends DiffResult {
  readonly changes: boolean;
}

/** The errors of a deployment: the first one ends it, others are of steps that were running then. */
class DeploymentError extends Error {}

export class Deployment implements Registry {
  /** What became of each resource of before that the program declared, or that was deleted before its replacement. */
  private readonly seen = new Set<string>();
  private readonly current = new Map<string, Stored>();
  /** The resources that were deleted because what they depend on is deleted first, and why. */
  private readonly deletedWith = new Map<string, readonly string[]>();
  /** Old objects of replacements of this run, still to be deleted. */
  private readonly replaced: Stored[] = [];
  /** The deletions of those that are deleted with what they depend on. */
  private readonly removals = new Map<string, Promise<void>>();
  private readonly steps: Step[] = [];
  private readonly lastRemovals: Stored[] = [];
  private readonly texts: string[] = [];
  private readonly errors: Error[] = [];
  private readonly running = new Set<Promise<unknown>>();
  private readonly waiting: (() => void)[] = [];
  private active = 0;
  private generation: Promise<unknown> = Promise.resolve();
  private readonly manager: SnapshotManager;

  constructor(
    private readonly base: Snapshot,
    private readonly options: DeploymentOptions,
  ) {
    this.manager = new SnapshotManager(base, options.write ?? (() => Promise.resolve()));
    for (const stored of base.resources) if (!stored.isReplaced) this.current.set(stored.urn, stored);
  }

  /** One registration at a time is checked and compared. What it leads to runs beside others. */
  async register(registration: Registration): Promise<Answer> {
    const turn = this.generation.then(() => this.generate(registration));
    this.generation = turn.catch(() => undefined);
    const { answer } = await turn;
    return answer();
  }

  async lookUp({ urn, type, name, id, inputs }: LookUp): Promise<Answer> {
    const provider = this.options.providerOf({ urn, type, provider: undefined });
    const { outputs } = await provider.read({ id, inputs, outputs: inputs });
    const stored: Stored = { ...nothing, urn, type, name, id, inputs, outputs, external: true };
    this.note("read", undefined, stored);
    this.seen.add(urn);
    const old = this.current.get(urn);
    await this.manager.same(old, stored);
    return { id, outputs };
  }

  /** Deletes what was replaced and what the program no longer declares, dependents first. Throws what went wrong. */
  async end(): Promise<void> {
    await this.settled();
    this.throwErrors();
    const isGone = ({ urn, external }: Stored) => !external && !this.seen.has(urn) && this.isTargeted(urn);
    const gone = [...this.current.values()].filter(isGone).reverse();
    const earlier = this.base.resources.filter(({ isReplaced, urn }) => isReplaced && this.isTargeted(urn));
    for (const stored of gone) this.note("delete", stored);
    const deletions = [...this.replaced, ...earlier, ...gone];
    for (const { urn, protect, name } of gone)
      if (protect)
        this.errors.push(new DeploymentError(`${name} is protected and cannot be deleted: ${urn}`));
    this.throwErrors();
    for (let left = deletions; left.length > 0;) {
      // What no other one of them depends on.
      const isFree = ({ urn }: Stored) =>
        !left.some((other) => other.urn !== urn && other.dependencies.includes(urn));
      const free = left.filter(isFree);
      left = left.filter((stored) => !free.includes(stored));
      this.lastRemovals.push(...free);
      if (this.options.isPreview) continue;
      for (const stored of free) void this.run(() => this.remove(stored, gone.includes(stored)));
      await this.settled();
      this.throwErrors();
    }
    if (!this.options.isPreview) await this.manager.save();
  }

  /** Ends a deployment whose program failed: what runs ends, and nothing is deleted. Throws all that went wrong. */
  async abandon(): Promise<void> {
    await this.settled();
    if (!this.options.isPreview) await this.manager.save();
    this.throwErrors();
  }

  /** Reads every object into the state. */
  async refresh(): Promise<void> {
    const read = async (stored: Stored) => {
      const found = await this.refreshed(stored);
      if (found) await this.manager.same(stored, found);
      else await this.manager.drop(stored);
    };
    const chosen = this.base.resources.filter(({ external, urn }) => !external && this.isTargeted(urn));
    for (const stored of chosen) void this.run(() => read(stored));
    await this.settled();
    await this.manager.save();
    this.throwErrors();
  }

  /** The state that the deployment leaves. */
  get snapshot(): Snapshot {
    return this.manager.snapshot;
  }

  result(): Operation {
    const changes = this.steps.filter(({ op }) => op !== "same" && op !== "read");
    const { steps, lastRemovals: removals } = this;
    return { steps, changes, removals, text: this.texts.join("\n") };
  }

  note(
    op: Step["op"],
    before?: Noted,
    after?: Noted,
    reasons: Partial<DiffResult> & Pick<Step, "removedFirst"> = {},
  ): void {
    const { name, urn } = (after ?? before)!;
    const { replaces: replaceReasons = [], differing: diffReasons = [], removedFirst } = reasons;
    this.steps.push({ op, name, urn, replaceReasons, diffReasons, before, after, removedFirst });
    this.texts.push(JSON.stringify([op, shown(before), shown(after)]));
  }

  private async generate(given: Registration): Promise<{ answer: () => Promise<Answer> }> {
    this.throwErrors();
    const { urn } = given;
    const old = this.current.get(urn);
    this.seen.add(urn);
    if (!this.isTargeted(urn)) return this.untargeted(given, old);
    const isNew = old === undefined || old.external;
    const inputs = await this.failing(() => this.checked(isNew ? {} : old.inputs, given));
    if (isNew) {
      this.note("create", undefined, { ...given, inputs });
      return this.started(() => this.create(given, inputs, old));
    }
    const diff = await this.failing(() => this.diff(old, inputs));
    const replaces = [...diff.replaces, ...(this.deletedWith.get(urn) ?? [])];
    // Of a replacement that an earlier deployment did not complete, the engine asks for the difference, and replaces in any case.
    if (replaces.length > 0 || old.isDeletedFirst) return this.replace(given, old, { ...diff, replaces });
    if (diff.changes || old.initErrors.length > 0) {
      this.note("update", old, { ...old, ...stateOf(given), inputs }, { differing: diff.differing });
      return this.started(() => this.update(given, old, inputs));
    }
    const now = { ...old, ...stateOf(given), inputs };
    this.note("same", old, now);
    if (!this.options.isPreview) await this.manager.same(old, now);
    return known(now);
  }

  private async untargeted(
    given: Registration,
    old: Stored | undefined,
  ): Promise<{ answer: () => Promise<Answer> }> {
    if (old === undefined) {
      return known({ id: "", outputs: given.inputs });
    }
    if (!this.options.isPreview) await this.manager.same(old, old);
    return known(old);
  }

  private async replace(
    given: Registration,
    old: Stored,
    diff: Difference,
  ): Promise<{ answer: () => Promise<Answer> }> {
    const isDeleted = this.deletedWith.has(old.urn);
    if (old.protect) return this.fail(`${old.name} is protected and cannot be replaced: ${old.urn}`);
    const deletesFirst = given.deleteBeforeReplace ?? diff.deleteBeforeReplace;
    // The new object's check does not get the old one.
    const inputs = await this.failing(() => this.checked({}, given));
    if (isDeleted) {
      this.note("replace", old, { ...given, inputs }, { ...diff, removedFirst: [] });
      return this.started(async () => {
        await this.removals.get(old.urn);
        return this.create(given, inputs, undefined);
      });
    }
    if (!deletesFirst) {
      this.note("replace", old, { ...given, inputs }, diff);
      this.replaced.push(old);
      return this.started(() => this.create(given, inputs, old));
    }
    const dependents = await this.failing(() => this.replacedWith(old));
    const isProtected = dependents.find(({ stored }) => stored.protect);
    if (isProtected) return this.fail(`${isProtected.stored.name} is protected and cannot be replaced`);
    const removedFirst = [...dependents.map(({ stored }) => stored).reverse(), old];
    this.note("replace", old, { ...given, inputs }, { ...diff, removedFirst });
    for (const { stored, reasons } of dependents) this.deletedWith.set(stored.urn, reasons);
    return this.started(async () => {
      const removals = (async () => {
        for (const { stored } of dependents.reverse()) await this.removeFirst(stored);
      })();
      for (const { stored } of dependents) this.removals.set(stored.urn, removals);
      await removals;
      const left = old.isDeletedFirst ? old : await this.removeFirst(old);
      return this.create(given, inputs, left);
    });
  }

  /** The resources that must be replaced too, because an input that replaces them comes from one that is deleted. */
  private async replacedWith(root: Stored): Promise<{ stored: Stored; reasons: readonly string[] }[]> {
    const gone = new Set([root.urn]);
    const found: { stored: Stored; reasons: readonly string[] }[] = [];
    for (const stored of this.base.resources) {
      if (stored.isReplaced || stored.external || this.deletedWith.has(stored.urn)) continue;
      const properties = Object.entries(stored.propertyDependencies)
        .filter(([, urns]) => urns.some((urn) => gone.has(urn)))
        .map(([name]) => name);
      if (properties.length === 0) continue;
      const now = this.current.get(stored.urn) ?? stored;
      const { replaces } = await this.diff(now, withUnknown(now.inputs, properties));
      if (replaces.length === 0) continue;
      gone.add(stored.urn);
      found.push({ stored: now, reasons: replaces });
    }
    return found;
  }

  /** Deletes an object before the one that takes its place is created. Returns what is left in the state. */
  private async removeFirst(old: Stored): Promise<Stored> {
    const left = { ...old, isDeletedFirst: true };
    if (this.options.isPreview) return left;
    await this.failing(async () => {
      const end = await this.manager.begin("deleting", old);
      await this.ending(end, () => this.provider(old).delete(old));
      await end({ gone: old, kept: left });
    });
    this.current.set(old.urn, left);
    return left;
  }

  private async create(given: Registration, inputs: Values, old: Stored | undefined): Promise<Answer> {
    const base: Stored = { ...nothing, ...stateOf(given), inputs };
    // In the state it takes the place of what was deleted; what is deleted later stays beside it.
    const before = old ?? this.current.get(given.urn);
    const kept =
      before && !before.isDeletedFirst && !before.external ? { ...before, isReplaced: true } : undefined;
    if (this.options.isPreview) return this.provider(given).create(inputs, true);
    const end = await this.manager.begin("creating", base);
    const made = await this.ending(end, () => this.provider(given).create(inputs, false));
    const stored = storedAfter(made, base, given);
    await end({ gone: before, kept, made: stored });
    if (kept) this.replaced.splice(this.replaced.indexOf(before!), 1, kept);
    if (made.failure) throw made.failure.error;
    return stored;
  }

  private async update(given: Registration, old: Stored, inputs: Values): Promise<Answer> {
    const base: Stored = { ...old, ...stateOf(given), inputs, initErrors: [] };
    if (this.options.isPreview) return this.provider(given).update(old, inputs, true);
    const end = await this.manager.begin("updating", base);
    const made = await this.ending(end, () => this.provider(given).update(old, inputs, false));
    const stored = storedAfter(made, base, given);
    await end({ gone: old, made: stored });
    if (made.failure) throw made.failure.error;
    return stored;
  }

  /**
   * Deletes an object. The engine does not ask for one that was deleted before its replacement if the program no longer
   * declares it; if the program does, and the new object is created first, it asks for the old one once more.
   */
  private async remove(stored: Stored, isUndeclared: boolean): Promise<void> {
    const end = await this.manager.begin("deleting", stored);
    const isDeleted = stored.isDeletedFirst && isUndeclared;
    if (!isDeleted) await this.ending(end, () => this.provider(stored).delete(stored));
    await end({ gone: stored });
  }

  private async refreshed(stored: Stored): Promise<Stored | undefined> {
    if (stored.isDeletedFirst) return stored;
    const { id, outputs, inputs } = await this.provider(stored).read(stored);
    if (id === "") {
      this.note("delete", stored);
      return undefined;
    }
    const now = { ...stored, outputs: marked(outputs, stored.secretOutputs), inputs, initErrors: [] };
    const { changes } = await this.diff(now, stored.inputs);
    this.note(changes ? "update" : "same", stored, now);
    return now;
  }

  private async diff(
    stored: Known & Pick<Stored, "urn" | "type" | "provider">,
    news: Values,
  ): Promise<Difference> {
    const diff = await this.provider(stored).diff(stored, news);
    if (diff.changes !== undefined) return { ...diff, changes: diff.changes };
    const [olds, now] = [plain(stored.inputs), plain(news)];
    const names = [...new Set([...Object.keys(olds), ...Object.keys(now)])];
    const differing = names.filter((name) => !isDeepStrictEqual(olds[name], now[name]));
    return { ...diff, changes: differing.length > 0, differing };
  }

  private async checked(olds: Values, given: Registration): Promise<Values> {
    const { inputs, failures } = await this.provider(given).check(olds, given.inputs);
    if (failures.length > 0) throw new DeploymentError(`${given.name}: ${failures.join("\n")}`);
    return inputs;
  }

  private provider(resource: Pick<Stored, "urn" | "type" | "provider">): ResourceProvider {
    return this.options.providerOf(resource);
  }

  /** Ends the operation in the state where the work fails, without a change. */
  private async ending<T>(end: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** Begins steps, which end by themselves. */
  private started(work: () => Promise<Answer>): { answer: () => Promise<Answer> } {
    const running = this.run(work);
    return {
      answer: async () => {
        const answer = await running;
        if (answer === undefined) throw this.errors[0] ?? new DeploymentError("the deployment has ended");
        return answer;
      },
    };
  }

  /** Runs steps when it is their turn; undefined where they failed, or where the deployment failed before. */
  private run<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { parallel = 8 } = this.options;
    const begun = async (): Promise<T | undefined> => {
      if (this.active >= parallel) await new Promise<void>((resolve) => this.waiting.push(resolve));
      else this.active += 1;
      try {
        return this.errors.length > 0 ? undefined : await this.failing(work);
      } catch {
        return undefined;
      } finally {
        const next = this.waiting.shift();
        if (next) next();
        else this.active -= 1;
      }
    };
    const running = begun().finally(() => this.running.delete(running));
    this.running.add(running);
    return running;
  }

  /** Waits until all steps have ended. */
  private async settled(): Promise<void> {
    const all = async (): Promise<void> => {
      await this.generation;
      while (this.running.size > 0) await Promise.all(this.running);
    };
    await ended(all(), () => `${this.running.size} steps of the deployment have not ended`);
  }

  private async failing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!this.errors.includes(error as Error)) this.errors.push(error as Error);
      throw error;
    }
  }

  private fail(message: string): never {
    const error = new DeploymentError(message);
    this.errors.push(error);
    throw error;
  }

  private throwErrors(): void {
    const [first] = this.errors;
    if (first === undefined) return;
    throw this.errors.length === 1
      ? first
      : new DeploymentError(this.errors.map(({ message }) => message).join("\n"));
  }

  private isTargeted(urn: string): boolean {
    return this.options.targets?.has(urn) ?? true;
  }
}

type Noted = Pick<Stored, "urn" | "name" | "type" | "inputs" | "parent">;

/** What the engine stores after a write, which may have been done in part. */
function storedAfter(
  { id, outputs, failure }: Written,
  base: Stored,
  { secretOutputs }: Registration,
): Stored {
  return { ...base, id, outputs: marked(outputs, secretOutputs), initErrors: failure?.reasons ?? [] };
}

function known({ id, outputs }: Pick<Stored, "id" | "outputs">): { answer: () => Promise<Answer> } {
  return { answer: () => Promise.resolve({ id, outputs }) };
}

function stateOf(given: Registration) {
  const { urn, type, name, secretOutputs, protect, provider, parent } = given;
  const { dependencies, propertyDependencies } = given;
  return { urn, type, name, secretOutputs, dependencies, propertyDependencies, protect, provider, parent };
}
