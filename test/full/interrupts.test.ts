import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { engineSetup } from "../support/engine-setup";
import { processesWith, type ProcessInfo } from "../support/processes";

const root = resolve(__dirname, "../..");
const limitMs = 5000;

/** Processes of the Pulumi engine: its language host or a plugin. */
const engine = /pulumi-language-nodejs|dynamic-provider/;

interface Command {
  name: string;
  args: () => string[];
  /** A process that shows that the command is at its work. */
  busy: RegExp;
  /** What it says about the interrupt. */
  says: RegExp;
}

const checks: Command = {
  name: "npm test during its checks",
  args: () => ["test"],
  busy: /node_modules\/\.bin\/oxlint/,
  // The others are short.
  says: /npm test was interrupted during [a-z, ]*lint[a-z, ]*\. Left out: [a-z, ]*tests\./,
};
const unitTests: Command = {
  name: "npm test during unit tests",
  args: () => ["test", "--", "test/provider/schema"],
  busy: /jest .*--selectProjects unit/,
  says: /npm test was interrupted during unit. Left out: nothing\./,
};
const engineTests: Command = {
  name: "npm test during engine tests",
  args: () => ["test", "--", "test/engine/main-job", "test/engine/import"],
  busy: engine,
  says: /npm test was interrupted during engine. Left out: nothing\./,
};
const quickstart: Command = {
  name: "npm run quickstart",
  args: () => ["run", "quickstart"],
  busy: engine,
  says: /The quickstart was interrupted. Left out or unfinished: Preview, Up, .*Destroy\./,
};
const bench: Command = {
  name: "npm run bench",
  args: () => {
    const out = mkdtempSync(join(engineSetup().folder, "bench-"));
    const options = ["--counts", "5", "--runs", "1"];
    for (const part of ["sets", "review", "stacks", "log", "account", "loads"])
      options.push(`--${part}`, "0");
    return ["run", "bench", "--", ...options, "--out", out];
  },
  busy: engine,
  says: /The benchmark was interrupted and has written nothing. Left out or unfinished: .*5 rules\./,
};

const simulation: Command = {
  name: "npm run simulate on the real engine",
  args: () => ["run", "simulate", "--", "--real", "--disturbed", "--seed", "2"],
  busy: engine,
  says: /The simulation from seed 2 was interrupted\./,
};

/** `group` is what ctrl-C on a terminal does; `npm` is `kill` with the id of npm. */
const signals = [
  { signal: "SIGINT", to: "group" },
  { signal: "SIGINT", to: "npm" },
  { signal: "SIGTERM", to: "group" },
  { signal: "SIGTERM", to: "npm" },
] as const;

(process.platform === "linux" ? describe : describe.skip).each([
  { command: checks, sent: signals.slice(0, 1) },
  { command: unitTests, sent: signals.slice(3) },
  { command: engineTests, sent: signals.slice(0, 1) },
  { command: quickstart, sent: signals.slice(1, 2) },
  { command: bench, sent: signals.slice(3) },
  { command: simulation, sent: signals.slice(2, 3) },
])("$command.name", ({ command, sent }) => {
  it.each(sent)("ends with all its processes after $signal to $to", async ({ signal, to }) => {
    const run = new Run(command.args());
    try {
      await run.until(command.busy);
      expect(run.processes().length).toBeGreaterThan(2);
      const signalled = Date.now();
      process.kill(to === "npm" ? run.pid : -run.pid, signal);
      await Promise.race([run.ended, sleep(limitMs)]);
      const alive = run.processes();
      const tookMs = Date.now() - signalled;
      expect({ alive, output: run.output }).toEqual({
        alive: [],
        output: expect.stringMatching(command.says) as string,
      });
      expect(run.output).toContain(`${signal}: `);
      expect(tookMs).toBeLessThan(limitMs);
      const left = readdirSync(run.temporary).filter((name) => name !== "node-compile-cache"); // npm's
      const named = /Temporary files remain in (.+): the next run removes them\./.exec(run.output)?.[1];
      expect(left).toEqual(named === undefined ? [] : [basename(named)]);
    } finally {
      for (const { pid } of run.processes()) process.kill(pid, "SIGKILL");
    }
  });
});

/** A command in a process group of its own, with a folder of its own for temporary files. */
class Run {
  output = "";
  readonly pid: number;
  readonly ended: Promise<void>;
  /** Every process of the run has this folder in its environment: all of them inherit TMPDIR. */
  readonly temporary = mkdtempSync(join(engineSetup().folder, "tmp-"));

  constructor(args: string[]) {
    // The counts of .ci/run are those of its own runs.
    const env = { ...process.env, TMPDIR: this.temporary, TUNNEL_GATEWAY_TEST_COUNTS: "" };
    const child = spawn("npm", args, { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    this.pid = child.pid!;
    this.ended = new Promise((resolve) => child.on("close", () => resolve()));
  }

  processes(): ProcessInfo[] {
    return processesWith(this.temporary);
  }

  /** Waits for a process with this command line, and for what it starts. */
  async until(busy: RegExp): Promise<void> {
    let over = false;
    void this.ended.then(() => (over = true));
    while (!this.processes().some(({ command }) => busy.test(command))) {
      if (over) throw new Error(`it ended before the signal:\n${this.output}`);
      await sleep(50);
    }
    await sleep(500);
  }
}
