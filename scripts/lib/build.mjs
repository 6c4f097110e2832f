import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

const dist = join(root, "dist");

const inferred = join(dist, "inferred");

/**
 * The two outputs of the compiler. Editors show the comments of the declarations; programs, which load the code at each
 * start, would only read over them.
 */
const outputs = [
  ["--emitDeclarationOnly", "--outDir", inferred],
  ["--declaration", "false", "--removeComments", "--noCheck"],
];

/**
 * Compiles src/ into an empty dist/, so that the package contains no output of a deleted source file. `options` are
 * more options of the compiler.
 */
export async function build(...options) {
  rmSync(dist, { recursive: true, force: true });
  let isComplete = false;
  try {
    const compile = (output) =>
      run("tsc", ["-p", "tsconfig.build.json", ...output, ...options], { cwd: root });
    const code = (await Promise.all(outputs.map(compile))).find((each) => each !== 0);
    if (code !== undefined) return code;
    const { writeDeclarations } = await import("./declarations.mjs"); // their packages may not be installed yet
    writeDeclarations(inferred, dist);
    rmSync(inferred, { recursive: true });
    const { buildNativeProvider } = await import("./native-provider.mjs");
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
    ...["tsconfig.build.json", "package.json", "package-lock.json"].map((name) => join(root, name)),
    ...["declarations.mjs", "native-provider.mjs"].map((name) => join(root, "scripts/lib", name)),
  ];
  // build() creates the folder, so its time is that of the build
  const built = existsSync(join(dist, "index.js")) ? statSync(dist).mtimeMs : 0;
  if (sources.every((file) => statSync(file).mtimeMs <= built)) return;
  if ((await build()) !== 0) throw new Error("The build failed: see the compiler's messages above.");
}
