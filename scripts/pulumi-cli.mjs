#!/usr/bin/env node
// Finds, downloads or builds a Pulumi CLI. As a command it prints the CLI's version, path and origin (--json: for
// programs).
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { downloadRelease } from "./lib/cli-download.mjs";
import { buildWithGo } from "./lib/go-build.mjs";
import { exe, root } from "./lib/paths.mjs";
import { capture, withPath } from "./lib/process.mjs";
import { atLeast, cliVersion } from "./lib/versions.mjs";

const dynamicProvider = "pulumi-resource-pulumi-nodejs"; // the engine's plugin for dynamic resources: a shell script
const languageHost = "pulumi-language-nodejs";

/**
 * Ensures a Pulumi CLI with its Node.js language host: one on PATH, else the copy of the npm launcher (`npx pulumi`),
 * else the official release, whose SHA-256 sum is checked, else a build with Go; both in the launcher's place.
 *
 * Returns the CLI's file, its version, where it comes from, and the environment to start it with.
 */
export async function ensurePulumi(wanted = cliVersion()) {
  const copy = join(launcherHome(), wanted);
  const found =
    (await onPath(wanted)) ??
    (await inFolder(join(copy, "bin"), wanted, "launcher's copy")) ??
    (await fill(copy, wanted, "download", downloadRelease)) ??
    (await fill(copy, wanted, "Go build", buildWithGo));
  return { ...found, env: engineEnv(found.bin) };
}

/** The CLI's version, path and origin. */
export const describe = ({ bin, version, origin }) => `Pulumi CLI ${version}: ${bin} (${origin})`;

/**
 * An installed CLI is accepted from the version on that this package is tested with: an older engine can print
 * different previews and errors, and another major version can use another protocol.
 */
async function onPath(wanted) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const file = join(folder, `pulumi${exe}`);
    // a .js file is the npm launcher, which would start a download of its own
    if (!folder || !existsSync(file) || realpathSync(file).endsWith(".js")) continue;
    const version = await versionOf(file);
    if (version && atLeast(version, wanted) && has(file, languageHost))
      return { bin: file, version, origin: "PATH" };
  }
  return undefined;
}

async function inFolder(folder, wanted, origin) {
  const bin = join(folder, `pulumi${exe}`);
  if (!existsSync(bin) || !has(bin, languageHost) || (await versionOf(bin)) !== wanted) return undefined;
  return { bin, version: wanted, origin };
}

/**
 * Lets `make` put bin/pulumi and its plugins into an empty folder and moves the folder into place in one step: an
 * interrupted run leaves nothing incomplete, and of two concurrent runs the second uses the result of the first.
 */
async function fill(copy, wanted, origin, make) {
  mkdirSync(dirname(copy), { recursive: true });
  const work = mkdtempSync(join(dirname(copy), ".making-"));
  // A killed compiler may still be writing a file while the folder is removed.
  const clean = () => rmSync(work, { recursive: true, force: true, maxRetries: 10 });
  // What `capture` started is killed at the same event, and first.
  process.on("exit", clean);
  const stop = (signal) => process.exit(signal === "SIGINT" ? 130 : 143);
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    const made = await make(work, wanted);
    if (!made) return undefined;
    if (!(await inFolder(join(made, "bin"), wanted, origin))) {
      throw new Error(
        `The ${origin} did not produce a working Pulumi CLI ${wanted}: \`${join(made, "bin/pulumi")} version\` differs.`,
      );
    }
    await moveIntoPlace(made, copy, wanted, work);
    return await inFolder(join(copy, "bin"), wanted, origin);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop).off("exit", clean);
    clean();
  }
}

async function moveIntoPlace(made, copy, wanted, work) {
  if (existsSync(copy)) {
    if (await inFolder(join(copy, "bin"), wanted, "")) return; // another run was faster
    renameSync(copy, join(work, "broken"));
  }
  try {
    renameSync(made, copy);
  } catch (error) {
    if (!(await inFolder(join(copy, "bin"), wanted, ""))) throw error;
  }
}

/** The environment of the engine: its plugins on PATH if they are not beside the CLI, and no update check. */
function engineEnv(bin) {
  const folders = [dirname(bin)];
  // an installed CLI can lack the script; every @pulumi/pulumi has the same one, which finds the program's SDK
  if (!has(bin, dynamicProvider)) folders.push(join(root, "node_modules/@pulumi/pulumi"));
  return { ...withPath(folders), PULUMI_SKIP_UPDATE_CHECK: "1" };
}

/** The engine looks for its plugins beside the CLI's real file and on PATH. */
function has(bin, plugin) {
  const folders = [dirname(realpathSync(bin)), dirname(bin), ...(process.env.PATH ?? "").split(delimiter)];
  return folders.some(
    (folder) => folder && readdir(folder).some((name) => name.replace(/\.\w+$/, "") === plugin),
  );
}

function readdir(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function versionOf(bin) {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" };
  const { code, stdout } = await capture(bin, ["version"], { env, timeoutMs: 60_000 });
  return code === 0 ? stdout.trim().replace(/^v/, "") : undefined;
}

function launcherHome() {
  return join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions");
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { env, ...found } = await ensurePulumi();
    console.log(
      process.argv.includes("--json") ? JSON.stringify({ ...found, path: env.PATH }) : describe(found),
    );
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
