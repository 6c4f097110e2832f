import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

const dist = join(root, "dist");

/**
 * Compiles src/ into an empty dist/, so that the package contains no output of a deleted source file. `options` are
 * more options of the compiler.
 */
export async function build(...options) {
  rmSync(dist, { recursive: true, force: true });
  const code = await run("tsc", ["-p", "tsconfig.build.json", ...options], { cwd: root });
  if (code === 0) completeNativeProvider();
  else rmSync(dist, { recursive: true, force: true }); // an incomplete build must not look complete
  return code;
}

/** Adds the schema of the native provider, as the engine gets it, and the executable by the name that the engine looks for. */
function completeNativeProvider() {
  const name = "native/schema.json";
  const schema = JSON.parse(readFileSync(join(root, "src", name), "utf8"));
  writeFileSync(join(dist, name), JSON.stringify(schema));
  const executable = join(dist, "native/pulumi-resource-tunnel-gateway");
  writeFileSync(executable, '#!/usr/bin/env node\nrequire("./index.js");\n', { mode: 0o755 });
}

/** Builds if dist/ is missing or older than a source. */
export async function ensureBuilt() {
  const src = join(root, "src");
  const sources = [
    src,
    // the time of a folder is that of its last new or deleted file
    ...readdirSync(src, { recursive: true }).map((name) => join(src, name)),
    join(root, "tsconfig.build.json"),
    join(root, "package.json"),
  ];
  // build() creates the folder, so its time is that of the build
  const built = existsSync(join(dist, "index.js")) ? statSync(dist).mtimeMs : 0;
  if (sources.every((file) => statSync(file).mtimeMs <= built)) return;
  if ((await build()) !== 0) throw new Error("The build failed: see the compiler's messages above.");
}
