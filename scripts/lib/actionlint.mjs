import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { go, hasGo } from "./go.mjs";
import { exe, root } from "./paths.mjs";
import { capture } from "./process.mjs";
import { progress } from "./progress.mjs";
import { actionlintVersion, atLeast, goVersion } from "./versions.mjs";

/** Ensures actionlint, which checks GitHub workflows: one on PATH, else an earlier build, else a build with Go. */
export async function ensureActionlint() {
  const wanted = actionlintVersion();
  const installed = await versionOf("actionlint");
  if (installed !== undefined && atLeast(installed, wanted)) return `actionlint${exe}`;
  const folder = join(root, "node_modules/.cache/actionlint", wanted);
  const file = join(folder, `actionlint${exe}`);
  if (existsSync(file)) return file;
  if (!(await hasGo()))
    throw new Error(
      `There is no Go to build actionlint with: install Go ${goVersion("actionlint")} or later, or actionlint ${wanted} ` +
        "or later, and run the command again.",
    );
  const line = progress(`Building actionlint ${wanted} with Go, once`);
  mkdirSync(folder, { recursive: true });
  const made = `${file}.${process.pid}`;
  const command = "github.com/rhysd/actionlint/cmd/actionlint";
  try {
    await go(["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-o", made, command], {
      cwd: join(root, "tools/actionlint"),
    });
    renameSync(made, file); // of two concurrent runs the second replaces an equal file
    line.end("done");
    return file;
  } catch (error) {
    line.end("failed");
    throw error;
  }
}

async function versionOf(command) {
  const { code, stdout } = await capture(command, ["-version"], { timeoutMs: 60_000 });
  return code === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
}
