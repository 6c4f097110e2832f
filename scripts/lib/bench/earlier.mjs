import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.mjs";
import { run } from "../process.mjs";

/** A folder with the repository as it was at a commit, built with the dependencies that it had. */
export async function earlierSources(folder, commit) {
  const known = spawnSync("git", ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`], { cwd: root });
  if (known.status !== 0)
    throw new Error(
      `This repository has no commit "${commit}": pass --against a hash, a tag or a branch of it.`,
    );
  const sources = mkdtempSync(join(folder, "sources-"));
  const archive = execFileSync("git", ["archive", "--format=tar", commit], { cwd: root, maxBuffer: 1e9 });
  execFileSync("tar", ["-x", "-C", sources], { input: archive });
  const installed = await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: sources });
  if (installed !== 0)
    throw new Error(`The packages of ${commit} cannot be installed: see the messages above.`);
  // Its types were checked then, and a dependency of then may be gone.
  const code = await run("tsc", ["-p", "tsconfig.build.json", "--noCheck"], { cwd: sources });
  if (code !== 0) throw new Error(`The package at ${commit} does not compile: see the messages above.`);
  return sources;
}
