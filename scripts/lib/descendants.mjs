import { spawnSync } from "node:child_process";
import { ofProcess, processIds } from "./proc.mjs";

/** How long killed processes may take to disappear, in milliseconds. */
const limitMs = 1500;

/** Holds the ids of the runs that a process belongs to: a test can start another run. */
export const runVariable = "TUNNEL_GATEWAY_RUN";

/**
 * Kills every process that this process started, directly or not: those below it, and on Linux also those that lost
 * their parents but have the id of the run in their environment. Returns the ids of processes that are still there.
 */
export function killRun(id) {
  for (const end = Date.now() + limitMs; ; sleep(20)) {
    const pids = processesOf(id);
    if (pids.length === 0 || Date.now() > end) return pids;
    for (const pid of pids) kill(pid);
  }
}

function processesOf(id) {
  const all = process.platform === "linux" ? linuxProcesses(id) : otherProcesses();
  const found = new Set([process.pid, ...all.filter(({ marked }) => marked).map(({ pid }) => pid)]);
  for (let size = 0; size < found.size;) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  found.delete(process.pid);
  return [...found];
}

function linuxProcesses(id) {
  return processIds().flatMap((pid) => {
    // "<pid> (<name>) <state> <parent> …"; the name can contain any characters
    const [state, parent] = ofProcess(pid, "stat")
      .replace(/^.*\) /s, "")
      .split(" ");
    if (parent === undefined || state === "Z") return [];
    const marked = ofProcess(pid, "environ")
      .split("\0")
      .some((each) => each.startsWith(`${runVariable}=`) && each.includes(id));
    return [{ pid, parent: Number(parent), marked }];
  });
}

function otherProcesses() {
  const { pid: own, stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" });
  return (stdout ?? "")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => state !== undefined && !state.startsWith("Z"))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent), marked: false }))
    .filter(({ pid }) => pid !== own);
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended already
  }
}

function sleep(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
