import { ofProcess, processIds } from "../proc.mjs";

const everyMs = 250;

/** The plugins of both doors. */
const isPlugin = /dynamic-provider\/index\.js|pulumi-tunnel-gateway\/dist\/native\//;

/**
 * Watches the plugin of the project's engine while a command runs. Linux records the peak of a process, so samples
 * miss only the memory that the plugin takes after the last one.
 */
export function watchPlugin(dir) {
  let pid;
  return watch(everyMs, () => {
    pid ??= pluginOf(dir);
    return pid === undefined ? undefined : bytesOf(pid, "status", "VmHWM");
  });
}

/** Takes samples in bytes; other systems than Linux measure nothing. */
function watch(intervalMs, sample) {
  let peak;
  const take = () => {
    const bytes = sample();
    if (bytes !== undefined) peak = Math.max(peak ?? 0, bytes);
  };
  const timer = process.platform === "linux" ? setInterval(take, intervalMs) : undefined;
  return {
    /** The peak in bytes, undefined if there was no sample. */
    end() {
      clearInterval(timer);
      return peak;
    },
  };
}

function pluginOf(dir) {
  // It runs in the program's folder. The script that starts that of dynamic resources names it too, as a module.
  return processIds().find(
    (pid) => isPlugin.test(ofProcess(pid, "cmdline")) && ofProcess(pid, "environ").includes(dir),
  );
}

function bytesOf(pid, file, name) {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(ofProcess(pid, file))?.[1];
  return kilobytes === undefined ? 0 : Number(kilobytes) * 1024;
}
