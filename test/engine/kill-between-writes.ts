import { existsSync, readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../support/engine";

/**
 * Kills the CLI between two writes of the stack's state, after whatever `first` kills. The file backend replaces the
 * state file in one step, but writes the file of its attributes in place: a kill in the middle of that write leaves a
 * stack that no command can load ("failed to load checkpoint: EOF"). Linux only.
 */
export async function killBetweenWrites(
  stack: Stack,
  pid: number,
  first: () => void = () => undefined,
): Promise<void> {
  for (;;) {
    process.kill(pid, "SIGSTOP");
    while (!isStopped(pid)) await sleep(5);
    if (isWhole(stack)) break;
    process.kill(pid, "SIGCONT");
    await sleep(30);
  }
  first();
  process.kill(pid, "SIGKILL");
}

/** A stop reaches each thread by itself; one that is writing ends that first. */
function isStopped(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    // The name in the second field may hold anything.
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
  });
}

function isWhole(stack: Stack): boolean {
  try {
    JSON.parse(stack.stateText());
    const attributes = `${stack.stateFile}.attrs`;
    if (existsSync(attributes)) JSON.parse(readFileSync(attributes, "utf8"));
    return true;
  } catch {
    return false;
  }
}
