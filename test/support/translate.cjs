/** Translates TypeScript and ES modules to what Jest and Node run. `npm run types` checks the types. */
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { transformSync, version } = require("esbuild");

const settings = {
  format: "cjs",
  platform: "node",
  target: "node22",
  supported: { "dynamic-import": false }, // Jest has no `import()` of its own
  sourcemap: true,
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
};

/** A call of `jest.mock`, as esbuild prints it. */
const mocks = /^jest\.mock\(.*(?:\);|[{]\n[^]*?^\}\)*;)$/gm;

/** `jest.mock` counts for the imports above it: its calls become the beginning of the first line, and no line moves. */
function withMocksFirst(code) {
  const first = [];
  const rest = code.replace(mocks, (call) => {
    first.push(transformSync(call, { minifyWhitespace: true }).code.trim());
    return call.replace(/.*/g, "");
  });
  return first.join("") + rest;
}

/** The code of a file, with its source map. */
function translate(text, file) {
  const loader = file.endsWith(".ts") ? "ts" : "js";
  const { code, map } = transformSync(text, { ...settings, loader, sourcefile: file });
  return { code: withMocksFirst(code), map };
}

const own = createHash("sha256").update(version).update(readFileSync(__filename)).digest("hex");

module.exports = {
  process: translate,
  getCacheKey: (text, file) => createHash("sha256").update(own).update(file).update(text).digest("hex"),
};
