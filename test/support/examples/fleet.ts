/** The example fleet with an emulator for each account. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";
import type { EmulatorOptions } from "../../../src/emulator/types";
import { EmulatorProcess } from "../emulator-process";
import { processesOf } from "../processes";
import { until } from "../until";
import { Example } from "./example";

/** What the runner writes beside its table. */
export interface Summary {
  readonly command: string;
  readonly accounts: readonly {
    readonly account: string;
    readonly outcome: string;
    readonly changes?: Readonly<Record<string, number>>;
  }[];
}

export class Fleet {
  private constructor(
    readonly example: Example,
    readonly emulators: Readonly<Record<string, EmulatorProcess>>,
    private readonly rings: Readonly<Record<string, string>>,
  ) {
    this.configure();
  }

  /** @param rings the ring of each account. */
  static async start(rings: Readonly<Record<string, string>>, options: EmulatorOptions = {}): Promise<Fleet> {
    const names = Object.keys(rings);
    const emulators = await Promise.all(
      names.map((name) => EmulatorProcess.start({ ...options, apiKey: `SECRET-of-${name}` })),
    );
    const keys = names.map((name, i) => [keyVariable(name), emulators[i]!.apiKey] as const);
    const example = new Example("fleet", Object.fromEntries(keys));
    return new Fleet(example, Object.fromEntries(names.map((name, i) => [name, emulators[i]!])), rings);
  }

  /** Writes accounts.yaml, with these additions to the configuration of accounts. */
  configure(additions: Readonly<Record<string, object>> = {}): void {
    const entries = Object.entries(this.rings).map(([name, ring], i) => {
      const config = { hostport: `${i + 1}.tcp.example.com:5432`, ...additions[name] };
      return [name, { ring, baseUrl: this.emulators[name]!.baseUrl, config }] as [string, object];
    });
    this.example.program.write({
      "accounts.yaml": stringify({ accounts: Object.fromEntries(entries) }),
      ".tunnel-gateway-review.json": JSON.stringify({
        baseUrls: Object.values(this.emulators).map(({ baseUrl }) => baseUrl),
      }),
    });
  }

  /** What each account was asked for since the last call. */
  async takeRequests(): Promise<Record<string, string[]>> {
    const all = Object.entries(this.emulators).map(async ([name, emulator]) => {
      const lines = await emulator.requestLines();
      await emulator.clearRequests();
      return [name, lines] as const;
    });
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

  /** Waits until no process of the fleet is left, and fails after so many seconds. */
  async untilEnded(seconds: number): Promise<void> {
    for (let left = seconds * 10; processesOf(this.example).length > 0; left--) {
      if (left === 0) throw new Error(`still running: ${JSON.stringify(processesOf(this.example))}`);
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    for (const { pid } of processesOf(this.example)) process.kill(pid, "SIGKILL");
    await Promise.all(Object.values(this.emulators).map((emulator) => emulator.stop()));
  }
}

/** The variable with the key of an account, as examples/fleet/accounts.yaml says. */
export function keyVariable(name: string): string {
  return `TUNNEL_GATEWAY_API_KEY_${name.toUpperCase().replaceAll("-", "_")}`;
}
