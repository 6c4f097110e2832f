/** For child processes: `node -r` this file runs the sources as they are. It keeps what it made of them. */
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { version } = require("typescript/package.json");

const cache = join(__dirname, "../../node_modules/.cache/translated");
mkdirSync(cache, { recursive: true });

function translated(text) {
  const ts = require("typescript");
  const compilerOptions = {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    esModuleInterop: true,
  };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

require.extensions[".ts"] = (module, file) => {
  const text = readFileSync(file, "utf8");
  const kept = join(cache, `${createHash("sha256").update(version).update(text).digest("hex")}.js`);
  let output;
  try {
    output = readFileSync(kept, "utf8");
  } catch {
    output = translated(text);
    // Another process may write it at the same time.
    const own = `${kept}.${process.pid}`;
    writeFileSync(own, output);
    renameSync(own, kept);
  }
  module._compile(output, file);
};
