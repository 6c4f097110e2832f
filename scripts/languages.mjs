#!/usr/bin/env node
// Builds what programs in other languages need, and prints as JSON where it is.
import { ensureCodegen, ensureGoHost, ensurePython, ensurePythonHost } from "./lib/languages.mjs";

try {
  const tools = {
    codegen: await ensureCodegen(),
    goHost: await ensureGoHost(),
    pythonHost: await ensurePythonHost(),
    python: await ensurePython(),
  };
  console.log(JSON.stringify(tools));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
