/** Runs a worker for each account: so many at once, ring after ring. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rings } from "./accounts.mts";
import type { Account } from "./accounts.mts";
import { recovery } from "./checks.mts";
import { atOnce, isAlive } from "./processes.mts";
import type { Report, Task } from "./worker.mts";

export const commands = ["up", "preview", "destroy", "drift"] as const;
export type Command = (typeof commands)[number];

/** Whether the command changes accounts and states. */
export function changesAccounts(command: Command): boolean {
  return command === "up" || command === "destroy";
}

/** An account with what its worker needs. */
export interface Job {
  readonly account: Account;
  /** Its key; undefined for one that is a secret of its stack. */
  readonly apiKey: string | undefined;
  /** Whether its stack exists. */
  readonly exists: boolean;
  /** Whether the stack was deployed with this key before. */
  readonly knowsKey: boolean;
  /** Whether an earlier run has done exactly this. */
  readonly isDone: boolean;
}

export interface Result {
  readonly account: string;
  readonly ring: string;
  readonly outcome: "done" | "done before" | "differs" | "failed" | "interrupted" | "not started";
  readonly changes?: Report["changes"];
  readonly seconds?: number;
  /** The file with the output of Pulumi. */
  readonly log?: string;
  /** What to do next. */
  readonly advice?: string;
}

export interface RunnerOptions {
  readonly command: Command;
  readonly folder: string;
  /** The file of an approval that deployments are compared with. */
  readonly approval: string | undefined;
  /** How many stacks are worked on at once. */
  readonly parallel: number;
  /** The number of failures after which no more stacks start. */
  readonly stopAfter: number;
  readonly onStart: (job: Job, worker: number) => void;
  readonly onEnd: (job: Job, worker: number, isDone: boolean) => void;
  readonly onResult: (result: Result) => void;
}

/** Pulumi finishes its requests after an interrupt; one that takes longer is left alone. */
const mostSecondsAfterKill = 120;

export class Runner {
  private readonly workers = new Set<ChildProcess>();
  private isInterrupted = false;

  private readonly options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.options = options;
  }

  /** Ends all workers. The first call lets Pulumi write its state and release its locks, the second one ends it at once. */
  interrupt(): void {
    for (const worker of this.workers) {
      // A worker has a process group of its own: ctrl-C in a terminal reaches the runner alone, and Pulumi gets one signal.
      if (this.isInterrupted) interruptGroup(worker.pid!);
      else worker.kill("SIGINT");
    }
    this.isInterrupted = true;
  }

  /** The results in the order of the jobs. A ring is begun when all accounts of the rings before are done. */
  async run(jobs: readonly Job[]): Promise<Result[]> {
    const { command, parallel, stopAfter, onResult } = this.options;
    const results = new Map<Job, Result>();
    let failures = 0;
    const stops = () => this.isInterrupted || failures >= stopAfter;
    // What changes nothing has nothing to wait for.
    const waves = changesAccounts(command) ? rings.map((ring) => [ring]) : [[...rings]];
    for (const wave of waves) {
      if (failures > 0 || stops()) break;
      const members = jobs.filter(({ account }) => wave.includes(account.ring));
      await atOnce(members, parallel, async (job) => {
        if (stops()) return;
        const result = await this.work(job);
        if (result.outcome === "failed") failures += 1;
        results.set(job, result);
        onResult(result);
      });
    }
    return jobs.map((job) => results.get(job) ?? { ...nameOf(job), outcome: "not started" });
  }

  private async work(job: Job): Promise<Result> {
    if (job.isDone) return { ...nameOf(job), outcome: "done before" };
    const { onStart, onEnd } = this.options;
    const start = performance.now();
    const log = join(".fleet/logs", `${job.account.name}.log`);
    const worker = this.start(job, log);
    onStart(job, worker.pid!);
    this.workers.add(worker);
    let report: Report = {};
    worker.on("message", (message) => (report = message as Report));
    const { code, signal } = await endOf(worker);
    if (signal !== null) report = { ...report, advice: await this.afterKill(job, worker.pid!, signal) };
    this.workers.delete(worker);
    const isDone = code === 0 && report.changes !== undefined;
    onEnd(job, worker.pid!, isDone);
    const well = report.differs ? "differs" : "done";
    return {
      ...nameOf(job),
      outcome: isDone ? well : this.isInterrupted ? "interrupted" : "failed",
      changes: report.changes,
      seconds: Math.round((performance.now() - start) / 100) / 10,
      log,
      advice: report.advice,
    };
  }

  private start(job: Job, log: string): ChildProcess {
    const { command, folder, approval } = this.options;
    const { exists, knowsKey } = job;
    const task: Task = { command, stack: job.account.name, exists, knowsKey, approval };
    // The worker writes the file itself: it must be able to continue when the runner has ended.
    const output = openSync(join(folder, log), "w");
    const worker = fork(join(import.meta.dirname, "worker.mts"), [JSON.stringify(task)], {
      cwd: folder,
      env: environmentOf(job.apiKey),
      detached: true,
      stdio: ["ignore", output, output, "ipc"],
    });
    closeSync(output);
    return worker;
  }

  /** Ends what the worker has started, and says what to do. */
  private async afterKill(
    { account }: Job,
    pid: number,
    signal: NodeJS.Signals,
  ): Promise<string | undefined> {
    interruptGroup(pid);
    for (let left = mostSecondsAfterKill * 5; isAlive(-pid) && left > 0; left--) await sleep(200);
    const killed = `The worker of ${account.name} was killed by ${signal}.`;
    if (!changesAccounts(this.options.command)) return killed;
    return `${killed} Its stack may be locked, and objects may exist that it does not know.\n${recovery(account.name)}`;
  }
}

/** The end of a log, which says why a stack failed. */
export function endOfLog(folder: string, log: string): string {
  const lines = readFileSync(join(folder, log), "utf8").trimEnd().split("\n");
  return lines.slice(-30).join("\n");
}

/** The environment of the runner, with one key: that of the account. */
export function environmentOf(apiKey: string | undefined): NodeJS.ProcessEnv {
  return {
    // Types are the same in every account, so one `tsc --noEmit` checks them for all.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    ...process.env,
    ...(apiKey === undefined ? {} : { TUNNEL_GATEWAY_API_KEY: apiKey }),
  };
}

function endOf(worker: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    worker.on("error", reject);
    worker.on("close", (code, signal) => resolve({ code, signal }));
  });
}

function interruptGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGINT");
  } catch {
    // It has ended meanwhile.
  }
}

function nameOf({ account }: Job): Pick<Result, "account" | "ring"> {
  return { account: account.name, ring: account.ring };
}
