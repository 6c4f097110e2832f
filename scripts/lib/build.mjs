import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

const dist = join(root, "dist");

const inferred = join(dist, "inferred");

/**
 * Writes the code of src/ without its comments: editors show those of the declarations, and programs, which load the code at each
 * start, would only read over them. Each file is translated alone, which needs no types.
 */
async function writeCode(ts) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const compilerOptions = { ...options, declaration: false, removeComments: true };
  for (const fileName of fileNames) {
    const { outputText } = ts.transpileModule(readFileSync(fileName, "utf8"), { fileName, compilerOptions });
    const output = join(dist, relative(options.rootDir, fileName).replace(/\.ts$/, ".js"));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, outputText);
    await turn(); // so that an interrupt is handled
  }
}

/** Compiles src/ into an empty dist/, so that the package contains no output of a deleted source file. */
export async function build() {
  rmSync(dist, { recursive: true, force: true });
  let isComplete = false;
  try {
    const declarations = ["--emitDeclarationOnly", "--outDir", inferred];
    const compiling = run("tsc", ["-p", "tsconfig.build.json", ...declarations], { cwd: root });
    await writeCode((await import("typescript")).default); // it may not be installed yet
    const code = await compiling;
    if (code !== 0) return code;
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
    ...["declarations.mjs", "docs/facts.mjs", "docs/prose.mjs", "native-provider.mjs"].map((name) =>
      join(root, "scripts/lib", name),
    ),
  ];
  // build() creates the folder, so its time is that of the build
  const built = existsSync(join(dist, "index.js")) ? statSync(dist).mtimeMs : 0;
  if (sources.every((file) => statSync(file).mtimeMs <= built)) return;
  if ((await build()) !== 0) throw new Error("The build failed: see the compiler's messages above.");
}
