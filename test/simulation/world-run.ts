/** Takes one world through its rounds, on the small engine and the emulator without sockets, in virtual time. */
import type { FaultRule, JsonObject } from "../../src/emulator";
import { isCreationMark } from "../../src/schema/metadata";
import { toWire } from "../../src/provider/wire";
import { declarationOf } from "../../src/resources/registry";
import { pathOf } from "../rounds/requests";
import { disagreements, type State } from "../soak/agreement";
import { accessList, type ByHand, type Round, type World } from "../soak/plan";
import type { Tally } from "../soak/tally";
import { needlesIn, outside } from "../soak/values";
import { beginning, enter } from "./machine/entropy";
import { Chance } from "./machine/chance";
import { Loop, type Process } from "./machine/loop";
import { Network, type Sent, type Strike } from "./machine/network";
import { SimulatedStack, type Ending } from "./stack";

/** Longer than clocks may differ. */
const strangersAgeMs = 300_000;

/** Something that happens at one moment of a world, beside what its rounds say. */
export type Moment =
  | { readonly request: number; readonly strike: Strike }
  | { readonly write: number; readonly when: "before" | "after" };

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
  readonly tally?: Tally;
  /** Happens in the last round. */
  readonly moment?: Moment | undefined;
  /** Keeps what the world did, line by line. */
  readonly traces?: boolean;
}

/** What a world had done: the moments of its last round. */
export interface Ended {
  readonly requests: number;
  readonly writes: number;
  readonly trace: readonly string[];
}

/** Runs all rounds of a world; throws a Finding at the first one that does not end as it should. */
export async function runWorld(world: World, options: RunOptions = {}): Promise<Ended> {
  const seed = world.seed * 100_003 + world.number;
  const loop = new Loop(beginning, new Chance(seed));
  enter(seed, () => loop.now());
  const network = await Network.start(loop);
  await network.service.controls.seed(outside);
  const run = new WorldRun(world, loop, network, options);
  try {
    return await run.through();
  } catch (error) {
    throw new Finding((error as Error).message, run.index, run.trace);
  }
}

/** The outputs without those that no display shows. */
function shownOf(outputs: JsonObject): string {
  return JSON.stringify(Object.entries(outputs).filter(([name]) => !name.startsWith("__")));
}

/** How many entries a list or a map has. */
function sizeOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

const killed = ["CLI killed", "plugin killed"];

class WorldRun {
  index = 0;
  readonly trace: string[] = [];
  /** The ids of objects that are not the stack's. */
  private readonly foreign = new Set<string>();
  /** Rules that others made in the policies of sets, which remove them. */
  private readonly intruders = new Set<string>();
  /** What must be nowhere in plaintext. */
  private readonly needles: Set<string>;
  private readonly stack: SimulatedStack;
  /** Of the round. */
  private requests = 0;
  private writes = 0;
  private serviceWrites = 0;

  constructor(
    private readonly world: World,
    private readonly loop: Loop,
    private readonly network: Network,
    private readonly options: RunOptions,
  ) {
    for (const objects of Object.values(this.account))
      for (const { id } of objects) this.foreign.add(String(id));
    this.needles = new Set([network.apiKey, "emulated_"]); // the second is how the emulator's tokens begin
    this.stack = new SimulatedStack("test", loop, network, world.stamps);
    network.onKill = (process) => this.killFrom(process);
    network.onDone = (request) => this.done(request);
    network.strikes = () => this.strikeAt(++this.requests);
    this.stack.onWrite = (stack, when) => this.written(stack, when);
  }

  private get account() {
    return this.network.service.controls.snapshot();
  }

  async through(): Promise<Ended> {
    const { rounds } = this.world;
    for (const [index, round] of rounds.entries()) {
      this.index = index;
      await this.round(round);
      if (index === rounds.length - 2) await this.expectNoDrift(round);
    }
    return { requests: this.requests, writes: this.writes, trace: this.trace };
  }

  private get isLast(): boolean {
    return this.index === this.world.rounds.length - 1;
  }

  private async round(round: Round): Promise<void> {
    const { network } = this;
    for (const change of round.byHand) if (await this.byHand(change)) this.count("byHand");
    for (const { type, args } of round.program) if (type !== accessList) this.noteSecrets(type, args);
    await this.loop.run(this.loop.sleep(5_000));

    if (round.isRefusedFirst) await this.refused(round);
    this.requests = 0;
    this.writes = 0;
    this.serviceWrites = 0;
    network.sent.splice(0);
    network.setFaults(round.faults);
    this.kill = round.kill;
    this.isArmed = true;
    const ending = await this.deploy(round);
    this.isArmed = false;
    const [requests, writes] = [this.requests, this.writes];
    this.kill = undefined;
    network.setFaults([]);
    const faults = this.endCommand("deployment", ending);
    const isDisturbed = faults > 0 || killed.includes(ending.how) || this.options.moment !== undefined;
    if (ending.how !== "well") {
      if (!isDisturbed) throw new Error(`A deployment that nothing disturbed failed:\n${ending.output}`);
      if (this.isHarmless()) throw new Error(`A single fault ended the deployment:\n${ending.output}`);
      this.count("repaired");
      await this.repair(round, ending);
    }
    if (this.requests > this.budget(round, faults)) throw new Error(`It took ${this.requests} requests.`);
    await this.expectAgreement(round);
    this.count("rounds");
    this.options.tally?.noteTypes(round.program);
    [this.requests, this.writes] = [requests, writes];
  }

  private async deploy({ program, command, logs }: Round): Promise<Ending> {
    const { stack } = this;
    if (command === "refresh, then up") {
      const ending = await this.command(stack.refresh({ logs }));
      if (ending.how !== "well") return ending;
    }
    const refreshes = command === "up --refresh";
    return this.command(stack.up({ program: command === "destroy" ? [] : program, refreshes, logs }));
  }

  /** The service refuses the change, and the program is taken back: then there is nothing to do. */
  private async refused({ program }: Round): Promise<void> {
    const body = { error_code: "ERR_REFUSED", status_code: 422, msg: "refused", details: {} };
    const rules = ["POST", "PUT", "PATCH", "DELETE"].map((method) => ({
      kind: "status",
      status: 422,
      body,
      method,
    }));
    const before = this.stack.state;
    this.network.setFaults(rules as FaultRule[]);
    const ending = await this.command(this.stack.up({ program }));
    this.network.setFaults([]);
    this.endCommand("refused up", ending);
    for (const { urn, type, outputs } of before.entries) {
      // Other days until a rotation are no write, and the state of a set follows what its policy holds.
      if (["rotation", "entries"].includes(declarationOf(type).style)) continue;
      const after = this.stack.state.entries.find((each) => each.urn === urn);
      if (after && shownOf(after.outputs) !== shownOf(outputs))
        throw new Error(`The state of ${urn} changed, though the service refused every write.`);
    }
    const { operation } = await this.well(
      "preview",
      this.stack.preview(this.world.rounds[this.index - 1]!.program),
    );
    // What was only recorded is an update. A set may be made and deleted without a write, and Pulumi updates one that
    // failed in part, which its error always says (docs/reliability.md).
    const isSet = (urn: string) => urn.includes("IpPolicyRuleSet") || urn.includes(accessList);
    const changes = operation!.changes.filter(({ op, urn }) => op !== "update" && !isSet(urn));
    if (changes.length > 0)
      throw new Error(
        `A refused change that is taken back is not empty: ${changes.map(({ urn }) => urn).join(", ")}`,
      );
  }

  /** How many requests a round may take at most, its repair included: more are a loop or a storm. */
  private budget({ program }: Round, faults: number): number {
    const before = this.world.rounds[this.index - 1]?.program ?? [];
    const entries = [...before, ...program].map(({ args }) => Object.values(args).map(sizeOf));
    const objects = entries.flat().reduce((sum, size) => sum + size, entries.length);
    return 60 + 12 * objects + 20 * faults;
  }

  /** Runs a command to its end, and what it left behind too. */
  private async command(command: Promise<Ending>): Promise<Ending> {
    const ending = await this.loop.run(command);
    await this.loop.settle();
    return ending;
  }

  // What disturbs a round.

  private kill: Round["kill"];
  private isArmed = false;

  /** Whether all that disturbs the round is one fault that the package promises to overcome. */
  private isHarmless(): boolean {
    const { moment } = this.options;
    if (!this.isLast || moment === undefined || !("request" in moment) || moment.strike.kind !== "fault")
      return false;
    const { kind, status } = moment.strike.rule;
    return (
      ["dropBefore", "dropAfter", "truncate", "slow"].includes(kind) ||
      [429, 502, 503, 504].includes(status ?? 0)
    );
  }

  private strikeAt(number: number): Strike | undefined {
    const { moment } = this.options;
    if (!this.isArmed || !this.isLast || moment === undefined || !("request" in moment)) return undefined;
    return moment.request === number ? moment.strike : undefined;
  }

  private written(stack: SimulatedStack, when: "before" | "after"): void {
    if (when === "before") this.writes += 1;
    const { moment } = this.options;
    if (!this.isArmed || !this.isLast || moment === undefined || !("write" in moment)) return;
    if (moment.write !== this.writes || moment.when !== when) return;
    this.note(`the CLI and its plugin are killed ${when} the state is written`);
    this.count("kills");
    for (const { process } of stack.plugins) process.kill();
    stack.cli!.kill();
  }

  private killFrom(plugin: Process): void {
    this.note(`${plugin.name} and its CLI are killed`);
    this.count("kills");
    plugin.kill();
    this.stack.cli!.kill();
  }

  /** After each request that the service has done. */
  private done({ method }: Sent): void {
    if (method === "GET") return;
    this.serviceWrites += 1;
    const { kill, stack } = this;
    if (kill === undefined || this.serviceWrites < kill.afterWrites) return;
    this.kill = undefined;
    // A moment later, so that the answer may or may not come through.
    this.loop.after(this.loop.chance.next() * 40, undefined, () => {
      if (!stack.cli!.isAlive || !stack.plugins.some(({ process }) => process.isAlive)) return;
      this.note(`${kill.victim} is killed`);
      this.count("kills");
      if (kill.victim !== "the CLI") for (const { process } of stack.plugins) process.kill();
      if (kill.victim !== "the plugin") stack.cli!.kill();
    });
  }

  // What others do.

  private byHand(change: ByHand): Promise<boolean> {
    switch (change.kind) {
      case "make":
        return this.makeByHand(change.type, change.args);
      case "change":
        return this.changeByHand(change.name, change.args);
      case "delete":
        return this.changeByHand(change.name, undefined);
      case "intrude":
        return this.intrude(change.name, change.range);
    }
  }

  private async intrude(name: string, range: string): Promise<boolean> {
    const own = this.stack.state.entries.filter(({ urn }) => urn.endsWith(`::${name}`));
    const policy = own.find(({ type }) => type === "IpPolicyRuleSet" || type === "IpPolicy");
    if (policy === undefined) return false;
    const body = { ip_policy_id: policy.id, cidr: range, action: "deny" };
    const made = await this.request("POST", "/ip_policy_rules", body);
    if (made) this.intruders.add(String(made.id));
    return made !== undefined;
  }

  private async makeByHand(type: string, args: JsonObject): Promise<boolean> {
    this.noteSecrets(type, args);
    const { path, fields } = declarationOf(type);
    const { controls } = this.network.service;
    // An equal object that others make within seconds of a lost create may be taken for its own (docs/reliability.md).
    controls.setClock(new Date(this.loop.now() - strangersAgeMs));
    const made = await this.request("POST", path, toWire(fields, args));
    controls.setClock();
    if (made) this.foreign.add(String(made.id));
    return made !== undefined;
  }

  private async changeByHand(name: string, args: JsonObject | undefined): Promise<boolean> {
    const entry = this.stack.state.entries.find(({ urn }) => urn.endsWith(`::${name}`));
    const style = entry && declarationOf(entry.type).style;
    if (
      entry === undefined ||
      ["entries", "rotation"].includes(style!) ||
      (style === "member" && args !== undefined)
    )
      return false;
    const path = pathOf(entry.type, entry.id);
    if (args === undefined) return (await this.request("DELETE", path)) !== undefined;
    this.noteSecrets(entry.type, args);
    // Resources of their own may manage the sources of a subscription.
    const { sources: _, ...body } = toWire(declarationOf(entry.type).fields, args);
    if (style === "singleton") return (await this.request("PUT", path, body)) !== undefined;
    // The service says which members an update can have.
    const answers: unknown[] = [];
    for (const [member, value] of Object.entries(body))
      answers.push(await this.request("PATCH", path, { [member]: value }));
    return answers.some((answer) => answer !== undefined);
  }

  /** The answer of the service, or undefined where it refuses. */
  private async request(method: string, path: string, body?: object): Promise<JsonObject | undefined> {
    const { status, text } = await this.network.ask(method, path, body);
    if (method !== "GET") this.note(`by hand: ${method} ${path}: ${status}`);
    if (status >= 300) return undefined;
    return text === "" ? {} : (JSON.parse(text) as JsonObject);
  }

  // The repair.

  /** What the documentation says to do after a deployment that failed. */
  private async repair({ program }: Round, { how, output }: Ending): Promise<void> {
    const { stack } = this;
    const left = await this.recover(how === "CLI killed" ? undefined : program);
    const unnamed = how === "failed" ? left.filter((each) => !this.isNamed(each, output)) : [];
    if (unnamed.length > 0) {
      const all = unnamed.map(({ type, id }) => `${type} ${id}`).join(", ");
      throw new Error(`A failed deployment left objects that its errors do not name: ${all}\n${output}`);
    }
    await this.well("refresh --clear-pending-creates", stack.refresh({ clearsPending: true }));
    for (const { type, id } of left)
      if (await this.request("DELETE", pathOf(type, id))) this.count("deletedAsTold");
    await this.well("up", stack.up({ program }));
  }

  /** A module has the id of its edge, which is an object of others. */
  private isForeign({ type, id }: { readonly type: string; readonly id: string }): boolean {
    return declarationOf(type).style === "collection" && this.foreign.has(id);
  }

  /** Whether errors name an object that a failed deployment left, by its id or by the mark of its creation. */
  private isNamed({ id }: { readonly id: string }, output: string): boolean {
    if (this.intruders.has(id) || output.includes(id)) return true;
    const object = Object.values(this.account)
      .flat()
      .find((each) => each.id === id);
    const mark = String(object?.metadata);
    return isCreationMark(mark) && output.includes(mark);
  }

  /** Imports what the interrupted creates made. Returns the objects that are left for the user to delete. */
  private async recover(program: Round["program"] | undefined) {
    // Parts of a component need an import after that of the component.
    for (let imports = 0; imports < 4; imports++) {
      const { found, file } = await this.stack.orphans(program);
      const { resources } = file;
      if (resources.length === 0) return found.orphans.filter((each) => !this.isForeign(each));
      this.note(`import: ${resources.map(({ name, id }) => `${name} ${id}`).join(", ")}`);
      this.stack.import(file);
      // An equal object of others passes for what the interrupted create made: the user decides to import it.
      for (const { id } of resources) this.foreign.delete(id);
    }
    throw new Error("Four imports did not bring in all that the interrupted creates made.");
  }

  private async well(what: string, command: Promise<Ending>): Promise<Ending> {
    const ending = await this.command(command);
    this.endCommand(what, ending);
    if (ending.how !== "well") throw new Error(`${what} failed, undisturbed:\n${ending.output}`);
    return ending;
  }

  // The checks.

  private async expectAgreement({ program }: Round): Promise<void> {
    const { stack } = this;
    const { state } = stack;
    const answers = await this.answers(state);
    const situation = { program, state, account: this.account, answers, foreign: this.foreign };
    const wrong = disagreements(situation);
    if (wrong.length > 0)
      throw new Error(`The account, the state and the program disagree:\n${wrong.join("\n")}`);
    await this.expectEmptyPreview(program);
  }

  private async expectEmptyPreview(program: Round["program"]): Promise<void> {
    const sent = this.requests;
    const { operation } = await this.well("preview", this.stack.preview(program));
    if (this.requests > sent) throw new Error("A preview sent a request.");
    const changes = operation!.changes.map(({ op, name }) => `${op} ${name}`);
    if (changes.length > 0)
      throw new Error(`A preview after a deployment is not empty: ${changes.join(", ")}`);
  }

  /** What the service answers of each resource that one request reads. */
  private async answers({ entries }: State): Promise<Map<string, JsonObject>> {
    const answers = new Map<string, JsonObject>();
    for (const { urn, type, id } of entries) {
      if (!["collection", "singleton"].includes(declarationOf(type).style)) continue;
      const answer = await this.request("GET", pathOf(type, id));
      if (answer) answers.set(urn, answer);
    }
    return answers;
  }

  /** A refresh finds nothing, and no object that is not the stack's was changed into an orphan. */
  private async expectNoDrift({ program }: Round): Promise<void> {
    const { operation } = await this.well(
      "preview --refresh",
      this.stack.preview(program, { refreshes: true }),
    );
    const changes = operation!.changes.map(({ op, name }) => `${op} ${name}`);
    if (changes.length > 0) throw new Error(`A refresh finds a drift: ${changes.join(", ")}`);
    const left = await this.recover(undefined);
    if (left.length > 0)
      throw new Error(`tunnel-gateway orphans finds ${left.map(({ id }) => id).join(", ")}.`);
  }

  /** What follows every command: its lines, its requests and the state hold no secret. Returns how many faults it met. */
  private endCommand(what: string, ending: Ending): number {
    const { network, stack } = this;
    let faults = 0;
    for (const { fault, method, path, process, status, body, answer } of network.sent.splice(0)) {
      if (this.options.traces)
        this.trace.push([process, method, path, body, status, fault, answer].join(" "));
      if (fault === undefined) continue;
      faults += 1;
      this.options.tally?.noteFault(fault);
    }
    this.note(`${what} ended: ${ending.how}\n${ending.output}`);
    if (this.options.traces) this.trace.push(stack.text);
    this.expectNoSecretIn(ending.output, `the output of ${what}`);
    this.expectNoSecretIn(stack.text, `the state after ${what}`);
    this.expectNoSecretIn(ending.operation?.text ?? "", `the display of ${what}`);
    return faults;
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
    if (this.trace.length < 10_000) this.trace.push(`${this.loop.now() - beginning} ms: ${line}`);
  }

  private count(what: "rounds" | "byHand" | "repaired" | "kills" | "deletedAsTold"): void {
    this.options.tally?.count(what);
  }
}
