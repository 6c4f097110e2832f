#!/usr/bin/env node
import { nodeProblem } from "../node-version";

const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  void import("./main.js").then(({ main }) => main(process.argv.slice(2)));
}
