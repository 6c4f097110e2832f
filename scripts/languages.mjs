#!/usr/bin/env node
// Builds what programs in other languages need, or what its arguments name of it, and prints as JSON where it is. `goFlags` are
// the flags with which a program in Go is compiled in less time, because it shares what the other builds have compiled.
import {
  ensureCodegen,
  ensureDotnetCodegen,
  ensureGoHost,
  ensurePython,
  ensurePythonHost,
  ensureYamlHost,
} from "./lib/languages.mjs";
import { compilerFlags } from "./lib/go.mjs";

const makers = {
  codegen: ensureCodegen,
  dotnetCodegen: ensureDotnetCodegen,
  goFlags: () => compilerFlags.join(" "),
  goHost: ensureGoHost,
  pythonHost: ensurePythonHost,
  python: ensurePython,
  yamlHost: ensureYamlHost,
};

try {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(makers);
  const tools = {};
  for (const name of wanted) tools[name] = await makers[name]();
  console.log(JSON.stringify(tools));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
