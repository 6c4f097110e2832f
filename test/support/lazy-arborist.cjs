/**
 * Preloaded in tests: Pulumi's SDK loads npm's package trees, a third of what a plugin does at its start, and needs
 * them only to capture functions with the modules of their packages, which no test does. They are loaded at their
 * first use.
 */
const Module = require("node:module");

const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const isOfSdk = request === "@npmcli/arborist" && parent?.filename.endsWith("codePaths.js");
  const loaded = () => load.call(this, request, parent, ...rest);
  if (!isOfSdk) return loaded();
  return new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : loaded()[name]) });
};
