#!/usr/bin/env node
// Finds or builds actionlint and prints where it is.
import { ensureActionlint } from "./lib/actionlint.mjs";

try {
  console.log(await ensureActionlint());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
