/**
 * Preloaded in tests: half of what a plugin does at its start is to load parts of Pulumi's SDK that it does not use.
 * They are loaded at their first use: npm's package trees, the compiler, with which a program captures its providers,
 * and the Automation API.
 */
const Module = require("node:module");
const lazily = require("./lazy/lazy.cjs");

const lazy = new Set(["@npmcli/arborist", "../../typescript-shim", "./automation"]);

const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const loaded = () => load.call(this, request, parent, ...rest);
  if (!lazy.has(request) || !parent?.filename.includes("/@pulumi/pulumi/")) return loaded();
  return lazily(loaded);
};
