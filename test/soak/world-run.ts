/** Takes one world of a soak through its rounds, on the real engine and the emulator. */
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator, JsonObject } from "../../src/emulator";
import { toWire } from "../../src/provider/wire";
import { declarationOf } from "../../src/resources/registry";
import { tunnelGateway } from "../engine/cli";
import { killBetweenWrites } from "../engine/kill-between-writes";
import { pathOf } from "../rounds/requests";
import { Program, type CallOptions, type Result, type Stack } from "../support/engine";
import { processesOf } from "../support/processes";
import { disagreements, type State } from "./agreement";
import { accessList, type ByHand, type Round, type World } from "./plan";
import type { Tally } from "./tally";
import { needlesIn, outside } from "./values";

const files = {
  "program.cjs": readFileSync(join(__dirname, "../rounds/program.cjs"), "utf8"),
  "index.js": `
    const world = JSON.parse(require("node:fs").readFileSync(__dirname + "/world.json", "utf8"));
    require("./program.cjs")(world, require("pulumi-tunnel-gateway"), require("@pulumi/pulumi"));
  `,
};

const recoveryFile = "recovery.json";

/** What is in the program's folder and holds the secrets that the program gives, or what was not made for this run. */
const givenFiles = ["world.json", ".environment.json", "node_modules", recoveryFile];

/** A plugin whose CLI was killed has finished its requests when it has sent none for so long. */
const quietMs = 1_000;
const callMs = 300_000;
/** Longer than clocks may differ. */
const strangersAgeMs = 300_000;

const flags = ["--yes", "--skip-preview"];

/** What all worlds of a run share. */
export interface Setting {
  readonly emulator: Emulator;
  readonly program: Program;
  readonly tally: Tally;
}

export class WorldRun {
  /** The ids of objects that are not the stack's. */
  private readonly foreign = new Set<string>();
  /** What was done in the round, for the report of a failure. */
  private journal: string[] = [];
  /** What must be nowhere in plaintext. */
  private readonly needles: Set<string>;

  private constructor(
    private readonly emulator: Emulator,
    private readonly stack: Stack,
    private readonly tally: Tally,
  ) {
    for (const objects of Object.values(emulator.snapshot()))
      for (const { id } of objects) this.foreign.add(String(id));
    this.needles = new Set([emulator.apiKey, "emulated_"]); // the second is how the emulator's tokens begin
  }

  /** The program of all worlds: it reads its resources from a file. */
  static program(): Program {
    return new Program({ kind: "cjs", files });
  }

  /** Runs all rounds of a world; throws at the first one that does not end as it should. */
  static async through(world: World, { emulator, program, tally }: Setting, begin: (round: number) => void) {
    await emulator.reset();
    await emulator.seed(outside);
    const config = {
      "tunnel-gateway:baseUrl": emulator.baseUrl,
      "tunnel-gateway:apiKey": { secret: emulator.apiKey },
      "tunnel-gateway:stampMetadata": String(world.stamps),
    };
    const run = new WorldRun(emulator, await program.stack({ config }), tally);
    try {
      for (const [index, round] of world.rounds.entries()) {
        begin(index);
        run.journal = [];
        await run.through(round);
        // Reading everything once more costs as much as a round.
        if (index === world.rounds.length - 2) await run.expectNoDrift();
      }
    } catch (error) {
      throw new Error(`${(error as Error).message}\n\nThe round until then:\n${run.journal.join("\n")}`, {
        cause: error,
      });
    } finally {
      for (const { pid } of processesOf(run.stack)) killProcess(pid);
      rmSync(run.stack.backend, { recursive: true, force: true });
      rmSync(join(program.dir, recoveryFile), { force: true });
    }
  }

  private async through(round: Round): Promise<void> {
    const { emulator, stack, tally } = this;
    for (const change of round.byHand) await this.byHand(change);
    for (const { type, args } of round.program) if (type !== accessList) this.noteSecrets(type, args);
    stack.program.write({ "world.json": JSON.stringify({ resources: round.program, lookUps: [] }) });

    emulator.clearRequests();
    emulator.setFaults({ rules: [...round.faults] });
    const ended = await this.deploy(round);
    emulator.setFaults();
    for (const { fault } of emulator.requests) if (fault) tally.noteFault(fault);

    if (ended.how !== "well") {
      tally.count("repaired");
      await this.repair(ended);
    }
    await this.expectAgreement(round);
    tally.count("rounds");
    tally.noteTypes(round.program);
  }

  private noteSecrets(type: string, args: JsonObject): void {
    for (const each of needlesIn(declarationOf(type).fields, args)) this.needles.add(each);
  }

  /** What somebody else does. The service may refuse it, and then it is not done. */
  private async byHand(change: ByHand): Promise<void> {
    if (await this.doByHand(change)) this.tally.count("byHand");
  }

  private doByHand(change: ByHand): Promise<boolean> {
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

  /** Adds a rule to the policy that a set or an access list manages. */
  private async intrude(name: string, range: string): Promise<boolean> {
    const own = this.state().entries.filter(({ urn }) => urn.endsWith(`::${name}`));
    const policy = own.find(({ type }) => type === "IpPolicyRuleSet" || type === "IpPolicy");
    if (policy === undefined) return false;
    const body = { ip_policy_id: policy.id, cidr: range, action: "deny" };
    return (await this.request("POST", "/ip_policy_rules", body)) !== undefined;
  }

  private async makeByHand(type: string, args: JsonObject): Promise<boolean> {
    this.noteSecrets(type, args);
    const { path, fields } = declarationOf(type);
    // An equal object that others make within seconds of a lost create may be taken for its own (docs/architecture.md).
    this.emulator.setClock(new Date(Date.now() - strangersAgeMs));
    const made = await this.request("POST", path, toWire(fields, args));
    this.emulator.setClock();
    if (made) this.foreign.add(String(made.id));
    return made !== undefined;
  }

  /** Changes an object of the stack, or deletes it where there are no arguments. */
  private async changeByHand(name: string, args: JsonObject | undefined): Promise<boolean> {
    const entry = this.state().entries.find(({ urn }) => urn.endsWith(`::${name}`));
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
    if (method !== "GET") this.journal.push(`By hand: ${method} ${path}`);
    const headers = { Authorization: `Bearer ${this.emulator.apiKey}`, "Service-Version": "2" };
    const response = await fetch(this.emulator.baseUrl + path, {
      method,
      headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) return undefined;
    return text === "" ? {} : (JSON.parse(text) as JsonObject);
  }

  /** Deploys the round's program, with all that disturbs it. */
  private async deploy(round: Round): Promise<Ending> {
    const { command, kill, faults, logs } = round;
    const env: Record<string, string> = logs ? { TUNNEL_GATEWAY_LOG: "debug" } : {};
    const options: CallOptions = { env, exitCode: faults.length > 0 ? "any" : 0 };
    if (command === "refresh, then up") {
      const { exitCode, output } = await this.pulumi(["refresh", ...flags, "--diff"], options);
      if (exitCode !== 0) return { how: "failed", output };
    }
    const args: [string, ...string[]] = [
      "up",
      ...flags,
      "--diff",
      ...(command === "up --refresh" ? ["--refresh"] : []),
    ];
    if (kill) return this.killed(args, env, { ...round, kill });
    const { exitCode, output } = await this.pulumi(args, options);
    return { how: exitCode === 0 ? "well" : "failed", output };
  }

  private async killed(
    args: string[],
    env: Record<string, string>,
    { kill, faults }: Round & { kill: Kill },
  ): Promise<Ending> {
    const { stack, emulator } = this;
    const running = stack.start([...args, "--stack", stack.name], { env, timeoutMs: callMs });
    const ended = running.done.then(
      () => true,
      () => true,
    );
    const hasEnded = () => Promise.race([ended, sleep(5, false)]);
    const writes = () => emulator.requests.filter(({ method }) => method !== "GET").length;
    while (writes() < kill.afterWrites && !(await hasEnded()));
    const isKilled = !(await hasEnded()) && (await this.kill(kill.victim, running.pid));
    if (isKilled) this.tally.count("kills");
    const { output, exitCode, command } = await running.done;
    // A plugin outlives its CLI and finishes its requests.
    for (let sent = -1; sent !== emulator.requests.length && processesOf(stack).length > 0;) {
      sent = emulator.requests.length;
      await sleep(quietMs);
    }
    for (const { pid } of processesOf(stack)) killProcess(pid);
    this.note(command, output);
    if (exitCode === 0) return { how: "well", output };
    if (!isKilled) {
      if (faults.length === 0)
        throw new Error(`\`${command}\` ended with ${exitCode}, undisturbed:\n${output}`);
      return { how: "failed", output };
    }
    return { how: kill.victim === "the plugin" ? "plugin killed" : "CLI killed", output };
  }

  /** Whether the process was still there to be killed. */
  private async kill(victim: Kill["victim"], pid: number): Promise<boolean> {
    const killPlugins = () => {
      for (const { pid, command } of processesOf(this.stack))
        if (command.includes("dynamic-provider")) killProcess(pid);
    };
    if (victim === "the plugin") {
      killPlugins();
      return true;
    }
    try {
      await killBetweenWrites(this.stack, pid, victim === "the CLI" ? undefined : killPlugins);
      return true;
    } catch (error) {
      if (isEnded(error)) return false;
      throw error;
    }
  }

  /** What the documentation tells a user to do after a deployment that failed. */
  private async repair({ how, output }: Ending): Promise<void> {
    if (how === "CLI killed") await this.pulumi(["cancel", "--yes"]);
    const left = await this.recover(how === "CLI killed" ? [] : ["--planned"]);
    const unnamed = how === "failed" ? left.filter(({ id }) => !output.includes(id)) : [];
    if (unnamed.length > 0) {
      const all = unnamed.map(({ type, id }) => `${type} ${id}`).join(", ");
      throw new Error(`A failed deployment left objects that its errors do not name: ${all}\n${output}`);
    }
    await this.pulumi(["refresh", ...flags, "--clear-pending-creates"]);
    for (const { type, id } of left)
      if (await this.request("DELETE", pathOf(type, id))) this.tally.count("deletedAsTold");
    await this.pulumi(["up", ...flags]);
  }

  /** Imports what the interrupted creates made. Returns the objects that are left for the user to delete. */
  private async recover(options: readonly string[]): Promise<OrphansReport["orphans"]> {
    const { stack } = this;
    const file = join(stack.program.dir, recoveryFile);
    // Parts of a component need an import after that of the component.
    for (let imports = 0; imports < 4; imports++) {
      const args = ["orphans", "--stack", stack.name, "--write", file, "--json", ...options];
      const { exitCode, stdout, stderr } = await tunnelGateway(stack.program, stack, args);
      this.note("tunnel-gateway orphans", stdout + stderr);
      if (exitCode !== 0)
        throw new Error(`tunnel-gateway orphans ended with ${exitCode}:\n${stdout}${stderr}`);
      if (!existsSync(file)) {
        const { orphans } = JSON.parse(stdout) as OrphansReport;
        // A module has the id of its edge, which is an object of others.
        return orphans.filter(
          ({ type, id }) => declarationOf(type).style !== "collection" || !this.foreign.has(id),
        );
      }
      const { resources } = JSON.parse(readFileSync(file, "utf8")) as { resources: { id?: string }[] };
      await this.pulumi(["import", ...flags, "--generate-code=false", "--protect=false", "--file", file]);
      // An equal object of others passes for what the interrupted create made: the user decides to import it.
      for (const { id } of resources) if (id !== undefined) this.foreign.delete(id);
      rmSync(file);
    }
    throw new Error("Four imports did not bring in all that the interrupted creates made.");
  }

  /** Runs a command, which must succeed unless the options say otherwise. */
  private async pulumi([name, ...args]: [string, ...string[]], options: CallOptions = {}): Promise<Result> {
    const call = [name, "--stack", this.stack.name, ...args];
    const result = await this.stack.pulumi(call, { timeoutMs: callMs, ...options });
    this.note(result.command, result.output);
    return result;
  }

  private async expectAgreement({ program }: Round): Promise<void> {
    const { stack, emulator, foreign } = this;
    const state = this.state();
    const answers = await this.answers(state);
    const wrong = disagreements({ program, state, account: emulator.snapshot(), answers, foreign });
    if (wrong.length > 0)
      throw new Error(`The account, the state and the program disagree:\n${wrong.join("\n")}`);
    const sent = emulator.requests.length;
    await this.pulumi(["preview", "--diff", "--expect-no-changes"]);
    if (emulator.requests.length > sent) throw new Error("A preview sent a request.");
    this.expectNoSecretInFiles(stack.backend);
    this.expectNoSecretInFiles(stack.program.dir);
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
  private async expectNoDrift(): Promise<void> {
    await this.pulumi(["preview", "--diff", "--refresh", "--expect-no-changes"]);
    const left = await this.recover([]);
    if (left.length > 0)
      throw new Error(`tunnel-gateway orphans finds ${left.map(({ id }) => id).join(", ")}.`);
  }

  /** What a command printed, in which no secret may be. */
  private note(command: string, output: string): void {
    this.journal.push(`${command}\n${output}`);
    this.expectNoSecretIn(output, command);
  }

  private expectNoSecretInFiles(folder: string): void {
    for (const name of readdirSync(folder)) {
      if (givenFiles.includes(name)) continue;
      const file = join(folder, name);
      if (statSync(file).isDirectory()) this.expectNoSecretInFiles(file);
      else this.expectNoSecretIn(readFileSync(file, "utf8"), file);
    }
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

  private state(): State {
    const { checkpoint } = JSON.parse(this.stack.stateText()) as StackFile;
    const { resources = [], pending_operations = [] } = checkpoint.latest ?? {};
    const own = resources.filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/tunnel-gateway:"));
    const entries = own.map(({ urn, type, id = "", outputs = {}, delete: isReplaced = false }) => ({
      urn,
      type: type.split(":").at(-1)!,
      id,
      outputs,
      isReplaced,
    }));
    return { entries, pending: pending_operations };
  }
}

type Kill = NonNullable<Round["kill"]>;

/** How a deployment ended. */
interface Ending {
  readonly how: "well" | "failed" | "plugin killed" | "CLI killed";
  /** What it printed. */
  readonly output: string;
}

interface StackFile {
  readonly checkpoint: {
    readonly latest: {
      readonly resources?: readonly {
        readonly urn: string;
        readonly type: string;
        readonly id?: string;
        readonly outputs?: JsonObject;
        readonly delete?: boolean;
      }[];
      readonly pending_operations?: readonly unknown[];
    } | null;
  };
}

interface OrphansReport {
  readonly orphans: readonly { readonly type: string; readonly id: string }[];
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
}

/** Whether the error says that the process is not there any more. */
function isEnded(error: unknown): boolean {
  return ["ESRCH", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
}
