/**
 * Runs a plan on a copy of the account: each step of the engine goes through the life cycle of its resource, as in the
 * deployment, and its requests reach the copy alone.
 */
import type { Snapshot } from "../../emulator/types";
import { importedObject } from "../../provider/existing/resource-values";
import { AnswerError, GatewayError } from "../../provider/errors";
import { LifeCycle } from "../../provider/life-cycle/life-cycle";
import { PartialFailure } from "../../provider/life-cycle/partial-failure";
import { separateArguments } from "../../resources/registry";
import type { Declaration } from "../../schema/declaration";
import { canonical } from "../../schema/formats/cidr";
import type { Json } from "../../schema/json";
import { listText, quote } from "../../schema/text/phrase";
import { hasUnknown, isUnknown, mapValues, membersOf } from "../../schema/unknown";
import type { StoredOutputs } from "../../schema/values";
import type { EngineState } from "../stack/state";
import { isDrop } from "../stack/preview";
import type { PlannedStep, StepPlan } from "../stack/preview";
import { Accounts } from "./accounts";
import { hiddenUrl } from "../stack/mask";
import type { KnownAccounts } from "./accounts";
import { holdsOpaque, withChangedSecrets, withShapes } from "./opaque";
import { isDeletion, lastDeletions, missingIn, urnBefore } from "./planned-steps";
import type { Gap } from "./planned-steps";
import type { RehearsedAccount, RehearsedRequest, RequestLog } from "./rehearsed-account";
import { rulesBefore } from "./recorded-account";
import { stateBefore } from "./state-before";
import { touchedByOthers, undoneElsewhere, undoneIn } from "./undone";
import type { DeclaredObject } from "./undone";
import { filledInputs, openArguments } from "./unknown-inputs";
import type { MadeObject } from "./unknown-inputs";
import { VirtualClock } from "./virtual-clock";

/** A refusal of the service, or what another step does to the object of a resource. */
interface RehearsedProblem {
  readonly urn: string;
  readonly message: string;
}

/** An argument whose value is known only in the deployment. */
interface UnknownInput {
  readonly urn: string;
  readonly argument: string;
}

export interface Rehearsal {
  readonly accounts: readonly ReturnType<typeof changeOf>[];
  /** All requests, with the objects that each of them changes. */
  readonly requests: readonly RehearsedRequest[];
  readonly refusals: readonly RehearsedProblem[];
  /**
   * The objects that are not as the program declares them after all steps: another step reaches them too, or the account's
   * object is not as the state records it.
   */
  readonly undone: readonly RehearsedProblem[];
  /** The steps that the deployment does not reach, because another one is refused. */
  readonly notReached: readonly string[];
  /** The ids of the objects that the plan creates, by URN. */
  readonly made: ReadonlyMap<string, string>;
  readonly unknowns: readonly UnknownInput[];
  /** The URNs of resources of other packages that change: they are not rehearsed. */
  readonly others: readonly string[];
  /** Why the rehearsal does not show all that the deployment does. */
  readonly incomplete: readonly Gap[];
  /** The lists that were read of the default provider's account for it. */
  readonly lists: readonly string[];
  /** The accounts that were not read as a whole, each as a sentence. */
  readonly unread: readonly string[];
  /** How long it takes under the rate limit, in milliseconds, without the time of the answers. */
  readonly milliseconds: number;
}

export interface RehearsalOptions extends KnownAccounts {
  /** When the deployment begins, in milliseconds since 1970. Default: now. */
  readonly now?: number;
}

export async function rehearse(plan: StepPlan, options: RehearsalOptions = {}): Promise<Rehearsal> {
  const { now = Date.now() } = options;
  const clock = new VirtualClock(now);
  const log: RequestLog = { requests: [], urn: "", step: -1 };
  const accounts = await Accounts.start(plan, options, clock, log);
  const run = new Run(plan, accounts, clock, log);
  for (const [i, step] of plan.steps.entries()) {
    log.step = i;
    await run.step(step);
  }
  const requests = [...log.requests];
  const milliseconds = clock.elapsed();
  await run.compare(requests);
  return {
    accounts: [...accounts.started.values()].map(changeOf),
    requests,
    refusals: run.refusals,
    undone: run.undone,
    notReached: [...run.notReached],
    made: new Map([...run.made].map(([urn, { id }]) => [urn, id])),
    unknowns: run.unknowns,
    others: [...run.others],
    incomplete: [...missingIn(plan), ...accounts.problems.map((message) => ({ message })), ...run.gaps],
    lists: Object.keys(options.lists ?? {}).sort(),
    unread: accounts.unread,
    milliseconds,
  };
}

class Run {
  readonly refusals: RehearsedProblem[] = [];
  readonly undone: RehearsedProblem[] = [];
  readonly notReached = new Set<string>();
  readonly unknowns: UnknownInput[] = [];
  readonly others = new Set<string>();
  readonly gaps: Gap[] = [];
  /** The objects that the plan has created, by URN. */
  readonly made = new Map<string, MadeObject>();
  /** The resources of the program after their steps, by URN. */
  private readonly declared = new Map<string, DeclaredObject>();
  private readonly failed = new Set<string>();
  private readonly lastDeletions: ReadonlySet<PlannedStep>;
  /** The URNs of the resources that the engine deletes at the end of the deployment. */
  private readonly deletedLast: ReadonlySet<string>;
  /** The URNs of those that it deletes before it creates their replacements. */
  private readonly deletedFirst: ReadonlySet<string>;
  /** The URNs that the resources of the plan have before it. */
  private readonly planned: ReadonlySet<string>;
  /** The URNs of the resources whose objects are changed or replaced. */
  private readonly updated: ReadonlySet<string>;

  constructor(
    plan: StepPlan,
    private readonly accounts: Accounts,
    private readonly clock: VirtualClock,
    private readonly log: RequestLog,
  ) {
    const last = lastDeletions(plan);
    const first = plan.steps.filter((step) => isDeletion(step) && !last.has(step));
    this.lastDeletions = last;
    this.deletedLast = new Set([...last].map(urnBefore));
    this.deletedFirst = new Set(first.map(urnBefore));
    this.planned = new Set(plan.steps.map(urnBefore));
    const isUpdate = ({ op }: PlannedStep): boolean => op === "update" || op === "create-replacement";
    this.updated = new Set(plan.steps.filter(isUpdate).map(({ urn }) => urn));
    for (const [urn, names] of accounts.differing)
      this.undone.push({ urn, message: otherThanRecorded(names) });
  }

  async step(step: PlannedStep): Promise<void> {
    const { urn, op, before, after } = step;
    const state = after ?? before;
    if (state === undefined) return;
    const { identity } = state;
    if (op === "same") return this.stay(step);
    if (op === "replace" || isDrop(step)) return;
    if (identity.kind === "mismatch") this.gaps.push(notRehearsed(urn, identity.problem));
    if (identity.kind === "code" || identity.kind === "other") this.others.add(urn);
    if (identity.kind !== "own") return;
    if (this.isCut(step, state)) {
      this.failed.add(urn);
      this.notReached.add(urn);
      return;
    }
    this.log.urn = urn;
    const sent = this.log.requests.length;
    try {
      await this.work(step, identity.declaration, state);
    } catch (failure) {
      // An update counts as unsure where the answer of the copy cannot be read: that answer is the problem.
      const isUnsure = failure instanceof PartialFailure && failure.problem.mayBeDone;
      const error = isUnsure ? failure.problem : failure;
      if (error instanceof PartialFailure)
        this.made.set(urn, { declaration: identity.declaration, id: error.id });
      const isAccepted = this.log.requests
        .slice(sent)
        .every(({ method, status }) => method === "GET" || status < 400);
      // The copy cannot answer with a value that is not known, so the life cycle cannot read the answer.
      const isUnread = error instanceof AnswerError && hasUnknown(state.inputs);
      if (isAccepted && (isUnread || (error instanceof PartialFailure && holdsOpaque(state.inputs)))) return;
      this.failed.add(urn);
      // An answer that cannot be read comes from the copy, and is no refusal of the service.
      const isRefusal = error instanceof GatewayError && !(error instanceof AnswerError);
      if (isRefusal) this.refusals.push({ urn, message: refusalText(error) });
      else this.gaps.push(notRehearsed(urn, (error as Error).message));
    }
  }

  /** Finds the objects of the program that other steps have changed. */
  async compare(requests: readonly RehearsedRequest[]): Promise<void> {
    for (const urn of this.repaired(requests))
      this.undone.push({ urn, message: otherThanRecorded(["rules"]) });
    const rules = rulesBefore([...this.accounts.started.values()]);
    for (const urn of touchedByOthers(this.declared, requests, rules)) {
      const object = this.declared.get(urn)!;
      const cycle = this.cycle(object.declaration, object.provider);
      const { baseUrl } = this.accounts.connection(object.provider).settings;
      const others = this.accounts.started.size > 1 ? requests : [];
      const problem =
        (await undoneIn(cycle, object).catch(refusalText)) ?? undoneElsewhere(object, baseUrl, others);
      if (problem !== undefined) this.undone.push({ urn, message: problem });
    }
  }

  /** The sets that create rules again which somebody has deleted: the preview shows no change of these. */
  private repaired(requests: readonly RehearsedRequest[]): ReadonlySet<string> {
    const { missing } = this.accounts;
    const isRepair = ({ urn, method, body }: RehearsedRequest): boolean =>
      method === "POST" && missing.get(urn)?.has(canonical(String(membersOf(body).cidr))) === true;
    return new Set(requests.filter(isRepair).map(({ urn }) => urn));
  }

  private declare(
    urn: string,
    declaration: Declaration,
    { provider, inputs }: EngineState,
    id: string,
    outputs: Json,
  ): void {
    this.declared.set(urn, { declaration, id, provider, inputs, outputs, step: this.log.step });
  }

  /** An unchanged resource: the engine asks the plugin for its diff, and so the plugin learns what the program declares. */
  private async stay({ urn, before, after }: PlannedStep): Promise<void> {
    if (before?.identity.kind !== "own" || before.id === undefined || before.external) return;
    const { declaration } = before.identity;
    const outputs = this.before(declaration, before);
    this.declare(urn, declaration, before, before.id, outputs);
    const cycle = this.cycle(declaration, before.provider);
    await cycle.learn(before.id, outputs, (after ?? before).inputs);
    if (after && !this.accounts.areOne(before.provider, after.provider))
      this.undone.push({ urn, message: staysBehind });
  }

  /** Whether the engine does not get to the step: it waits for one that failed, and after a failure nothing is deleted. */
  private isCut(step: PlannedStep, { dependencies, propertyDependencies }: EngineState): boolean {
    if (this.failed.size === 0) return false;
    if (isDeletion(step)) return true;
    return [step.urn, ...dependencies, ...Object.values(propertyDependencies).flat()].some((urn) =>
      this.failed.has(urn),
    );
  }

  private async work(step: PlannedStep, declaration: Declaration, state: EngineState): Promise<void> {
    const { op, urn, before, changed } = step;
    const cycle = this.cycle(declaration, state.provider);
    const id = state.id ?? "";
    switch (op) {
      case "create":
      case "create-replacement": {
        const made = await cycle.create(this.inputs(urn, declaration, state));
        this.made.set(urn, { declaration, id: made.id });
        this.declare(urn, declaration, state, made.id, made.outs);
        return;
      }
      case "update": {
        const news = withChangedSecrets(this.inputs(urn, declaration, state), changed);
        const olds = this.before(declaration, before!);
        await cycle.learn(before!.id!, olds, news);
        const { outs } = await cycle.update(before!.id!, olds, news);
        this.declare(urn, declaration, state, before!.id!, outs);
        return;
      }
      case "delete":
      case "delete-replaced": {
        const { external, retainOnDelete, deletedWith = "" } = state;
        // The engine asks no provider to delete such an object, nor one that it deletes with another one at the end.
        if (external || retainOnDelete) return;
        // No preview has a step of a default provider, nor of what an interrupted replacement has deleted and nobody declares.
        const isShown = deletedWith === "" || this.planned.has(deletedWith);
        if (!isShown) this.undone.push({ urn, message: previewLacksIt });
        else if (this.deletedFirst.has(deletedWith)) this.undone.push({ urn, message: versionDecides });
        if (this.lastDeletions.has(step) && this.deletedLast.has(deletedWith)) return;
        await cycle.delete(id, this.before(declaration, state));
        return;
      }
      case "read":
      case "read-replacement":
        // The id may be that of a new object.
        if (!isUnknown(id)) await cycle.read(id, {});
        return;
      case "refresh":
        await cycle.read(id, this.before(declaration, before!));
        return;
      case "import":
      case "import-replacement":
        return this.import(urn, declaration, state, id);
      default:
        this.gaps.push(notRehearsed(urn, `the step ${op} is not known`));
    }
  }

  /** Without a step that changes the object, it has other values only where the program ignores them. */
  private async import(urn: string, declaration: Declaration, state: EngineState, id: string): Promise<void> {
    const connection = this.accounts.connection(state.provider);
    const found = await importedObject(connection, declaration, id, separateArguments(declaration));
    this.declare(urn, declaration, state, id, found.props);
    if (this.updated.has(urn)) return;
    const isKnown = (value: unknown): boolean => !hasUnknown(value) && !holdsOpaque(value);
    const wanted = mapValues(state.inputs, (value, name) => (isKnown(value) ? value : found.inputs[name]));
    const cycle = this.cycle(declaration, state.provider);
    const { paths } = await cycle.differences(id, found.props, wanted, found.inputs);
    if (paths.length === 0) return;
    this.undone.push({ urn, message: otherArguments(paths.map(({ path }) => path)) });
  }

  private inputs(urn: string, declaration: Declaration, state: EngineState): Json {
    const inputs = filledInputs(declaration, state, this.made);
    for (const argument of openArguments(inputs)) this.unknowns.push({ urn, argument });
    return withShapes(declaration.fields, inputs);
  }

  private before(declaration: Declaration, state: EngineState): StoredOutputs {
    return stateBefore(declaration, state, () => this.accounts.before(state.provider));
  }

  private cycle(declaration: Declaration, provider: string | undefined): LifeCycle {
    const connect = () => this.accounts.connection(provider);
    const diagnostics = { warn: () => undefined };
    return new LifeCycle(declaration, connect, { now: () => this.clock.now(), diagnostics });
  }
}

/** One account, before and after. */
function changeOf(account: RehearsedAccount) {
  return {
    ...{ baseUrl: account.baseUrl, before: account.before },
    /** After all steps that the service accepts. It is taken when it is read, because a review does not read it. */
    get after(): Snapshot {
      return account.after;
    },
  };
}

const staysBehind = "its new provider has another account, or may have, and Pulumi moves no object there";

const versionDecides =
  "whether Pulumi deletes it depends on its version, because its resource option deletedWith names a resource that is deleted " +
  "before its replacement is created";
const previewLacksIt =
  "the preview does not show whether Pulumi deletes it, because its resource option deletedWith names a resource without a step";

function otherArguments(names: readonly string[]): string {
  return `the account's object has another ${listText(names.map(quote), "argument")}`;
}

function otherThanRecorded(names: readonly string[]): string {
  return `${otherArguments(names)} than the state records: review it with --refresh`;
}

function notRehearsed(urn: string, why: string): Gap {
  return { urn, message: `it is not rehearsed: ${why}` };
}

/** The message of a refusal, without the parts that only a rehearsal has. */
function refusalText({ message }: Error): string {
  return message.replaceAll(/ \(operation op_\w+\)/g, "").replaceAll(` at ${hiddenUrl}`, "");
}
