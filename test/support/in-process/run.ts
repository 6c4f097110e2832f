/** One preview or update of a stack: what happens to each resource that the program declares. */
import { isDeepStrictEqual } from "node:util";
import type { hooksOf } from "../../../src/plugin";
import type { Answer, LookUp, Registration, Registry } from "./program";
import { marked, markedAs, plain, sent, shown, type Values } from "./values";

/** A resource as the engine stores it. Secrets are marked, not encrypted. */
export interface Stored {
  readonly urn: string;
  /** The class. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  readonly dependencies: readonly string[];
  readonly argumentDependencies: readonly string[];
  /** It is only read. */
  readonly external: boolean;
}

export interface Step {
  readonly op: "create" | "update" | "replace" | "delete" | "same" | "read";
  readonly name: string;
  /** The properties that force a replacement. */
  readonly replaceReasons: readonly string[];
}

/** What an operation does. */
export interface Operation {
  readonly steps: readonly Step[];
  /** The steps that change an object. */
  readonly changes: readonly Step[];
  /** Everything that a display of it can show: old and new values, with secrets masked. */
  readonly text: string;
}

interface DiffResult {
  readonly changes?: boolean;
  readonly replaces?: string[];
  readonly deleteBeforeReplace?: boolean;
}

type Hooks = ReturnType<typeof hooksOf>;

export class Run implements Registry {
  private readonly old: Map<string, Stored>;
  /** In the order of registration, in which each one comes after those that it depends on. */
  private readonly kept: Stored[] = [];
  /** Old objects that the end of the run deletes. */
  private readonly replaced: Stored[] = [];
  private readonly steps: Step[] = [];
  private readonly texts: string[] = [];

  constructor(
    before: readonly Stored[],
    readonly hooks: (type: string) => Hooks,
    private readonly isPreview: boolean,
  ) {
    this.old = new Map(before.map((stored) => [stored.urn, stored]));
  }

  async register(registration: Registration): Promise<Answer> {
    const old = this.old.get(registration.urn);
    const hook = this.hooks(registration.type);
    const inputs = await checked(hook, old?.inputs ?? {}, registration);
    if (old === undefined || old.external) {
      this.note("create", undefined, { ...registration, inputs });
      return this.create(registration, inputs);
    }
    const diff = await this.diff(old, inputs);
    const replaces = diff.replaces ?? [];
    if (!diff.changes) {
      this.note("same", old, { ...registration, inputs });
      return this.keep({ ...old, ...stateOf(registration), inputs });
    }
    if (replaces.length === 0) return this.update(registration, old, inputs);
    const deletesFirst = registration.deleteBeforeReplace ?? diff.deleteBeforeReplace ?? false;
    return this.replace(registration, old, { replaces, deletesFirst });
  }

  async lookUp({ urn, type, name, id, inputs }: LookUp): Promise<Answer> {
    const { __provider } = inputs;
    const found = (await this.hooks(type)("read")(id, { __provider })) as { id: string; props: Values };
    const outputs = { ...sent(found.props), __provider };
    const stored = { urn, type, name, id, inputs, outputs, ...none, external: true };
    this.note("read", undefined, stored);
    return this.keep(stored);
  }

  /** Deletes what was replaced and what the program no longer declares, dependents first. */
  async end(): Promise<void> {
    const gone = dependentsFirst([...this.old.values()].filter(({ external }) => !external));
    for (const stored of gone) this.note("delete", stored);
    if (this.isPreview) return;
    for (const stored of [...this.replaced].reverse()) await this.remove(stored);
    for (const stored of gone) {
      await this.remove(stored);
      this.old.delete(stored.urn);
    }
  }

  /** The state that the run leaves. */
  state(): readonly Stored[] {
    return [...this.kept, ...[...this.old.values()].filter(({ external }) => !external)];
  }

  result(): Operation {
    const changes = this.steps.filter(({ op }) => op !== "same" && op !== "read");
    return { steps: this.steps, changes, text: this.texts.join("\n") };
  }

  note(op: Step["op"], before?: object, after?: object, replaceReasons: readonly string[] = []): void {
    const { name } = (after ?? before) as { name: string };
    this.steps.push({ op, name, replaceReasons });
    this.texts.push(JSON.stringify([op, shown(before), shown(after)]));
  }

  /** Whether an object drifted, which is whether its old inputs would change it. */
  async differs(found: Stored, { inputs }: Stored): Promise<boolean> {
    return (await this.diff(found, inputs)).changes ?? false;
  }

  private async diff({ type, id, inputs, outputs }: Stored, news: Values): Promise<DiffResult> {
    const diff = (await this.hooks(type)("diff")(id, plain(outputs), plain(news))) as DiffResult;
    // If the hook does not decide, the engine compares the inputs.
    return { ...diff, changes: diff.changes ?? !isDeepStrictEqual(plain(inputs), plain(news)) };
  }

  private async create(registration: Registration, inputs: Values): Promise<Answer> {
    const base = { ...stateOf(registration), inputs, external: false };
    if (this.isPreview) return this.keep({ ...base, id: "", outputs: inputs });
    const created = this.hooks(registration.type)("create")(plain(inputs));
    const { id, outs } = (await this.recorded(created, base, registration)) as { id: string; outs: Values };
    return this.keep({ ...base, id, outputs: outputsOf(outs, inputs, registration) });
  }

  private async update(registration: Registration, old: Stored, inputs: Values): Promise<Answer> {
    const base = { ...old, ...stateOf(registration), inputs };
    this.note("update", old, base);
    if (this.isPreview) return this.keep({ ...base, outputs: inputs });
    const updated = this.hooks(registration.type)("update")(old.id, plain(old.outputs), plain(inputs));
    const { outs } = (await this.recorded(updated, base, registration)) as { outs: Values };
    return this.keep({ ...base, outputs: outputsOf(outs, inputs, registration) });
  }

  /** What a hook returns. Where it fails with a part of its work done, the state gets what its error holds. */
  private async recorded(
    work: Promise<unknown>,
    base: Omit<Stored, "id" | "outputs">,
    registration: Registration,
  ): Promise<unknown> {
    try {
      return await work;
    } catch (error) {
      const { id, properties } = error as { id?: string; properties?: Values };
      if (id !== undefined && properties !== undefined)
        this.keep({ ...base, id, outputs: outputsOf(properties, base.inputs, registration) });
      throw error;
    }
  }

  private async replace(
    registration: Registration,
    old: Stored,
    { replaces, deletesFirst }: { replaces: readonly string[]; deletesFirst: boolean },
  ): Promise<Answer> {
    if (deletesFirst) this.refuseDependents(old);
    // The new object's check does not get the old one.
    const inputs = await checked(this.hooks(registration.type), {}, registration);
    this.note("replace", old, { ...registration, inputs }, replaces);
    if (deletesFirst && !this.isPreview) await this.remove(old);
    const answer = await this.create(registration, inputs);
    if (!deletesFirst) this.replaced.push(old);
    return answer;
  }

  /**
   * The real engine asks dependents whether they must be deleted before; this one cannot. Those that only come after the
   * object, by the option dependsOn, stay.
   */
  private refuseDependents({ urn, name }: Stored): void {
    const dependents = [...this.old.values()].filter(({ argumentDependencies }) =>
      argumentDependencies.includes(urn),
    );
    if (dependents.length > 0)
      throw new Error(`${name} has dependents and is deleted first: use the real engine`);
  }

  private async remove({ type, id, outputs }: Stored): Promise<void> {
    await this.hooks(type)("delete")(id, plain(outputs));
  }

  private keep(stored: Stored): Answer {
    this.old.delete(stored.urn);
    this.kept.push(stored);
    return { id: stored.id, outputs: stored.outputs };
  }
}

/** The resources, each one after those that depend on it. */
function dependentsFirst(resources: readonly Stored[]): Stored[] {
  const byUrn = new Map(resources.map((each) => [each.urn, each]));
  const sorted = new Set<Stored>();
  const visit = (resource: Stored | undefined): void => {
    if (resource === undefined || sorted.has(resource)) return;
    for (const urn of resource.dependencies) visit(byUrn.get(urn));
    sorted.add(resource);
  };
  resources.forEach(visit);
  return [...sorted].reverse();
}

const none = { dependencies: [], argumentDependencies: [] };

function stateOf({ urn, type, name, dependencies, argumentDependencies }: Registration) {
  return { urn, type, name, dependencies, argumentDependencies };
}

async function checked(hook: Hooks, olds: Values, { name, inputs }: Registration): Promise<Values> {
  const { inputs: result, failures = [] } = (await hook("check")(plain(olds), plain(inputs))) as {
    inputs: Values;
    failures?: { property: string; reason: string }[];
  };
  if (failures.length > 0) throw new Error(`${name}: ${failures.map(({ reason }) => reason).join("\n")}`);
  return markedAs({ ...sent(result), __provider: inputs.__provider }, inputs);
}

/** What a hook returned after a write, with the secrets that the inputs and the program mark. */
function outputsOf(outs: Values, inputs: Values, { secretOutputs }: Registration): Values {
  const outputs = { ...sent(outs), __provider: inputs.__provider };
  return marked(markedAs(outputs, inputs), secretOutputs);
}
