import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../support/engine";

/**
 * Kills the CLI at a moment when the stack's file is whole, and whatever `first` kills before it. The file backend
 * writes it in place, so a kill in the middle of a write leaves a torn file, which is for Pulumi's own backup to heal.
 * Linux only.
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
    return true;
  } catch {
    return false;
  }
}
