/** The life cycle of every object: what Pulumi's hooks do, once for all declarations. */
import type { dynamic } from "@pulumi/pulumi";
import { secondsText } from "../../schema/formats/time";
import { uniqueArguments } from "../../schema/declaration";
import type { Declaration } from "../../schema/declaration";
import { withoutEndTimes, withStandingEntries } from "../../schema/entry-ends";
import { withLocal } from "../../schema/local";
import { oncePer } from "../../schema/once-per";
import {
  argumentsIn,
  inputsForEngine,
  isLookUp,
  recordedState,
  stateForEngine,
  urnIn,
  valuesForEngine,
} from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { checkArguments, problemText } from "../../schema/validate";
import { argumentsFrom, membersWhere } from "../../schema/values";
import type { Answer, Arguments, Inputs, StoredOutputs } from "../../schema/values";
import type { AsAsked, CreatedObject } from "./answers";
import {
  changedLocalSince,
  comparedArguments,
  inFormsOf,
  sentDefaults,
  withoutEmptyDefaults,
  withRemoved,
} from "./arguments";
import { changedArguments, compare, compareInputs, setsOthers, topLevel } from "./changes";
import type { ArgumentChange } from "./changes";
import { mayBeDeleted, withoutDeleted } from "./ended-entries";
import type { Connection } from "./connection";
import { diagnostics } from "../diagnostics";
import type { Diagnostics } from "../diagnostics";
import { ApiError, GatewayError, IncompleteError, isLost } from "../errors";
import { notesOn } from "./preview-notes";
import type { ObjectClient } from "./object-client";
import { hasOwnPath, idIn, ownPlaceOf } from "../http/path";
import { argumentsAsSent, foundState, stateWithoutRequest, writtenState } from "./recording";
import type { Write, WriteRecord } from "./recording";
import { asDeployed } from "./imported";
import { atItsArgument, lostOutputs, PartialFailure, stateOfCreated, unsureState } from "./partial-failure";
import { unchangedOutputs, mayRotate, plannedForCreate, plannedForUpdate } from "./planned-outputs";
import { requireFound } from "./response-schema";
import { accountMark } from "../settings/own-account";
import type { AccountSettings } from "../settings/read-settings";
import { renewalOf, withEndOfValidity, rotationDue } from "./renewal";
import { isRegrouped } from "../rule-set/sent-rules";
import { withStoredSettings } from "./stored-settings";

/** What a hook uses of its process; tests replace it. */
export interface HookContext {
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  readonly diagnostics: Pick<Diagnostics, "warn">;
}

/** What the engine stores of an object. */
export interface StoredObject {
  /** Empty if the object does not exist. */
  readonly id: string;
  readonly props: StoredOutputs;
  /** Undefined if the inputs of the program stay. */
  readonly inputs?: Inputs;
}

/** The answer of a diff, with what only a native provider can pass on. */
export interface Differences extends dynamic.DiffResult {
  /** The arguments that differ, such as `deployment.version`. */
  readonly paths: readonly { readonly path: string; readonly replaces: boolean }[];
}

const unknownDeletion = "It may have been deleted: run pulumi refresh before you declare it again";

export class LifeCycle {
  constructor(
    private readonly declaration: Declaration,
    /** Throws if the settings are missing or wrong. */
    private readonly connect: () => Pick<Connection, "settings" | "objectClient" | "http">,
    private readonly context: HookContext = { now: () => Date.now(), diagnostics },
  ) {}

  /** Validates the new arguments and returns them as the engine stores and shows them. */
  check(olds: Inputs, news: Inputs): Promise<{ inputs: Inputs; failures?: dynamic.CheckFailure[] }> {
    const { declaration } = this;
    const { fields, rules, setOf } = declaration;
    const [before, given] = [argumentsIn(olds), argumentsIn(news)];
    const isNew = Object.keys(before).length === 0;
    const args = isNew ? given : withRemoved(declaration, before, given);
    const now = this.context.now();
    const problems = checkArguments(fields, rules, args, { olds: before, now });
    const failures = [...this.settingsProblem(), ...problems.map(problemText)];
    if (failures.length > 0) {
      // A failure that names a property makes the engine print the property's value, secrets included.
      const unnamed = failures.map((reason) => ({ property: "", reason }));
      return Promise.resolve({ inputs: news, failures: unnamed });
    }
    const filled = withoutEmptyDefaults(fields, setOf ? withStandingEntries(fields, args, now) : args);
    const stored = isNew ? filled : inFormsOf(declaration, before, filled, this.settings());
    const changedLocal = isNew ? [] : changedLocalSince(declaration, before, stored);
    const inputs = inputsForEngine(declaration, stored, news, changedLocal);
    this.declare(stored);
    return Promise.resolve({ inputs });
  }

  /** The changes of an update, for Pulumi's plugin. A preview shows its notes. */
  async diff(id: string, olds: StoredOutputs, news: Inputs): Promise<dynamic.DiffResult> {
    const { changes, replaces, deleteBeforeReplace } = await this.differences(id, olds, news);
    return { changes, replaces, deleteBeforeReplace };
  }

  /**
   * Records what the stack has and what the program declares, for later hooks, as each diff does. Returns the state.
   * @param oldInputs those of the last deployment, which a native provider gets.
   */
  async learn(id: string, olds: StoredOutputs, news: Inputs, oldInputs?: Inputs): Promise<RecordedState> {
    const { declaration } = this;
    const client = this.objectClient();
    const before = asDeployed(declaration, recordedState(olds), news, oldInputs);
    client.declared?.(id, before);
    const read = (recorded: RecordedState): Promise<Answer | undefined> => client.read(id, recorded);
    const state = await withoutDeleted(declaration, before, news, this.context.now(), read);
    const args = argumentsIn(news);
    const place = ownPlaceOf(declaration, args);
    if (place !== undefined) client.paths?.compare(id, place, args, state.movedFrom);
    return state;
  }

  /** The answer to a diff, with the paths of the arguments that differ. */
  async differences(id: string, olds: StoredOutputs, news: Inputs, oldInputs?: Inputs): Promise<Differences> {
    const { declaration } = this;
    const state = await this.learn(id, olds, news, oldInputs);
    const args = comparedArguments(declaration, news);
    const changes = compareInputs(declaration, state, news, this.settings());
    const changed = new Set(changes.map(({ path }) => topLevel(path)));
    const replaces = new Set([
      ...changes.filter((change) => change.replaces).map(({ path }) => topLevel(path)),
      ...lostOutputs(declaration, state),
    ]);
    const renewal =
      replaces.size === 0 ? renewalOf(declaration, state.outputs, args, this.context.now()) : undefined;
    if (renewal?.due) replaces.add(declaration.validity!.until);
    const rotation = this.rotation(state, args);
    const step = { state, inputs: news, args, changes, replaces: replaces.size > 0 };
    const notes = [
      ...(renewal ? [renewal.message] : []),
      ...notesOn(declaration, step, this.settings()),
      ...rotation,
    ];
    for (const note of notes) this.context.diagnostics.warn(declaration, id, note);

    // Pulumi's plugin drops the names of what changed. Asked with "unknown", the engine finds them itself by
    // comparing inputs, which makes replaceOnChanges work and gives previews their details.
    const isInInputs =
      changes.length > 0 &&
      rotation.length === 0 &&
      state.mark !== "unlike" &&
      state.mark !== "unsure" &&
      [...replaces].every((name) => changed.has(name));
    const isChange =
      changes.length + replaces.size + rotation.length > 0 ||
      setsOthers(declaration, state, args) ||
      state.mark === "partial" ||
      state.mark === "unsure" ||
      isRegrouped(declaration, state, news);
    return {
      changes: isInInputs ? undefined : isChange,
      replaces: [...replaces],
      deleteBeforeReplace: this.mustDeleteFirst(args, changed),
      paths: changes.map((change) => ({ path: change.path, replaces: change.replaces })),
      stables: ["id", ...this.stableOutputs(state, args, changed)],
    };
  }

  /** The outputs that an update cannot change. */
  private stableOutputs(state: RecordedState, args: Arguments, changed: ReadonlySet<string>): string[] {
    if (state.mark === "partial") return [];
    return unchangedOutputs(this.declaration, changed, this.mayRotate(state, args));
  }

  /** The outputs of a new object that a preview knows. */
  planCreate(inputs: Inputs): StoredOutputs {
    return plannedForCreate(this.declaration, comparedArguments(this.declaration, inputs));
  }

  /** The outputs after an update that a preview knows. */
  planUpdate(olds: StoredOutputs, news: Inputs, oldInputs?: Inputs): StoredOutputs {
    const { declaration } = this;
    const args = comparedArguments(declaration, news);
    const state = asDeployed(declaration, recordedState(olds), news, oldInputs);
    const changes = compareInputs(declaration, state, news, this.settings());
    // The answer to the creation was unusable, so only the update knows the outputs.
    if (state.mark === "partial") return plannedForCreate(declaration, args);
    const rotates = this.mayRotate(state, args);
    if (changes.every((change) => change.recordedOnly) && !rotates)
      return stateForEngine(declaration, stateWithoutRequest(declaration, state, news));
    return plannedForUpdate(declaration, { state, args, changes, rotates });
  }

  async create(inputs: Inputs): Promise<{ id: string; outs: StoredOutputs }> {
    const { declaration } = this;
    const { validity } = declaration;
    const given = argumentsFrom({ ...sentDefaults(declaration), ...argumentsIn(inputs) });
    const args = validity ? withEndOfValidity(validity, given, this.context.now()) : given;
    const client = this.objectClient();
    const place = ownPlaceOf(declaration, args);
    const movedFrom = place === undefined ? undefined : client.paths?.originOf(place);
    const knownValues = withoutEndTimes(declaration.fields, args);
    const write = { inputs, knownValues, movedFrom, account: accountMark(this.settings()) };
    return this.sendAndRecord(write, () => client.create(args, urnIn(inputs)));
  }

  async read(id: string, props: StoredOutputs): Promise<StoredObject> {
    const { declaration } = this;
    const state = recordedState(props);
    const isFirstRead = isLookUp(props);
    // What the client asks about an answer is wanted again of the one that it returns.
    const driftIn = oncePer((shown: Answer) => this.driftIn(id, shown, state));
    const isAsRecorded = (shown: Answer): boolean => driftIn(shown).changes.length === 0;
    const read = async () => this.objectClient().read(id, state, isAsRecorded);
    // A look-up uses the settings of the program.
    const answer = await (isFirstRead ? read() : withStoredSettings(read, () => this.settings()));
    if (isFirstRead) requireFound(declaration, id, answer, this.settings().baseUrl);
    else if (answer === undefined) return { id: "", props: {} };
    // An object that the stack only looks up has no mark.
    if (state.account !== undefined) this.objectClient().paths?.find(id);
    const { found, changes } = driftIn(answer);
    if (changes.length === 0 || isFirstRead) {
      // What no answer shows may still have to be sent.
      const mayDiffer = state.mark === "unlike" || state.mark === "unsure";
      const mark = found.mark ?? (mayDiffer ? "unlike" : undefined);
      return { id, props: stateForEngine(declaration, { ...found, ...(mark && { mark }) }) };
    }
    // The engine stores these inputs instead of the program's, so that a preview shows the drift line by line.
    const drifted = argumentsAsSent(declaration, found.outputs, found);
    const inputs = withLocal(declaration.fields, drifted, found.local ?? {});
    return {
      id,
      props: stateForEngine(declaration, found),
      inputs: valuesForEngine(declaration, inputs),
    };
  }

  /** What a read finds, and how it differs from the state. */
  private driftIn(
    id: string,
    answer: Answer,
    state: RecordedState,
  ): { found: RecordedState; changes: readonly ArgumentChange[] } {
    const { declaration } = this;
    const isStillPartial = lostOutputs(declaration, state).length > 0;
    const found: RecordedState = {
      ...foundState(declaration, id, answer, state),
      ...(isStillPartial && { mark: "partial" }),
    };
    const args = argumentsAsSent(declaration, state.outputs, found);
    return { found, changes: compare(declaration, found, args, this.settings()) };
  }

  async update(
    id: string,
    olds: StoredOutputs,
    news: Inputs,
    oldInputs?: Inputs,
  ): Promise<{ outs: StoredOutputs }> {
    const { declaration } = this;
    const args = comparedArguments(declaration, news);
    const before = recordedState(olds);
    const state = asDeployed(declaration, await this.completed(id, before), news, oldInputs);
    // An update that may have been done is sent again: of an approved one with a secret, only this shows that it was done.
    const bases = before.mark === "unsure" ? [state, before] : [state];
    const changes = bases.flatMap((each) => compareInputs(declaration, each, news, this.settings()));
    const isSent =
      changes.some((change) => !change.recordedOnly) ||
      this.rotation(state, args).length > 0 ||
      isRegrouped(declaration, state, news) ||
      mayBeDeleted(declaration, state, argumentsIn(news), this.context.now());
    if (!isSent) return { outs: stateForEngine(declaration, stateWithoutRequest(declaration, state, news)) };
    // Later answers may leave out what only answers hold, such as an API key's token.
    const { fields } = declaration;
    const isComputed = (name: string): boolean => (fields[name]?.presence ?? "computed") === "computed";
    const computed = membersWhere(state.outputs, isComputed);
    const changed = changedArguments(declaration, changes, args, this.settings());
    const client = this.objectClient();
    const send = async (): Promise<CreatedObject | AsAsked> => {
      const answered = client.update(id, { changed, args: argumentsIn(news), prior: state });
      const answer = await answered
        .catch((error: unknown) => this.explained(error, client, id, state))
        .catch((error: unknown) => {
          if (!(error instanceof GatewayError) || !error.mayBeDone) throw error;
          const unsure = unsureState(declaration, state, args, changes);
          throw new PartialFailure(error, id, stateForEngine(declaration, unsure), news);
        });
      return { id, answer };
    };
    const sent = declaration.whole || declaration.setOf ? args : changed;
    const knownValues = { ...computed, ...args };
    return this.sendAndRecord({ inputs: news, knownValues, sent, before: state }, send);
  }

  async delete(id: string, props: StoredOutputs = {}): Promise<void> {
    const prior = recordedState(props);
    const note = await withStoredSettings(
      async () => this.objectClient().remove(id, prior),
      () => this.settings(),
    ).catch((error: unknown) => {
      // Pulumi keeps the state as it was, and a program that takes the deletion back shows no change.
      throw isLost(error) ? (error as GatewayError).advised(unknownDeletion) : error;
    });
    if (note !== undefined) this.context.diagnostics.warn(this.declaration, id, note);
  }

  /** Throws the failure of an update, which may be that the object was deleted by hand. */
  private async explained(
    error: unknown,
    client: ObjectClient,
    id: string,
    state: RecordedState,
  ): Promise<never> {
    if (error instanceof ApiError && error.isGone && (await client.read(id, state)) === undefined)
      throw this.deletedElsewhere(id);
    throw error;
  }

  private deletedElsewhere(id: string): GatewayError {
    return new GatewayError(
      `the ${this.declaration.noun} ${id} does not exist: it was deleted outside of this stack. Run pulumi refresh, ` +
        "which removes it from the state; the next pulumi up creates it again",
    );
  }

  /** The state. If the object was not completed, or that is not known, it is read from the service. */
  private async completed(id: string, state: RecordedState): Promise<RecordedState> {
    if (state.mark !== "partial" && state.mark !== "unsure") return state;
    const answer = await this.objectClient().read(id, state);
    if (answer) return foundState(this.declaration, id, answer, state);
    throw this.deletedElsewhere(id);
  }

  /**
   * Sends a create or update, and returns the state after it. If the object exists and differs from its arguments, the
   * error holds what the engine records of it. A refusal that is about one of the arguments names it.
   */
  private async sendAndRecord(
    write: Write,
    send: () => Promise<CreatedObject | AsAsked>,
  ): Promise<{ id: string; outs: StoredOutputs }> {
    const { declaration } = this;
    const { inputs } = write;
    const stateAfter = (answer: Answer | undefined, more: Partial<Write> = {}): WriteRecord =>
      writtenState(declaration, answer, { ...write, ...more, ...this.creationBy(write) }, this.settings());
    const written = await send().catch((error: unknown) => {
      if (!(error instanceof IncompleteError))
        throw atItsArgument(error, declaration.fields, argumentsIn(inputs));
      const state = stateForEngine(declaration, stateAfter(error.answer, { incomplete: error }).state);
      throw new PartialFailure(error, error.id, state, inputs);
    });
    const { id } = written;
    if (written.problem) {
      const state = stateOfCreated(declaration, written.answer, write);
      throw new PartialFailure(written.problem, id, state, inputs);
    }
    const { state, problem } = stateAfter(written.answer);
    const outs = stateForEngine(declaration, state);
    if (problem) throw new PartialFailure(problem, id, outs, inputs);
    return { id, outs };
  }

  /** The time of a write that creates something, if no answer contains it. Each write of a set may create rules. */
  private creationBy({ before }: Write): Pick<Write, "createdAt"> {
    const { declaration } = this;
    if (!hasOwnPath(declaration) || (before !== undefined && !declaration.setOf)) return {};
    const { http } = this.connect();
    const now = http.timing.now();
    return { createdAt: secondsText(http.serverTime(now) ?? now) };
  }

  /** Whether an update rotates the key, or may rotate it. */
  private mayRotate(state: RecordedState, args: Arguments): boolean {
    return this.rotation(state, args).length > 0 || mayRotate(this.declaration, args);
  }

  /** The reasons for a rotation without a change of the arguments. */
  private rotation(state: RecordedState, args: Arguments): readonly string[] {
    return rotationDue(this.declaration, state, args, this.context.now())?.reasons ?? [];
  }

  /** Whether the service would refuse the new object while the old one exists, because their unique arguments are equal. */
  private mustDeleteFirst(args: Arguments, changed: ReadonlySet<string>): boolean {
    const unique = uniqueArguments(this.declaration, args);
    return unique !== undefined && !unique.some((name) => changed.has(name));
  }

  /** Records what the program declares, if the path is the identity. */
  private declare(args: Arguments): void {
    const { declaration } = this;
    if (!hasOwnPath(declaration)) return;
    this.objectClient().paths?.declare(idIn(declaration.path, args), args);
  }

  private objectClient(): ObjectClient {
    return this.connect().objectClient(this.declaration);
  }

  private settings(): AccountSettings {
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
}
