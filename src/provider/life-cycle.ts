/** The life cycle of every object: what Pulumi's hooks do, once for all declarations. */
import type { dynamic } from "@pulumi/pulumi";
import { checkArguments, sentence } from "../schema/validate";
import type { Declaration } from "../schema/declaration";
import { defaultOf } from "../schema/field";
import type { AnyField } from "../schema/field";
import { withoutEmptyDefaults } from "../schema/empty-default";
import { inKnownSpelling } from "../schema/spelling";
import { plaintextKey } from "../schema/secrets";
import { membersOf, setPaths } from "../schema/unknown";
import { keyOf } from "../schema/entry-set";
import type { Settings } from "../settings";
import { valuesIn } from "./path";
import type { Json } from "../schema/json";
import type { Connection } from "./connection";
import type { ObjectClient } from "./object-client";
import { changedArguments, compare, setArgumentsOf } from "./changes";
import type { Change } from "./changes";
import { isConfigured } from "./configured";
import { GatewayError, IncompleteError } from "./errors";
import { withoutLateStamp } from "./late-stamp";
import { diagnostics } from "./diagnostics";
import type { Diagnostics } from "./diagnostics";
import { isPartial, lostOutputs, PartialFailure, partialFailure } from "./partial-failure";
import { atItsArgument } from "./argument-error";
import { renewalOf, withEnd } from "./renewal";
import { rotationDue } from "./rotation";
import {
  inputsOf,
  isUnlike,
  outputsOf,
  returned,
  returnedOutputs,
  stateVersion,
  withoutAbsent,
  withUnanswered,
} from "./state";
import { toWire } from "./wire";

/** What a hook takes from its process; tests replace it. */
export interface HookContext {
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  readonly diagnostics: Diagnostics;
}

export class LifeCycle {
  constructor(
    private readonly declaration: Declaration,
    /** What a hook works with; it throws where the settings are missing or wrong. */
    private readonly connect: () => Pick<Connection, "settings" | "objectClient">,
    private readonly context: HookContext = { now: () => Date.now(), diagnostics },
  ) {}

  /** Validates the new arguments and returns them as the engine stores and shows them. */
  check(olds: Json, news: Json): Promise<dynamic.CheckResult> {
    const { fields, rules } = this.declaration;
    const before = withoutHidden(olds);
    const args = this.withRemoved(before, withoutHidden(news));
    const failures = [
      ...this.settingsProblem(),
      ...checkArguments(fields, rules, args, { olds: before, now: this.context.now() }).map(sentence),
    ];
    // A failure that names a property makes the engine print the property's value, secrets included.
    if (failures.length > 0) {
      return Promise.resolve({
        inputs: news,
        failures: failures.map((reason) => ({ property: "", reason })),
      });
    }
    const given = withoutEmptyDefaults(fields, args);
    const kept = withoutLateStamp(this.declaration, before, given, this.settings());
    const inputs = returned(this.declaration, this.keepSpelling(before, kept));
    const plaintext = news[plaintextKey];
    return Promise.resolve({
      inputs: plaintext === undefined ? inputs : { ...inputs, [plaintextKey]: plaintext },
    });
  }

  diff(id: string, olds: Json, news: Json): Promise<dynamic.DiffResult> {
    const [state, args] = [withoutHidden(olds), withoutHidden(news)];
    const { changes, setChanged } = compare(this.declaration, state, args, this.settings());
    const changed = new Set(changes.map(({ path }) => path.split(".")[0]!));
    const replaces = changes.filter((change) => change.replaces).map(({ path }) => path.split(".")[0]!);
    replaces.push(...lostOutputs(this.declaration, state));
    if (replaces.length === 0 && this.mustRenew(id, state, args))
      replaces.push(this.declaration.validity!.until);
    if (replaces.length === 0) {
      this.warnOfUnsendable(id, changes, args);
      this.reportReleased(id, changes);
    }
    if (isUnlike(state)) this.reportUnseen(id, state, args);
    const due = rotationDue(this.declaration, state, args, this.context.now())?.reasons ?? [];
    for (const note of [...(this.declaration.notes?.(state, args) ?? []), ...due]) this.warn(id, note);
    // Pulumi's plugin drops the names of what changed. Asked with "unknown", the engine finds them itself by
    // comparing inputs, which makes replaceOnChanges work and gives previews their details.
    const isInInputs =
      changes.length > 0 &&
      replaces.every((name) => changed.has(name)) &&
      !isUnlike(state) &&
      due.length === 0;
    return Promise.resolve({
      changes: isInInputs
        ? undefined
        : changes.length + replaces.length + due.length > 0 || setChanged || isPartial(state),
      replaces: [...new Set(replaces)],
      deleteBeforeReplace: this.mustDeleteFirst(changed),
    });
  }

  async create(inputs: Json): Promise<dynamic.CreateResult> {
    const args = withoutHidden(inputs);
    const client = this.objectClient();
    const sent = withEnd(this.declaration, withSentDefaults(this.declaration, args), this.context.now());
    const created = await this.sending(inputs, args, sent, () => client.create(sent));
    const { id, answer, problem } = created;
    if (problem)
      throw partialFailure(this.declaration, { ...created, problem }, inputs, this.setArguments(args));
    return { id, outs: this.written(answer, sent, args) };
  }

  async read(id: string, props: Json): Promise<dynamic.ReadResult> {
    const state = withoutHidden(props);
    const isLookUp = Object.keys(state).length === 0;
    const answer = await this.objectClient().read(id, state);
    if (answer === undefined) {
      if (isLookUp) throw new GatewayError(`the ${this.declaration.noun} ${id} does not exist`);
      return { id: "", props: {} };
    }
    const known = { ...valuesIn(this.declaration.path, id), ...state };
    const found = this.found(answer, known, setArgumentsOf(state));
    const isStillPartial = lostOutputs(this.declaration, state).length > 0;
    const outputs = { ...found, __partial: isStillPartial || undefined };
    const setArguments = setArgumentsOf(outputs);
    const inputs = inputsOf(this.declaration, state, setArguments);
    const { changes } = compare(this.declaration, outputs, inputs, this.settings());
    if (changes.length === 0 || isLookUp) {
      return { id, props: returnedOutputs(this.declaration, { ...outputs, __unlike: state.__unlike }) };
    }
    // The engine stores these instead of the program's, so that a preview shows the drift line by line.
    const drifted = inputsOf(this.declaration, outputs, setArguments);
    return {
      id,
      props: returnedOutputs(this.declaration, outputs),
      inputs: returned(this.declaration, drifted),
    };
  }

  async update(id: string, olds: Json, news: Json): Promise<dynamic.UpdateResult> {
    const [state, args] = [await this.whole(id, withoutHidden(olds)), withoutHidden(news)];
    const settings = this.settings();
    const { changes } = compare(this.declaration, state, args, settings);
    // Later answers may leave out what only answers hold, such as an API key's token.
    const known = { ...this.filtered(state, ({ presence }) => presence === "computed"), ...args };
    const due = rotationDue(this.declaration, state, args, this.context.now())?.reasons ?? [];
    if (changes.every((change) => change.recordedOnly) && due.length === 0) {
      // What no answer holds is known from the program only, so it is forgotten with the argument.
      const answered = this.filtered(state, (field) => !field.traits.writeOnly);
      return { outs: this.recorded({ ...answered, ...args }, args) };
    }
    const changed = changedArguments(this.declaration, changes, args, settings);
    const send = () => this.objectClient().update(id, { changed, full: args, prior: state });
    const answer = await this.sending(news, args, known, send);
    return { outs: this.written(answer, known, args) };
  }

  async delete(id: string, props: Json = {}): Promise<void> {
    await this.objectClient().remove(id, withoutHidden(props));
  }

  /** The outputs that an answer to a read stands for. */
  private found(answer: Json, known: Json, setArguments: readonly string[]): Json {
    const { declaration } = this;
    const outputs = outputsOf(declaration, answer, known, setArguments);
    // A module without content may have been deleted: then what was required of it is gone too.
    const isThere = declaration.style !== "singleton" || isConfigured(declaration, answer);
    return isThere ? withUnanswered(declaration.fields, outputs, known) : outputs;
  }

  /** The outputs after a write. Where the service did not take what it was sent, they say so. */
  private written(answer: Json | undefined, known: Json, args: Json): Json {
    if (answer === undefined) return this.recorded(args, args);
    const outputs = withUnanswered(
      this.declaration.fields,
      outputsOf(this.declaration, answer, known, this.setArguments(args)),
      known,
    );
    const { changes } = compare(this.declaration, outputs, args, this.settings());
    return returnedOutputs(this.declaration, { ...outputs, __unlike: changes.length > 0 || undefined });
  }

  /** The outputs that are known without an answer. */
  private recorded(outputs: Json, args: Json): Json {
    const kept = this.filtered(outputs, (field) => !field.traits.local);
    return returnedOutputs(this.declaration, { ...kept, __args: this.setArguments(args), __v: stateVersion });
  }

  /** The state; that of an object whose making did not end well as the service has it now. */
  private async whole(id: string, state: Json): Promise<Json> {
    if (!isPartial(state)) return state;
    const answer = await this.objectClient().read(id, state);
    if (answer) return this.found(answer, state, setArgumentsOf(state));
    throw new GatewayError(`the ${this.declaration.noun} ${id} does not exist; run pulumi refresh`);
  }

  /**
   * Warns in the preview of an update that will be refused, because it must send a secret that Pulumi does not
   * know. This is no error: a refresh calls diff too, and must be able to record the drift.
   */
  private warnOfUnsendable(id: string, changes: readonly Change[], args: Json): void {
    const { fields, whole } = this.declaration;
    if (changes.every((change) => change.recordedOnly)) return;
    try {
      toWire(fields, whole ? args : changedArguments(this.declaration, changes, args, this.settings()));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.warn(id, error.message);
    }
  }

  /** Says of arguments that were taken out of the program that their values stay, which a preview cannot show. */
  private reportReleased(id: string, changes: readonly Change[]): void {
    for (const { path } of changes.filter(({ released }) => released)) {
      this.warn(
        id,
        `${path} is no longer in the program, and its default is left to the service; the value stays as it is`,
      );
    }
  }

  /**
   * Names the entries that the last update found and left, and that the next one removes. The engine compares inputs,
   * which never held them.
   */
  private reportUnseen(id: string, state: Json, args: Json): void {
    const { entries: set } = this.declaration;
    if (set === undefined) return;
    const [before, after] = [state, args].map((values) => membersOf(values[set.entries]));
    const kept = new Set(Object.keys(after!).map((key) => keyOf(this.declaration, set, key)));
    for (const [key, value] of Object.entries(before!)) {
      if (kept.has(keyOf(this.declaration, set, key))) continue;
      const path = `${set.entries}[${JSON.stringify(key)}]`;
      this.warn(id, `${path}: ${JSON.stringify(value)} is removed, because the program does not name it`);
    }
  }

  private warn(id: string, text: string): void {
    this.context.diagnostics.warn(this.declaration.type, id, text);
  }

  /**
   * Sends a create or update. A refusal that is about one of the arguments names it, and the error of an object that is
   * only in part as asked holds what Pulumi records of it.
   */
  private async sending<T>(inputs: Json, args: Json, known: Json, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof IncompleteError)) throw atItsArgument(error, this.declaration.fields, args);
      const outputs = this.written(error.answer, known, args);
      throw new PartialFailure(error, error.id, { ...outputs, __provider: inputs.__provider });
    }
  }

  /** Whether the object is replaced because it expires soon. Warns the user with the reason. */
  private mustRenew(id: string, state: Json, args: Json): boolean {
    const renewal = renewalOf(this.declaration, state, args, this.context.now());
    if (renewal) this.warn(id, renewal.message);
    return renewal?.due ?? false;
  }

  /** The names of the arguments that the program sets, as the state records them. */
  private setArguments(args: Json): string[] {
    return setPaths(this.declaration.fields, args);
  }

  private objectClient(): ObjectClient {
    return this.connect().objectClient(this.declaration);
  }

  private settings(): Settings {
    return this.connect().settings;
  }

  private settingsProblem(): string[] {
    try {
      this.connect();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  }

  /** Whether what replaces the object would be its twin, which the service refuses beside it. */
  private mustDeleteFirst(changed: ReadonlySet<string>): boolean {
    const { unique } = this.declaration;
    return unique !== undefined && !unique.some((name) => changed.has(name));
  }

  private filtered(values: Json, keep: (field: AnyField) => boolean): Json {
    const { fields } = this.declaration;
    return Object.fromEntries(
      Object.entries(values).filter(([name]) => fields[name] === undefined || keep(fields[name])),
    );
  }

  /** The arguments, with the replacement values of those that cannot be removed through the API. */
  private withRemoved(before: Json, args: Json): Json {
    const added = Object.entries(this.declaration.fields)
      .filter(([name, field]) => field.traits.removedAs !== undefined && before[name] !== undefined)
      .filter(([name]) => args[name] === undefined)
      .map(([name, field]): [string, unknown] => [name, field.traits.removedAs]);
    return { ...args, ...Object.fromEntries(added) };
  }

  /** An argument that means what it meant before keeps its spelling, so that no preview shows it. */
  private keepSpelling(before: Json, args: Json): Json {
    return Object.fromEntries(
      Object.entries(args).map(([name, value]) => {
        const field = this.declaration.fields[name];
        return [name, field ? inKnownSpelling(field, before[name], value) : value];
      }),
    );
  }
}

/** The arguments of a new object, with the defaults that are sent. They are no arguments of the program. */
function withSentDefaults({ fields }: Declaration, args: Json): Json {
  const added = Object.entries(fields)
    .filter(([name, { traits }]) => traits.sentByDefault && args[name] === undefined)
    .map(([name, field]): [string, unknown] => [name, defaultOf(field)]);
  return { ...args, ...Object.fromEntries(added) };
}

/**
 * The values without what is there for others, Pulumi's serialized provider and the hint for the review, and
 * without the nulls that stand for what is absent.
 */
function withoutHidden(values: Json): Json {
  const { __provider: _, [plaintextKey]: _plaintext, ...rest } = values;
  return withoutAbsent(rest);
}
