/** For child processes: `node -r` this file runs the sources as they are, and keeps what it translates for the next process. */
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { getCacheKey, process: translate } = require("./translate.cjs");

const folder = join(__dirname, "../../node_modules/.cache/children");
mkdirSync(folder, { recursive: true });

function translated(file) {
  const text = readFileSync(file, "utf8");
  const kept = join(folder, `${getCacheKey(text, file)}.js`);
  try {
    return readFileSync(kept, "utf8");
  } catch {
    const { code } = translate(text, file);
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, kept); // another process may write the same
    return code;
  }
}

require.extensions[".ts"] = (module, file) => module._compile(translated(file), file);
