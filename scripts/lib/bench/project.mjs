import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../paths.mjs";

/** A temporary folder for the whole run, removed at the end of the process. */
export function benchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The command of the package in a project. */
export const commandIn = (dir) => join(dir, "node_modules/pulumi-tunnel-gateway/dist/cli/index.js");

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
