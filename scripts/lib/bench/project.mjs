import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.mjs";
import { run } from "../process.mjs";

/**
 * A project in which the package is installed: the files that npm packs of the build in `from`, beside the dependencies of
 * that repository. The caller writes the main file.
 */
export function makeProject(folder, name, from = root) {
  const dir = join(folder, name);
  const modules = join(dir, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const entry of readdirSync(join(from, "node_modules"))) {
    if (!entry.startsWith(".") && entry !== "pulumi-tunnel-gateway")
      symlinkSync(join(from, "node_modules", entry), join(modules, entry), "junction");
  }
  const own = join(modules, "pulumi-tunnel-gateway");
  cpSync(join(from, "dist"), join(own, "dist"), { recursive: true });
  cpSync(join(from, "package.json"), join(own, "package.json"));
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name, main: "index.js" }));
  const native = "node_modules/pulumi-tunnel-gateway/dist/native";
  const plugins = { providers: [{ name: "tunnel-gateway", path: native }] };
  // A build of an earlier commit may have no native provider.
  const project = { name, runtime: "nodejs", ...(existsSync(join(dir, native)) && { plugins }) };
  writeFileSync(join(dir, "Pulumi.yaml"), JSON.stringify(project)); // JSON is YAML
  return dir;
}

/** A folder with the repository as it was at a commit, built with the dependencies that it had. */
export async function earlierSources(folder, commit) {
  const sources = mkdtempSync(join(folder, "sources-"));
  const git = (...args) => execFileSync("git", args, { cwd: root, maxBuffer: 1e9, stdio: "pipe" });
  let archive;
  try {
    archive = git("archive", "--format=tar", `${commit}^{commit}`);
  } catch {
    throw new Error(
      `This repository has no commit "${commit}": pass --against a hash, a tag or a branch of it.`,
    );
  }
  execFileSync("tar", ["-x", "-C", sources], { input: archive });
  const step = async (problem, command, ...args) => {
    if ((await run(command, args, { cwd: sources })) !== 0)
      throw new Error(`${problem}: see the messages above.`);
  };
  const npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await step(`The packages of ${commit} cannot be installed`, ...npm);
  // Its types were checked then, and a dependency of then may be gone.
  await step(`The package at ${commit} does not compile`, "tsc", "-p", "tsconfig.build.json", "--noCheck");
  return sources;
}
