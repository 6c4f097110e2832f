/** For child processes: `node -r` this file runs the sources as they are. */
const { readFileSync } = require("node:fs");
const { process: translate } = require("./translate.cjs");

require.extensions[".ts"] = (module, file) =>
  module._compile(translate(readFileSync(file, "utf8"), file).code, file);
