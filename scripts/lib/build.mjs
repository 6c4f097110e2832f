import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
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
  let isComplete = false;
  try {
    const code = await run("tsc", ["-p", "tsconfig.build.json", ...options], { cwd: root });
    if (code !== 0) return code;
    const { buildNativeProvider } = await import("./native-provider.mjs"); // its packages may not be installed yet
    await buildNativeProvider();
    isComplete = true;
    return 0;
  } finally {
    if (!isComplete) rmSync(dist, { recursive: true, force: true }); // an incomplete build must not look complete
  }
}

/** Builds if dist/ is missing or older than a source. */
export async function ensureBuilt() {
  const src = join(root, "src");
  const sources = [
    src,
    // the time of a folder is that of its last new or deleted file
    ...readdirSync(src, { recursive: true }).map((name) => join(src, name)),
    ...["tsconfig.build.json", "package.json", "package-lock.json", "scripts/lib/native-provider.mjs"].map(
      (name) => join(root, name),
    ),
  ];
  // build() creates the folder, so its time is that of the build
  const built = existsSync(join(dist, "index.js")) ? statSync(dist).mtimeMs : 0;
  if (sources.every((file) => statSync(file).mtimeMs <= built)) return;
  if ((await build()) !== 0) throw new Error("The build failed: see the compiler's messages above.");
}
