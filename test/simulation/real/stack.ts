/** A stack of a world on the real Pulumi CLI. */
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator, JsonObject } from "../../../src/emulator";
import { tunnelGateway } from "../../engine/cli";
import { killBetweenWrites } from "../../engine/kill-between-writes";
import type { WorldResource } from "../../rounds/world";
import { classIn } from "../../../src/program/shim";
import { Program } from "../../support/engine";
import type { CallOptions, DoorName, Result, Stack } from "../../support/engine";
import { parsePreview } from "../../support/pulumi-json";
import { isEnded, killAllOf, killProcess, processesOf } from "../../support/processes";
import { encrypted } from "../../worlds/agreement";
import type { State } from "../../worlds/agreement";
import type { Round } from "../../worlds/plan";
import type { Ending, Found, UpOptions, WorldStack } from "../../worlds/stage";

const filesOf = (entry: string) => ({
  "program.cjs": readFileSync(join(__dirname, "../../rounds/program.cjs"), "utf8"),
  "index.js": `
    const world = JSON.parse(require("node:fs").readFileSync(__dirname + "/world.json", "utf8"));
    require("./program.cjs")(world, require(${JSON.stringify(entry)}), require("@pulumi/pulumi"));
  `,
});

/** The entry of the package for each door. */
const entries: Record<DoorName, string> = {
  dynamic: "pulumi-tunnel-gateway",
  native: "pulumi-tunnel-gateway/native",
};

const recoveryFile = "recovery.json";

/** What is in the program's folder and holds the secrets that the program gives, or what was not made for this run. */
const givenFiles = ["world.json", "node_modules", recoveryFile];

/** A plugin whose CLI was killed has finished its requests when it has sent none for so long. */
const quietMs = 1_000;
const callMs = 300_000;

const flags = ["--yes", "--skip-preview"];

type Kill = NonNullable<Round["kill"]>;

export class RealStack implements WorldStack {
  /** Disturbs the next updates. */
  kill: Kill | undefined;

  constructor(
    private readonly stack: Stack,
    private readonly emulator: Emulator,
    private readonly onKill: () => void,
  ) {}

  /** The program of all worlds: it reads its resources from a file. */
  static program(door: DoorName = "dynamic"): Program {
    return new Program({ kind: "cjs", files: filesOf(entries[door]), door });
  }

  async preview(
    program: readonly WorldResource[],
    { refreshes = false }: { refreshes?: boolean } = {},
  ): Promise<Ending> {
    this.declare(program);
    const args = ["--json", ...(refreshes ? ["--refresh"] : [])];
    const result = await this.pulumi(["preview", ...args], { exitCode: "any" });
    const { output, exitCode } = result;
    if (exitCode !== 0) return endingOf("failed", output);
    // What a refresh finds shows as another step too.
    const changes = parsePreview(result).changes.filter(({ op }) => op !== "refresh");
    return { ...endingOf("well", ""), display: output, changes };
  }

  /** What a review reads of a preview. */
  async plan(program: readonly WorldResource[]): Promise<string> {
    this.declare(program);
    const args = ["preview", "--json", "--show-sames", "--show-replacement-steps"] as const;
    return (await this.pulumi([...args])).stdout;
  }

  async up({ program, refreshes = false, logs = false, targets }: UpOptions): Promise<Ending> {
    this.declare(program);
    const urns = (targets ?? []).flatMap((name) => ["--target", `**::${name}`]);
    const args: [string, ...string[]] = ["up", ...flags, "--diff", ...urns];
    if (refreshes) args.push("--refresh");
    return this.disturbed(args, logs);
  }

  refresh({ clearsPending = false, logs = false } = {}): Promise<Ending> {
    const args = clearsPending ? ["--clear-pending-creates"] : ["--diff"];
    return this.plain(["refresh", ...flags, ...args], logs);
  }

  destroy({ logs = false } = {}): Promise<Ending> {
    return this.disturbed(["destroy", ...flags], logs);
  }

  async unprotect(): Promise<void> {
    await this.pulumi(["state", "unprotect", "--all", "--yes"]);
  }

  async orphans(program?: readonly WorldResource[]): Promise<Found> {
    const { stack } = this;
    if (program) this.declare(program);
    const file = join(stack.program.dir, recoveryFile);
    const options = program ? ["--planned"] : [];
    const args = ["orphans", "--stack", stack.name, "--write", file, "--json", ...options];
    const { exitCode, stdout, stderr } = await tunnelGateway(stack.program, stack, args);
    if (exitCode !== 0) throw new Error(`tunnel-gateway orphans ended with ${exitCode}:\n${stdout}${stderr}`);
    if (!existsSync(file)) {
      const { orphans } = JSON.parse(stdout) as Pick<Found, "orphans">;
      return { orphans, imports: [], import: () => Promise.resolve() };
    }
    const { resources } = JSON.parse(readFileSync(file, "utf8")) as ImportFile;
    const imports = resources.flatMap(({ name, id }) => (id === undefined ? [] : [{ name, id }]));
    const run = async (): Promise<void> => {
      await this.pulumi(["import", ...flags, "--generate-code=false", "--protect=false", "--file", file]);
      rmSync(file);
    };
    return { orphans: [], imports, import: run };
  }

  get state(): State {
    const { checkpoint } = JSON.parse(this.stack.stateText()) as StackFile;
    const { resources = [], pending_operations = [] } = checkpoint.latest ?? {};
    const own = resources.flatMap(({ urn, type, custom, id = "", outputs = {}, ...flags }) => {
      const name = custom ? classIn(type) : undefined;
      if (name === undefined) return [];
      const isReplaced = flags.delete === true || flags.pendingReplacement === true;
      return { urn, type: name, id, outputs: masked(outputs) as JsonObject, isReplaced };
    });
    return { entries: own, pending: pending_operations };
  }

  *texts(): Iterable<[string, string]> {
    for (const file of [...filesIn(this.stack.backend), ...filesIn(this.stack.program.dir)])
      yield [file, readFileSync(file, "utf8")];
  }

  /** Ends what is left of the stack's processes and files. */
  end(): void {
    killAllOf(this.stack);
    rmSync(this.stack.backend, { recursive: true, force: true });
    rmSync(join(this.stack.program.dir, recoveryFile), { force: true });
  }

  private declare(program: readonly WorldResource[]): void {
    this.stack.program.write({ "world.json": JSON.stringify({ resources: program, lookUps: [] }) });
  }

  private async plain(args: [string, ...string[]], logs: boolean): Promise<Ending> {
    const { exitCode, output } = await this.pulumi(args, { env: logging(logs), exitCode: "any" });
    return endingOf(exitCode === 0 ? "well" : "failed", output);
  }

  private disturbed(args: [string, ...string[]], logs: boolean): Promise<Ending> {
    const { kill } = this;
    return kill ? this.killed(args, logging(logs), kill) : this.plain(args, logs);
  }

  private async killed(args: string[], env: Record<string, string>, kill: Kill): Promise<Ending> {
    const { stack, emulator } = this;
    const running = stack.start([...args, "--stack", stack.name], { env, timeoutMs: callMs });
    const ended = running.done.then(
      () => true,
      () => true,
    );
    const hasEnded = () => Promise.race([ended, sleep(5, false)]);
    const writes = () => emulator.requests.filter(({ method }) => method !== "GET").length;
    while (writes() < kill.afterWrites && !(await hasEnded()));
    const isKilled = !(await hasEnded()) && (await this.killNow(kill.victim, running.pid));
    if (isKilled) this.onKill();
    const { output, exitCode } = await running.done;
    // A plugin outlives its CLI and finishes its requests.
    for (let sent = -1; sent !== emulator.requests.length && processesOf(stack).length > 0;) {
      sent = emulator.requests.length;
      await sleep(quietMs);
    }
    killAllOf(stack);
    if (exitCode === 0) return endingOf("well", output);
    if (!isKilled) return endingOf("failed", output);
    if (kill.victim === "the plugin") return endingOf("plugin killed", output);
    const cancelled = await this.pulumi(["cancel", "--yes"]);
    return endingOf("CLI killed", `${output}\n${cancelled.output}`);
  }

  /** Whether the process was still there to be killed. */
  private async killNow(victim: Kill["victim"], pid: number): Promise<boolean> {
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

  /** Runs a command, which must succeed unless the options say otherwise. */
  private pulumi([name, ...args]: [string, ...string[]], options: CallOptions = {}): Promise<Result> {
    const call = [name, "--stack", this.stack.name, ...args];
    return this.stack.pulumi(call, { timeoutMs: callMs, ...options });
  }
}

function endingOf(how: Ending["how"], output: string): Ending {
  return { how, output, display: "", changes: [] };
}

function logging(logs: boolean): Record<string, string> {
  return logs ? { TUNNEL_GATEWAY_LOG: "debug" } : {};
}

interface ImportFile {
  readonly resources: readonly { readonly name: string; readonly id?: string }[];
}

interface StackFile {
  readonly checkpoint: {
    readonly latest: {
      readonly resources?: readonly {
        readonly urn: string;
        readonly type: string;
        /** Not a component. */
        readonly custom: boolean;
        readonly id?: string;
        readonly outputs?: JsonObject;
        readonly delete?: boolean;
        readonly pendingReplacement?: boolean;
      }[];
      readonly pending_operations?: readonly unknown[];
    } | null;
  };
}

/** The values with one text in the place of each encrypted one, which is another one with each encryption. */
function masked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  if ("ciphertext" in value) return encrypted;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item)]));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !givenFiles.includes(name))
    .map((name) => join(folder, name))
    .flatMap((file) => (statSync(file).isDirectory() ? filesIn(file) : [file]));
}
