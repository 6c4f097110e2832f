/** Runs a worker for each account: so many at once, ring after ring. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rings } from "./accounts.mts";
import type { Account } from "./accounts.mts";
import type { Report } from "./worker.mts";

export type Command = "up" | "preview" | "destroy";

/** An account with what its worker needs. */
export interface Job {
  readonly account: Account;
  /** Its key; undefined for one that is a secret of its stack. */
  readonly apiKey: string | undefined;
  /** Whether its stack exists. */
  readonly exists: boolean;
  /** Whether an earlier run has done exactly this. */
  readonly isDone: boolean;
}

export interface Result {
  readonly account: string;
  readonly ring: string;
  readonly outcome: "done" | "done before" | "failed" | "interrupted" | "not started";
  readonly changes?: Report["changes"];
  readonly seconds?: number;
  /** The file with the output of Pulumi. */
  readonly log?: string;
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
  readonly onDone: (job: Job) => void;
  readonly onResult: (result: Result) => void;
}

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
      // A worker has a process group of its own: ctrl-C in a terminal reaches the runner alone, and Pulumi is told once.
      if (this.isInterrupted) signalGroup(worker.pid!);
      else worker.kill("SIGINT");
    }
    this.isInterrupted = true;
  }

  /** The results in the order of the jobs. A ring is begun when all accounts of the rings before are done. */
  async run(jobs: readonly Job[]): Promise<Result[]> {
    const results = new Map<Job, Result>();
    let failures = 0;
    const stops = () => this.isInterrupted || failures >= this.options.stopAfter;
    // A preview changes nothing, so there is nothing to wait for.
    const waves = this.options.command === "preview" ? [[...rings]] : rings.map((ring) => [ring]);
    for (const wave of waves) {
      if (failures > 0 || stops()) break;
      const waiting = jobs.filter(({ account }) => wave.includes(account.ring));
      const lane = async (): Promise<void> => {
        for (let job = waiting.shift(); job !== undefined && !stops(); job = waiting.shift()) {
          const result = await this.work(job);
          if (result.outcome === "failed") failures += 1;
          results.set(job, result);
          this.options.onResult(result);
        }
      };
      await Promise.all(Array.from({ length: this.options.parallel }, lane));
    }
    return jobs.map((job) => results.get(job) ?? { ...nameOf(job), outcome: "not started" });
  }

  private async work(job: Job): Promise<Result> {
    if (job.isDone) return { ...nameOf(job), outcome: "done before" };
    const { command, approval, folder, onDone } = this.options;
    const start = performance.now();
    const log = join(".fleet/logs", `${job.account.name}.log`);
    // The worker writes the file itself: it must be able to go on when the runner has ended.
    const output = openSync(join(folder, log), "w");
    const args = [
      command,
      job.account.name,
      job.exists ? "exists" : "new",
      ...(approval ? [resolve(approval)] : []),
    ];
    const worker = fork(join(import.meta.dirname, "worker.mts"), args, {
      cwd: folder,
      env: environmentOf(job),
      detached: true,
      stdio: ["ignore", output, output, "ipc"],
    });
    closeSync(output);
    this.workers.add(worker);
    let report: Report | undefined;
    worker.on("message", (message) => (report = message as Report));
    const code = await new Promise<number | null>((resolve, reject) => {
      worker.on("error", reject);
      worker.on("close", resolve);
    });
    this.workers.delete(worker);
    const isDone = code === 0 && report !== undefined;
    if (isDone) onDone(job);
    return {
      ...nameOf(job),
      outcome: isDone ? "done" : this.isInterrupted ? "interrupted" : "failed",
      changes: report?.changes,
      seconds: Math.round((performance.now() - start) / 100) / 10,
      log,
    };
  }
}

/** The end of a log, which says why a stack failed. */
export function endOf(folder: string, log: string): string {
  const lines = readFileSync(join(folder, log), "utf8").trimEnd().split("\n");
  return lines.slice(-30).join("\n");
}

/** The environment of the runner, with one key: that of the account. */
function environmentOf({ apiKey }: Job): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("TUNNEL_GATEWAY_API_KEY"));
  return {
    // Types are the same in every account, so one `tsc --noEmit` checks them for all.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    ...Object.fromEntries(others),
    ...(apiKey === undefined ? {} : { TUNNEL_GATEWAY_API_KEY: apiKey }),
  };
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGINT");
  } catch {
    // it has ended meanwhile
  }
}

function nameOf({ account }: Job): Pick<Result, "account" | "ring"> {
  return { account: account.name, ring: account.ring };
}
