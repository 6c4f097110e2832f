#!/usr/bin/env node
import { nodeProblem } from "../../provider/version";
import "../../schema/no-program";

const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
} else {
  // So that no command loads Pulumi's SDK.
  require.cache[require.resolve("../../schema/sdk")] =
    require.cache[require.resolve("../../schema/no-program")];
  // A reader such as head may close the pipe early. The command continues, because it may be changing an account.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  void import("./main.js").then(({ main }) => main(process.argv.slice(2)));
}
