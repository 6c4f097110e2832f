import { readFileSync, readdirSync } from "node:fs";

/** A process as Linux describes it. */
export interface ProcessInfo {
  readonly pid: number;
  /** The command line, its arguments joined by spaces. */
  readonly command: string;
}

/**
 * The processes that the CLI started for a stack, even if the CLI has ended: all of them inherited the address of its
 * backend. Linux only.
 */
export function processesOf({ backend }: { backend: string }): ProcessInfo[] {
  return processesWith(`PULUMI_BACKEND_URL=file://${backend}\0`);
}

/** Kills the processes that the CLI started for a stack; one may end at this moment by itself. Linux only. */
export function killAllOf(stack: { backend: string }): void {
  for (const { pid } of processesOf(stack)) killProcess(pid);
}

/** Whether a process has not ended. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills a process unless it has ended. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
}

/** Whether the error says that the process is not there any more. */
export function isEnded(error: unknown): boolean {
  return ["ESRCH", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** The processes whose environment contains a text. Linux only. */
export function processesWith(text: string): ProcessInfo[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, "environ").includes(text))
    .map((pid) => ({ pid: Number(pid), command: read(pid, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ command }) => command !== "");
}

/** The processor time that a process has used, in seconds; Linux counts in hundredths. */
export function cpuSeconds(pid: number): number {
  // The name in the second field can contain spaces; the times are fields 14 and 15.
  const fields = read(String(pid), "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Empty for a process that has ended or belongs to another user. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
