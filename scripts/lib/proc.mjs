// What Linux says of processes in /proc.
import { readFileSync, readdirSync } from "node:fs";

/** The ids of all processes. */
export function processIds() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** A file of a process, such as "environ". Empty for a process that has ended or belongs to another user. */
export function ofProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
