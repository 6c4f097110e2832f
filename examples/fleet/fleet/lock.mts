/** One run at a time: a second one, even a preview, would write the settings of stacks that the first one deploys. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { UserError } from "./errors.mts";
import { isAlive } from "./processes.mts";

export class Lock {
  private readonly file: string;
  /** The workers that run: they can outlive a runner that was killed. */
  private readonly workers = new Set<number>();

  /** Throws where another run holds the lock. A run that has ended with all its workers holds it no more. */
  constructor(file: string) {
    this.file = file;
    const own = `${file}.${process.pid}`;
    writeFileSync(own, this.content());
    try {
      while (!isLinked(own, file)) {
        const holders = pidsIn(file);
        const alive = holders.filter(isAlive);
        if (alive.length > 0) throw new UserError(inUse(file, holders[0]!, alive));
        // Of several runs that find an old lock, one moves it away.
        const old = `${own}.old`;
        if (!isMoved(file, old)) continue;
        const isOld = pidsIn(old).every((pid) => holders.includes(pid));
        // It was the lock of a run that has just begun.
        if (!isOld) isLinked(old, file);
        rmSync(old, { force: true });
      }
    } finally {
      rmSync(own, { force: true });
    }
  }

  add(worker: number): void {
    this.workers.add(worker);
    this.write();
  }

  remove(worker: number): void {
    this.workers.delete(worker);
    this.write();
  }

  release(): void {
    rmSync(this.file, { force: true });
  }

  private write(): void {
    writeFileSync(`${this.file}.new`, this.content());
    renameSync(`${this.file}.new`, this.file);
  }

  private content(): string {
    return [process.pid, ...this.workers].join("\n");
  }
}

function inUse(file: string, runner: number, alive: readonly number[]): string {
  const who = alive.includes(runner)
    ? `another run (process ${runner}) works in this folder`
    : `a run that was killed left ${alive.length === 1 ? "a worker" : "workers"} (process ${alive.join(", ")}), which end by themselves`;
  return `${who}: wait until it has ended. If no such process is a run of this folder, delete ${file}`;
}

/** The process of the runner, then those of its workers. Empty where the file is gone. */
function pidsIn(file: string): number[] {
  try {
    return readFileSync(file, "utf8").split("\n").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Whether the link could be made: not where the file exists. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

function isMoved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return false;
  }
}
