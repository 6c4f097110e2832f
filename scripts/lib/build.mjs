import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

const dist = join(root, "dist");

/** Compiles src/ anew, with more options of the compiler where wanted: what a deleted source file left behind must not get into the package. */
export async function build(...options) {
  rmSync(dist, { recursive: true, force: true });
  const code = await run("tsc", ["-p", "tsconfig.build.json", ...options], { cwd: root });
  if (code !== 0) rmSync(dist, { recursive: true, force: true }); // half a build must not pass for one
  return code;
}

/** Builds where dist/ is missing or older than a source file. */
export async function ensureBuilt() {
  const sources = [
    ...filesIn(join(root, "src")),
    join(root, "tsconfig.build.json"),
    join(root, "package.json"),
  ];
  // build() makes the folder itself anew, so its time is the build's
  const built = existsSync(join(dist, "index.js")) ? statSync(dist).mtimeMs : 0;
  if (sources.every((file) => statSync(file).mtimeMs <= built)) return;
  if ((await build()) !== 0) throw new Error("The build failed: see the compiler's messages above.");
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
