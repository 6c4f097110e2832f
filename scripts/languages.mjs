#!/usr/bin/env node
// Builds what programs in other languages need, or what its arguments name of it, and prints as JSON where it is.
import { makers } from "./lib/languages.mjs";

try {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(makers);
  const tools = {};
  for (const name of wanted) tools[name] = await makers[name]();
  console.log(JSON.stringify(tools));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
