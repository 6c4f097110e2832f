import { readFileSync, readdirSync } from "node:fs";

const everyMs = 250;

/**
 * Watches the plugin of the project's engine while a command runs. Linux records the peak of a process, so samples
 * miss only the memory that the plugin takes after the last one. Other systems measure nothing.
 */
export function watchPlugin(dir) {
  let pid;
  let peak;
  const sample = () => {
    pid ??= pluginOf(dir);
    if (pid !== undefined) peak = Math.max(peak ?? 0, peakOf(pid));
  };
  const timer = process.platform === "linux" ? setInterval(sample, everyMs) : undefined;
  return {
    /** The peak in bytes, undefined if there was no sample. */
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** Watches all processes whose environment holds a text. The peak is that of their sum, in bytes; shared pages count once. */
export function watchFleet(text) {
  const own = new Map();
  let peak;
  const sample = () => {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    for (const pid of pids) if (!own.has(pid)) own.set(pid, read(`/proc/${pid}/environ`).includes(text));
    const memory = pids.filter((pid) => own.get(pid)).map(proportionalOf);
    peak = Math.max(
      peak ?? 0,
      memory.reduce((total, bytes) => total + bytes, 0),
    );
  };
  const timer = process.platform === "linux" ? setInterval(sample, 2 * everyMs) : undefined;
  return {
    /** The peak in bytes, undefined if there was no sample. */
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** The memory of a process, with its share of the pages that others have too. */
function proportionalOf(pid) {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return kilobytes === undefined ? 0 : Number(kilobytes) * 1024;
}

function pluginOf(dir) {
  return readdirSync("/proc").find((name) => {
    if (!/^\d+$/.test(name)) return false;
    // The dynamic provider of Pulumi's SDK runs in the program's folder. The script that starts it names it too, as a module.
    return (
      read(`/proc/${name}/cmdline`).includes("dynamic-provider/index.js") &&
      read(`/proc/${name}/environ`).includes(dir)
    );
  });
}

function peakOf(pid) {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? 0 : Number(kilobytes) * 1024;
}

/** Empty for a process that has ended or belongs to another user. */
function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
