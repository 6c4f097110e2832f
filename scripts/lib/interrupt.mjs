import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { killRun, runVariable } from "./descendants.mjs";

/** How long the end of an interrupted run may remove temporary files, in milliseconds. */
const removalLimitMs = 2000;

/** The folder for a run's temporary files; the process id of the run follows. */
const folderName = "tunnel-gateway-run-";

let leftOut;

/** Sets what a signal reports: a function that says what was interrupted and what was left out. */
export function whenInterrupted(describe) {
  leftOut = describe;
}

/**
 * Makes SIGINT and SIGTERM end this process and every process that it started. The run gets a folder for temporary
 * files, which is removed with it. Returns a function that ends all this, for a process that hands its task over.
 */
export function interruptible(task) {
  const id = randomUUID();
  const before = { TMPDIR: process.env.TMPDIR, [runVariable]: process.env[runVariable] };
  removeRemains();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${folderName}${process.pid}-`)));
  process.env.TMPDIR = folder;
  process.env[runVariable] = [before[runVariable], id].filter(Boolean).join(" ");
  leftOut = () => `npm run ${task} was interrupted.`;

  let signalled = false;
  const end = (signal) => {
    if (signalled) return; // npm repeats the signal that a terminal sends to the whole process group
    signalled = true;
    console.error(`\n${signal}: ${leftOut()}`);
    const alive = killRun(id);
    if (process.stdin.isTTY) spawnSync("stty", ["sane"], { stdio: "inherit" }); // Pulumi may have changed it
    if (alive.length > 0) console.error(`These processes did not end: ${alive.join(", ")}.`);
    process.nextTick(() => process.exit(128 + constants.signals[signal])); // after the signal's other listeners
  };
  const remove = () => {
    if (!signalled) return rmSync(folder, { recursive: true, force: true });
    const script = "fs.rmSync(process.argv[1], { recursive: true, force: true })";
    const { status } = spawnSync(process.execPath, ["-e", script, folder], { timeout: removalLimitMs });
    if (status !== 0) console.error(`Temporary files remain in ${folder}: the next run removes them.`);
  };
  process.on("SIGINT", end).on("SIGTERM", end).on("exit", remove);
  return () => {
    process.off("SIGINT", end).off("SIGTERM", end).off("exit", remove);
    remove();
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** Removes the temporary files of interrupted runs. */
function removeRemains() {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(folderName))) {
    if (isRunning(Number.parseInt(name.slice(folderName.length), 10))) continue;
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM"; // another user's
  }
}
