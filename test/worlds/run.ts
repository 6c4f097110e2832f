/** Takes one world through its rounds: what each of them does, checks and repairs. */
import type { JsonObject, Snapshot } from "../../src/emulator";
import { isCreationMark } from "../../src/schema/metadata";
import { same } from "../../src/schema/equality";
import { defaultOf } from "../../src/schema/field";
import { declarationOf } from "../../src/resources/registry";
import { pathOf } from "../rounds/requests";
import { accessOf, type End } from "./access";
import { disagreements, type State, type StateEntry } from "./agreement";
import { keptBy, missingIn } from "./kept";
import { Others } from "./others";
import { accessList, guarded, hidden, type Round, type Surprise, type World } from "./plan";
import type { WorldResource } from "../rounds/world";
import type { Change, Disturbance, Ending, Sent, Stage } from "./stage";
import type { Count, Tally } from "./tally";
import { needlesIn } from "./values";

/** Why a world fails. */
export class Finding extends Error {
  constructor(
    message: string,
    /** The index of the round. */
    readonly round: number,
    readonly trace: readonly string[],
  ) {
    super(message);
  }
}

export interface RunOptions {
  readonly tally?: Tally | undefined;
  /** Keeps all requests and the state, line by line. */
  readonly traces?: boolean;
  /** Gets every command of the rounds once it has ended, and the index of its round. */
  readonly onCommand?: (
    what: string,
    ending: Ending,
    sent: readonly Sent[],
    stage: Stage,
    index: number,
  ) => void;
}

/** Runs all rounds of a world; throws a Finding at the first one that does not end as it should. */
export async function runRounds(world: World, stage: Stage, options: RunOptions = {}): Promise<string[]> {
  const run = new WorldRun(world, stage, options);
  try {
    await run.through();
    return run.trace;
  } catch (error) {
    throw new Finding((error as Error).message, run.index, run.trace);
  }
}

/** When a key rotates, and how a set manages its rules, is written nowhere. */
const unwritten = [
  ...["rotateAfterDays", "overlapDays", "rotatesAfter"],
  ...["exclusive", "summarize", "extraRulesPercent"],
];

/** The outputs without those that no display shows, and those that no write decides. */
function shownOf(outputs: JsonObject): string {
  const isMeant = (name: string) => !name.startsWith("__") && !unwritten.includes(name);
  return JSON.stringify(Object.entries(outputs).filter(([name]) => isMeant(name)));
}

/** Whether both states have the same values for the service: another spelling of a value takes no write. */
function meansTheSame(a: StateEntry, b: StateEntry): boolean {
  if (shownOf(a.outputs) === shownOf(b.outputs)) return true;
  return Object.entries(declarationOf(a.type).fields)
    .filter(([name, { traits }]) => traits.local !== true && !unwritten.includes(name))
    .every(([name, field]) => {
      const restored = defaultOf(field) ?? field.traits.absentAs;
      return same(field, a.outputs[name] ?? restored, b.outputs[name] ?? restored);
    });
}

/** How many entries a list or a map has. */
function sizeOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

const inWords = (changes: readonly Change[]): string =>
  changes.map(({ op, name }) => `${op} ${name}`).join(", ");

class WorldRun {
  index = 0;
  readonly trace: string[] = [];
  private readonly others: Others;
  /** What must be nowhere in plaintext. */
  private readonly needles: Set<string>;
  private readonly hasEdges: boolean;
  private besideProgram: readonly WorldResource[] = [];
  /** The requests of the last command. */
  private sent: readonly Sent[] = [];
  private writes = 0;
  private missing: string[] = [];
  /** The account before the first round. */
  private readonly outside: Snapshot;
  /** Of the round. */
  private requests = 0;
  private faults = 0;

  constructor(
    private readonly world: World,
    private readonly stage: Stage,
    private readonly options: RunOptions,
  ) {
    this.others = new Others(
      stage,
      (line) => this.note(line),
      (type, args) => this.noteSecrets(type, args),
    );
    this.outside = stage.account.snapshot();
    const all = world.rounds.flatMap(({ program }) => program);
    this.hasEdges = all.some(({ type }) => guarded.includes(type));
    this.needles = new Set([stage.account.apiKey, hidden, "emulated_"]); // the last is how the emulator's tokens begin
  }

  async through(): Promise<void> {
    const { rounds } = this.world;
    for (const [index, round] of rounds.entries()) {
      this.index = index;
      await this.round(round);
      if (index === rounds.length - 2) await this.expectNoDrift(round);
    }
  }

  private async round(round: Round): Promise<void> {
    const { stage, others } = this;
    for (const change of round.byHand) if (await others.act(change)) this.count("byHand");
    for (const { type, args } of round.program) if (type !== accessList) this.noteSecrets(type, args);
    await stage.rest(round.hours);

    // What is gone may be an error. The refresh of this round and its deployment settle everything.
    if (round.isBlindFirst) await this.ended("blind up", () => stage.stack.up({ program: round.program }));
    if (round.isRefusedFirst) await this.refused(round);
    if (round.targetsFirst) await this.targeted(round, round.targetsFirst);
    if (round.isProtectedFirst) await this.protectedFrom(round);
    if (round.surprise) await this.surprised(round, round.surprise);
    this.requests = 0;
    this.faults = 0;
    const isLast = this.index === this.world.rounds.length - 1;
    const undisturb = stage.disturb(round, isLast);
    if (round.isTakenBack) this.watch(round);
    const [ending] = await Promise.all([this.deploy(round), this.deployBeside(round)]);
    const { isDisturbed, isHarmless }: Disturbance = undisturb();
    const { faults } = this;
    if (isHarmless && ending.how !== "well")
      throw new Error(`A single fault ended the deployment:\n${ending.output}`);
    if (round.isTakenBack) return this.takeBack(round, ending);
    if (ending.how !== "well") {
      const isExplained = isDisturbed || faults > 0 || ending.how !== "failed";
      if (!isExplained) throw new Error(`A deployment that nothing disturbed failed:\n${ending.output}`);
      this.count("repaired");
      await this.repair(round, ending);
    }
    if (this.requests > this.budget(round, faults)) throw new Error(`It took ${this.requests} requests.`);
    await this.expectAgreement(round);
    this.count("rounds");
    this.options.tally?.noteTypes(round.program);
  }

  /** The program before is deployed again. What both programs declare is in the account all the time. */
  private async takeBack(round: Round, ending: Ending): Promise<void> {
    const { stack } = this.stage;
    const old = { ...round, program: this.world.rounds[this.index - 1]!.program };
    // After a refusal nothing but this is to be done.
    if (ending.how === "well" || ending.how === "failed") await this.well("up", () => stack.up(old));
    else await this.repair(old, ending);
    this.stage.watch?.(undefined);
    if (this.missing.length > 0) throw new Error(`Meanwhile it was missing: ${this.missing.join("\n")}`);
    await this.expectAgreement(old);
    const { changes } = await this.well("refresh", () => stack.refresh());
    if (changes.length > 0) throw new Error(`A refresh finds a drift: ${inWords(changes)}`);
    await this.expectAgreement(old);
    this.count("rounds");
  }

  /** Notes after each write what is missing of what both programs declare. */
  private watch({ program }: Round): void {
    const { account } = this.stage;
    const { program: old } = this.world.rounds[this.index - 1]!;
    const kept = keptBy(old, program);
    this.missing = [];
    const others = this.outside;
    this.stage.watch?.((request) => {
      for (const each of missingIn(account.snapshot(), others, kept))
        this.missing.push(`${each} after ${request}`);
    });
  }

  private async deploy({ program, command, logs }: Round): Promise<Ending> {
    const { stack } = this.stage;
    if (command === "refresh, then up") {
      const ending = await this.ended("refresh", () => stack.refresh({ logs }));
      if (ending.how !== "well") return ending;
    }
    if (command === "destroy") return this.ended(command, () => stack.destroy({ logs }));
    return this.ended(command, () => stack.up({ program, refreshes: command === "up --refresh", logs }));
  }

  /** The service refuses the change, and the program is taken back: then there is nothing to do. */
  private async refused({ program }: Round): Promise<void> {
    const { stack, account } = this.stage;
    const body = { error_code: "ERR_REFUSED", status_code: 422, msg: "refused", details: {} };
    const before = stack.state;
    account.setFaults(
      ["POST", "PUT", "PATCH", "DELETE"].map((method) => ({ kind: "status", status: 422, body, method })),
    );
    await this.ended("refused up", () => stack.up({ program }));
    account.setFaults([]);
    const { entries } = stack.state;
    for (const old of before.entries) {
      const after = entries.find(({ urn }) => urn === old.urn);
      if (after && !meansTheSame(old, after))
        throw new Error(`The state of ${old.urn} changed, though the service refused every write.`);
    }
    const { program: old } = this.world.rounds[this.index - 1]!;
    this.count("refusals");
    const { changes } = await this.unannounced("preview", old, () => stack.preview(old));
    if (changes.length === 0) return;
    // What sends nothing cannot be refused: a set without entries, an argument with the value that the service has anyway.
    const writes = this.writes;
    await this.well("up", () => stack.up({ program: old }));
    if (this.writes > writes)
      throw new Error(`A refused change that is taken back is not empty: ${inWords(changes)}`);
  }

  /** Nothing but the targets changes. */
  private async targeted({ program }: Round, targets: readonly string[]): Promise<void> {
    const { stack } = this.stage;
    const before = stack.state;
    await this.well("targeted up", () => stack.up({ program, targets }));
    this.count("targets");
    const { entries } = stack.state;
    for (const old of before.entries) {
      if (targets.some((name) => old.urn.endsWith(`::${name}`))) continue;
      const now = entries.find(({ urn, id }) => urn === old.urn && id === old.id);
      if (now === undefined || shownOf(now.outputs) !== shownOf(old.outputs))
        throw new Error(`${old.urn} changed, though it is no target.`);
    }
    const [more] = entries.filter(({ urn }) => !before.entries.some((old) => old.urn === urn));
    if (more) throw new Error(`${more.urn} was made, though it is no target.`);
  }

  /** What is protected is neither deleted nor replaced. */
  private async protectedFrom({ program }: Round): Promise<void> {
    const { stack, account } = this.stage;
    const { program: old } = this.world.rounds[this.index - 1]!;
    const guarded = old.map((resource) => ({ ...resource, opts: { ...resource.opts, protect: true } }));
    await this.well("up", () => stack.up({ program: guarded }));
    const ids = stack.state.entries.map(({ id }) => id);
    const inAccount = () =>
      new Set(Object.values(account.snapshot()).flatMap((objects) => objects.map((each) => each.id)));
    const before = inAccount();
    // What the new program leaves out has its protection from the state.
    const names = new Set(old.map(({ name }) => name));
    const next = program.map((each) =>
      names.has(each.name) ? { ...each, opts: { ...each.opts, protect: true } } : each,
    );
    await this.ended("protected up", () => stack.up({ program: next }));
    this.count("protections");
    const now = inAccount();
    const gone = ids.filter((id) => before.has(id) && !now.has(id));
    if (gone.length > 0) throw new Error(`Protected objects were deleted: ${gone.join(", ")}`);
    await stack.unprotect();
  }

  /** The other stack, which nothing disturbs. */
  private async deployBeside({ beside }: Round): Promise<void> {
    const { other } = this.stage;
    if (!other || !beside) return;
    for (const { type, args } of beside) if (type !== accessList) this.noteSecrets(type, args);
    const { how, output } = await other.up({ program: beside });
    if (how !== "well") throw new Error(`Another stack, which nothing disturbed, failed:\n${output}`);
    this.besideProgram = beside;
    this.count("besides");
  }

  /** The ids of objects of others: those of people and those of the other stack. */
  private get foreign(): ReadonlySet<string> {
    const { other, account } = this.stage;
    if (!other) return this.others.foreign;
    const { entries } = other.state;
    const own = entries.flatMap(({ id, outputs: { keyId, previousKeyId } }) => [id, keyId, previousKeyId]);
    const policies = new Set<unknown>(own);
    const rules = (account.snapshot().ip_policy_rules ?? []).filter(({ ip_policy }) =>
      policies.has((ip_policy as JsonObject).id),
    );
    const ids = [...own, ...rules.map(({ id }) => id)].filter((id) => typeof id === "string");
    return new Set([...this.others.foreign, ...ids]);
  }

  /** Others made something that no preview showed. The change leaves it as it is, and its error names it. */
  private async surprised({ program }: Round, surprise: Surprise): Promise<void> {
    const { others } = this;
    const { stack, account } = this.stage;
    if (surprise.kind === "module") {
      const { type } = program.find(({ name }) => name === surprise.name)!;
      const made = await others.makeModule(type, surprise.args);
      if (made === undefined) return;
      this.count("surprises");
      const { how, output } = await this.ended("surprised up", () => stack.up({ program }));
      const now = await others.request("GET", pathOf(type, made.id));
      if (JSON.stringify(now) !== made.text) throw new Error(`A create took over the ${type} ${made.id}.`);
      if (how === "well" || !output.includes(made.id))
        throw new Error(`No error named the ${type} ${made.id}, which exists already:\n${output}`);
      await others.request("DELETE", pathOf(type, made.id));
      return;
    }
    const { name, range } = surprise;
    if (!(await others.act({ kind: "intrude", name, range }))) return;
    this.count("surprises");
    const { rules, policy } = this.rulesAt(range);
    const { how, output } = await this.ended("surprised up", () => stack.up({ program }));
    if (how === "failed" && !output.includes(range))
      throw new Error(`An undisturbed deployment failed for another reason than ${range}:\n${output}`);
    const isLeft = (account.snapshot().ip_policies ?? []).some(({ id }) => id === policy);
    if (isLeft && this.rulesAt(range).rules !== rules)
      throw new Error(`The rule ${range} was deleted or changed, though no preview showed it.`);
  }

  /** The rules of the range as a text, and their policy. */
  private rulesAt(range: string): { readonly rules: string; readonly policy: unknown } {
    const all = this.stage.account.snapshot().ip_policy_rules ?? [];
    const found = all.filter(({ cidr }) => cidr === range);
    return { rules: JSON.stringify(found), policy: (found[0]?.ip_policy as JsonObject | undefined)?.id };
  }

  /** How many requests a round may take at most, its repair included: more are a loop or a storm. */
  private budget({ program }: Round, faults: number): number {
    const before = this.world.rounds[this.index - 1]?.program ?? [];
    const entries = [...before, ...program].map(({ args }) => Object.values(args).map(sizeOf));
    const objects = entries.flat().reduce((sum, size) => sum + size, entries.length);
    // An outage is no reason to try again and again.
    return 60 + 12 * objects + Math.min(20 * faults, 200 + 25 * objects);
  }

  // The repair.

  /** What the documentation says to do after a deployment that failed. */
  private async repair({ program, late }: Round, { how, output }: Ending): Promise<void> {
    const { stack } = this.stage;
    const left = await this.recover(how === "CLI killed" ? undefined : program);
    // No error names what was made after it.
    const mustBeNamed = how === "failed" && late === undefined;
    const unnamed = mustBeNamed ? left.filter((each) => !this.isNamed(each, output)) : [];
    if (unnamed.length > 0) {
      const all = unnamed.map(({ type, id }) => `${type} ${id}`).join(", ");
      throw new Error(`A failed deployment left objects that its errors do not name: ${all}\n${output}`);
    }
    await this.well("refresh --clear-pending-creates", () => stack.refresh({ clearsPending: true }));
    for (const { type, id } of left)
      if (await this.others.request("DELETE", pathOf(type, id))) this.count("deletedAsTold");
    await this.well("up", () => stack.up({ program }));
  }

  /**
   * Whether errors name an object that a failed deployment left, by its id, by the mark of its creation, or as one that may
   * exist if the search for it failed too.
   */
  private isNamed({ id, type }: { readonly id: string; readonly type: string }, output: string): boolean {
    if (this.others.intruders.has(id) || output.includes(id)) return true;
    const unsearched = `creating the ${declarationOf(type).noun}\\b.* It is not known whether it was created, .* Look for it`;
    if (new RegExp(unsearched).test(output)) return true;
    const object = Object.values(this.stage.account.snapshot())
      .flat()
      .find((each) => each.id === id);
    const mark = String(object?.metadata);
    // In an error, a mark that names a resource has escaped quotes.
    return isCreationMark(mark) && [mark, JSON.stringify(mark)].some((text) => output.includes(text));
  }

  /** Imports what the interrupted creates made. Returns the objects that are left for the user to delete. */
  private async recover(program: Round["program"] | undefined) {
    // Parts of a component need an import after that of the component.
    for (let imports = 0; imports < 4; imports++) {
      const found = await this.stage.stack.orphans(program);
      this.takeSent();
      if (found.imports.length === 0) return this.unowned(found.orphans);
      // An import does not know what the program marks.
      this.needles.delete(hidden);
      this.note(`import: ${found.imports.map(({ name, id }) => `${name} ${id}`).join(", ")}`);
      await found.import();
      // An equal object of others passes for what the interrupted create made: the user decides to import it.
      for (const { id } of found.imports) this.others.foreign.delete(id);
    }
    throw new Error("Four imports did not bring in all that the interrupted creates made.");
  }

  /**
   * A module has the id of its edge, which is an object of others. An entry that its set does not record is drift, which
   * the next refresh and update settle.
   */
  private unowned<T extends { readonly type: string; readonly id: string; readonly driftOf?: string }>(
    orphans: readonly T[],
  ): T[] {
    const { foreign } = this;
    return orphans.filter(
      ({ type, id, driftOf }) =>
        driftOf === undefined && (declarationOf(type).style !== "collection" || !foreign.has(id)),
    );
  }

  private async well(what: string, command: () => Promise<Ending>): Promise<Ending> {
    const ending = await this.ended(what, command);
    if (ending.how !== "well") throw new Error(`${what} failed, undisturbed:\n${ending.output}`);
    return ending;
  }

  /** The ending of a preview without what the last deployment left to the next one: a key whose overlap takes no time. */
  private async unannounced(
    what: string,
    program: readonly WorldResource[],
    preview: () => Promise<Ending>,
  ): Promise<Ending> {
    const ending = await this.well(what, preview);
    const { entries } = this.stage.stack.state;
    const isLeft = ({ urn, name }: Change): boolean => {
      const hasPrevious = entries.find((each) => each.urn === urn)?.outputs.previousKeyId !== undefined;
      return hasPrevious && program.find((each) => each.name === name)?.args.overlapDays === 0;
    };
    return { ...ending, changes: ending.changes.filter((change) => !isLeft(change)) };
  }

  // The checks.

  private async expectAgreement({ program }: Round): Promise<void> {
    const { stack, account } = this.stage;
    const { state } = stack;
    const answers = await this.answers(state);
    const { foreign } = this;
    const wrong = disagreements({
      ...{ program, state, answers, foreign },
      account: account.snapshot(),
      now: Date.now(),
    });
    if (this.besideProgram.length > 0) wrong.push(...this.besideDisagreements(state));
    if (wrong.length > 0)
      throw new Error(`The account, the state and the program disagree:\n${wrong.join("\n")}`);
    const sent = this.requests;
    const { changes } = await this.unannounced("preview", program, () => stack.preview(program));
    if (this.requests > sent) throw new Error("A preview sent a request.");
    if (changes.length > 0) throw new Error(`A preview after a deployment is not empty: ${inWords(changes)}`);
  }

  /** For the other stack everything but its own is foreign. Modules it has none. */
  private besideDisagreements(own: State): string[] {
    const { other, account } = this.stage;
    const state = other!.state;
    const names = new Set(state.entries.map(({ id }) => id));
    const all = account.snapshot();
    const isOwn = ({ id, ip_policy }: JsonObject) =>
      names.has(String(id)) || (ip_policy !== undefined && names.has(String((ip_policy as JsonObject).id)));
    const keys = new Set(state.entries.flatMap(({ outputs }) => [outputs.keyId, outputs.previousKeyId]));
    const theirs = Object.fromEntries(
      Object.entries(all).map(([name, objects]) => [
        name,
        objects.filter((object) => isOwn(object) || keys.has(object.id)),
      ]),
    );
    const shared = own.entries.filter(
      ({ id, type }) => names.has(id) && declarationOf(type).style === "collection",
    );
    return [
      ...shared.map(({ id }) => `both stacks have ${id}`),
      ...disagreements({
        program: this.besideProgram,
        state,
        account: theirs,
        answers: new Map(),
        foreign: new Set(),
      }),
    ].map((each) => `other stack: ${each}`);
  }

  /** What the service answers of each resource that one request reads. */
  private async answers({ entries }: State): Promise<Map<string, JsonObject>> {
    const answers = new Map<string, JsonObject>();
    for (const { urn, type, id } of entries) {
      if (!["collection", "singleton"].includes(declarationOf(type).style)) continue;
      const answer = await this.others.request("GET", pathOf(type, id));
      if (answer) answers.set(urn, answer);
    }
    return answers;
  }

  /** A refresh finds nothing, and no object that is not the stack's was changed into an orphan. */
  private async expectNoDrift({ program }: Round): Promise<void> {
    const { stack } = this.stage;
    const preview = () => stack.preview(program, { refreshes: true });
    const { changes } = await this.unannounced("preview --refresh", program, preview);
    this.expectPages();
    if (changes.length > 0) throw new Error(`A refresh finds a drift: ${inWords(changes)}`);
    const left = await this.recover(undefined);
    if (left.length > 0)
      throw new Error(`tunnel-gateway orphans finds ${left.map(({ id }) => id).join(", ")}.`);
  }

  /** A refresh that nothing disturbs reads no page of a list twice, and no object again and again. */
  private expectPages(): void {
    const account = this.stage.account.snapshot();
    const reads = this.sent.filter(({ process }) => process !== undefined);
    const counts = new Map<string, number>();
    for (const { process, path } of reads) {
      const key = `${process}: ${path.replace(/\?.*/, "")}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, count] of counts) {
      const objects = account[key.replace(/^.*: \//, "")];
      // A set without rules reads its policy, too.
      const most = objects ? Math.max(1, Math.ceil(objects.length / this.stage.pageSize)) : 2;
      if (count > most)
        throw new Error(`A refresh sent ${count} times GET of ${key}, and ${most} are enough.`);
    }
  }

  /** What follows every command: its lines and the state hold no secret. */
  private async ended(what: string, command: () => Promise<Ending>): Promise<Ending> {
    // What happened before, such as changes by hand, is no part of it.
    this.takeSent();
    const before = this.end;
    const ending = await command();
    if (before && !["targeted up", "blind up"].includes(what)) this.expectNoGap(what, before);
    const sent = (this.sent = this.takeSent());
    this.options.onCommand?.(what, ending, sent, this.stage, this.index);
    this.note(`${what} ended: ${ending.how}\n${ending.output}`);
    this.expectNoSecretIn(ending.output, `the output of ${what}`);
    this.expectNoSecretIn(ending.display, `the display of ${what}`);
    for (const [where, text] of this.stage.stack.texts()) {
      if (this.options.traces) this.trace.push(text);
      this.expectNoSecretIn(text, `${where} after ${what}`);
    }
    return ending;
  }

  /** What decides about access, where a program of the world has edges. */
  private get end(): End | undefined {
    const { account, stack } = this.stage;
    return this.hasEdges ? { account: account.snapshot(), state: stack.state } : undefined;
  }

  /** Pulumi leaves out what a call with targets leaves out, so it is no part of the promise. */
  private expectNoGap(what: string, before: End): void {
    const { edges, problems } = accessOf(this.stage.account.accessHistory(), before, this.end!);
    if (problems.length > 0) throw new Error(`Access was more open during ${what}:\n${problems.join("\n")}`);
    if (edges > 0) this.count("edges");
  }

  private takeSent(): readonly Sent[] {
    const sent = this.stage.account.takeSent();
    this.requests += sent.length;
    this.writes += sent.filter(({ method }) => method !== "GET").length;
    for (const { fault, method, path, process, status, body, answer } of sent) {
      if (this.options.traces)
        this.trace.push([process, method, path, body, status, fault, answer].join(" "));
      if (fault === undefined) continue;
      this.faults += 1;
      this.options.tally?.noteFault(fault);
    }
    return sent;
  }

  private expectNoSecretIn(text: string, where: string): void {
    for (const each of this.needles) {
      const at = text.indexOf(each);
      if (at >= 0)
        throw new Error(
          `A secret is in plaintext in ${where}, after …${text.slice(Math.max(0, at - 200), at)}`,
        );
    }
  }

  private noteSecrets(type: string, args: JsonObject): void {
    for (const each of needlesIn(declarationOf(type).fields, args)) this.needles.add(each);
  }

  private note(line: string): void {
    if (this.trace.length < 10_000) this.trace.push(`${this.stage.now()} ms: ${line}`);
  }

  private count(what: Count): void {
    this.options.tally?.count(what);
  }
}
