/** The example fleet with an emulator for each account, all behind one address: the key alone decides about the account. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";
import { startEmulator } from "../../../src/emulator";
import type { Emulator } from "../../../src/emulator";
import type { EmulatorOptions } from "../../../src/emulator/types";
import { EmulatorClient } from "../emulator-process";
import type { Result, Running } from "../engine";
import { engineSetup } from "../engine-setup";
import { processesOf } from "../processes";
import type { ProcessInfo } from "../processes";
import { until } from "../until";
import { Example } from "./example";

/** A process has sent its requests when none arrives for so long; the slowest emulator takes less. */
const quietMs = 2000;

/** What the runner writes beside its table. */
export interface Summary {
  readonly command: string;
  readonly accounts: readonly {
    readonly account: string;
    readonly outcome: string;
    readonly changes?: Readonly<Record<string, number>>;
    readonly advice?: string;
  }[];
}

export class Fleet {
  readonly emulators: Readonly<Record<string, EmulatorClient>>;
  readonly example: Example;
  private readonly keyFile = join(mkdtempSync(join(engineSetup().folder, "keys-")), "keys.yaml");
  private config: Readonly<Record<string, object>> = {};

  private constructor(
    private readonly rings: Readonly<Record<string, string>>,
    private readonly running: readonly Emulator[],
    private readonly front: Server,
  ) {
    const names = Object.keys(rings);
    this.emulators = Object.fromEntries(names.map((name, i) => [name, new EmulatorClient(running[i]!)]));
    this.example = new Example("fleet", { FLEET_KEYS: this.keyFile });
    this.configure();
    this.writeKeys();
  }

  /** @param rings the ring of each account. */
  static async start(rings: Readonly<Record<string, string>>, options: EmulatorOptions = {}): Promise<Fleet> {
    const names = Object.keys(rings);
    const emulators = await Promise.all(
      names.map((name) => startEmulator({ ...options, apiKey: keyOf(name) })),
    );
    const front = createServer((asked, answer) => {
      const key = asked.headers.authorization?.replace("Bearer ", "");
      forward(asked, answer, emulators.find(({ apiKey }) => apiKey === key) ?? emulators[0]!);
    });
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
    return new Fleet(rings, emulators, front);
  }

  /** Writes accounts.yaml, with these additions to the configuration of accounts. */
  configure(additions: Readonly<Record<string, object>> = this.config): void {
    this.config = additions;
    const entries = Object.entries(this.rings).map(([name, ring], i) => {
      const config = { hostport: `${i + 1}.tcp.example.com:5432`, ...additions[name] };
      return [name, { ring, baseUrl: this.baseUrl, config }] as [string, object];
    });
    this.example.program.write({
      "accounts.yaml": stringify({ accounts: Object.fromEntries(entries) }),
      ".tunnel-gateway-review.json": JSON.stringify({ baseUrls: [this.baseUrl] }),
    });
  }

  /** Writes the keys, with these instead of the accounts' own; undefined leaves one out. */
  writeKeys(others: Readonly<Record<string, string | undefined>> = {}): void {
    const own = Object.fromEntries(Object.keys(this.rings).map((name) => [name, keyOf(name)]));
    writeFileSync(this.keyFile, stringify({ ...own, ...others }), { mode: 0o600 });
  }

  /** `node run.mts` with the keys. */
  run(args: string, exitCode: number | "any" = 0): Promise<Result> {
    return this.example.run(commandOf(args), { exitCode });
  }

  start(args: string): Running {
    return this.example.start(`exec ${commandOf(args)}`);
  }

  /** Runs the commands that the runner advises for an account, except the last one, which deploys. */
  async recover(advice: string): Promise<void> {
    this.restoreStates();
    for (const [, line = ""] of advice.matchAll(/^ *node run\.mts (exec .*)$/gm)) {
      // A stack is not locked where Pulumi ended by itself.
      const { stdout } = await this.run(line, line.includes(" cancel ") ? "any" : 0);
      const [, imports] = /^ *(pulumi import .*)$/m.exec(stdout) ?? [];
      const [exec = ""] = line.split(" -- ");
      if (imports !== undefined) await this.run(`${exec} -- ${imports} --yes`);
    }
  }

  /** A Pulumi that is killed while it writes a state leaves an incomplete file: docs/fleet.md says what to do. */
  private restoreStates(): void {
    for (const name of Object.keys(this.rings)) {
      const file = join(this.example.backend, `.pulumi/stacks/tunnel-gateway-fleet/${name}.json`);
      if (!existsSync(file)) continue;
      try {
        JSON.parse(readFileSync(file, "utf8"));
      } catch {
        copyFileSync(`${file}.bak`, file);
      }
    }
  }

  /**
   * Waits until what runs has ended by itself, and ends what a killed Pulumi has left, when it has sent its requests: its
   * language host and its plugins.
   */
  async endRest(): Promise<void> {
    const ending = () =>
      this.processes().some(({ command }) => /run\.mts|worker\.mts|\bpulumi /.test(command));
    for (let left = 600; ending(); left--) {
      if (left === 0) throw new Error(`still running: ${JSON.stringify(this.processes())}`);
      await sleep(100);
    }
    const sent = async (): Promise<number> => Object.values(await this.allRequests()).flat().length;
    for (let before = -1, now = await sent(); before !== now; now = await sent()) {
      before = now;
      await sleep(quietMs);
    }
    for (const { pid } of this.processes()) endProcess(pid);
  }

  /** How many objects each account has, by collection. */
  async counts(): Promise<Record<string, Record<string, number>>> {
    const all = Object.entries(this.emulators).map(async ([name, emulator]) => {
      const collections = Object.entries(await emulator.state()).filter(([, { length }]) => length > 0);
      return [name, Object.fromEntries(collections.map(([key, { length }]) => [key, length]))] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  }

  get baseUrl(): string {
    const [{ baseUrl }] = this.running as [Emulator];
    const own = new URL(baseUrl);
    own.port = String((this.front.address() as AddressInfo).port);
    return own.href.replace(/\/$/, "");
  }

  /** What each account was asked for since the last call. */
  async takeRequests(): Promise<Record<string, string[]>> {
    const all = await this.allRequests();
    await Promise.all(Object.values(this.emulators).map((emulator) => emulator.clearRequests()));
    return all;
  }

  /** What each account was asked for, as `METHOD path`. */
  async allRequests(): Promise<Record<string, string[]>> {
    const all = Object.entries(this.emulators).map(
      async ([name, emulator]) => [name, await emulator.requestLines()] as const,
    );
    return Object.fromEntries(await Promise.all(all));
  }

  /** The outcome of each account in the last run. */
  outcomes(): Record<string, string> {
    return Object.fromEntries(this.summary().accounts.map(({ account, outcome }) => [account, outcome]));
  }

  summary(): Summary {
    return JSON.parse(readFileSync(join(this.example.program.dir, ".fleet/summary.json"), "utf8")) as Summary;
  }

  /** Waits until the account was asked for something. */
  async untilAsked(name: string): Promise<void> {
    await until(async () => (await this.emulators[name]!.requests()).length > 0);
  }

  processes(): ProcessInfo[] {
    return processesOf(this.example);
  }

  /** Waits until no process of the fleet is left, and fails after so many seconds. */
  async untilEnded(seconds: number): Promise<void> {
    for (let left = seconds * 10; this.processes().length > 0; left--) {
      if (left === 0) throw new Error(`still running: ${JSON.stringify(this.processes())}`);
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    for (const { pid } of this.processes()) endProcess(pid);
    this.front.close();
    this.front.closeAllConnections();
    await Promise.all(this.running.map((emulator) => emulator.close()));
  }
}

/** The key of an account. */
export function keyOf(name: string): string {
  return `SECRET-of-${name}`;
}

function commandOf(args: string): string {
  return args.includes("--keys") ? `node run.mts ${args}` : `node run.mts --keys "$FLEET_KEYS" ${args}`;
}

/** Passes a request on to an emulator. It arrives also where the client is gone meanwhile. */
function forward(asked: IncomingMessage, answer: ServerResponse, { baseUrl }: Emulator): void {
  const { method, url = "", headers } = asked;
  const { host, hostname, port } = new URL(baseUrl);
  const passed = request({ hostname, port, method, path: url, headers: { ...headers, host } }, (given) => {
    answer.writeHead(given.statusCode!, given.headers);
    given.pipe(answer);
  });
  passed.on("error", () => answer.destroy());
  answer.on("error", () => undefined);
  asked.pipe(passed);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** The secret of a pipeline with the key of an account. */
export function keyVariable(name: string): string {
  return `TUNNEL_GATEWAY_API_KEY_${name.toUpperCase().replaceAll("-", "_")}`;
}
