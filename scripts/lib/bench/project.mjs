import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../paths.mjs";

/** A temporary folder for the whole run, removed at the end of the process. */
export function benchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A project in which the package is installed: the files that npm packs of the build in `from`, beside this repository's
 * own dependencies. The caller writes the main file.
 */
export function makeProject(folder, name, from = root) {
  const dir = join(folder, name);
  const modules = join(dir, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const entry of readdirSync(join(root, "node_modules"))) {
    if (!entry.startsWith(".") && entry !== "pulumi-tunnel-gateway")
      symlinkSync(join(root, "node_modules", entry), join(modules, entry), "junction");
  }
  const own = join(modules, "pulumi-tunnel-gateway");
  cpSync(join(from, "dist"), join(own, "dist"), { recursive: true });
  cpSync(join(from, "package.json"), join(own, "package.json"));
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name, main: "index.js" }));
  writeFileSync(join(dir, "Pulumi.yaml"), JSON.stringify({ name, runtime: "nodejs" })); // JSON is YAML
  return dir;
}
