// Measures whether the tests notice mistakes in what keeps accounts whole: runs Stryker on each part of
// test/mutation/parts.cjs. Fails where a part has not the score that stryker.config.mjs requires.
import { join } from "node:path";
import parts from "../test/mutation/parts.cjs";
import { ensureTools, toolFolder } from "./lib/install.mjs";
import { flag, oneOf, readOptions } from "./lib/options.mjs";
import { root } from "./lib/paths.mjs";
import { run } from "./lib/process.mjs";

const table = {
  part: oneOf(Object.keys(parts), `one part alone: ${Object.keys(parts).join(", ")}`, "<part>"),
  incremental: flag(
    "takes over what the last run found about mutants whose code and tests have not changed since",
  ),
};

export async function mutation(args) {
  const options = readOptions("mutation", args, table);
  if (options === undefined) return 2;
  await ensureTools();
  const failed = [];
  for (const part of options.part === undefined ? Object.keys(parts) : [options.part]) {
    console.log(`\n== ${part}`);
    const env = { ...process.env, TUNNEL_GATEWAY_MUTATION: part };
    const force = options.incremental ? [] : ["--force"];
    if ((await run(join(toolFolder, "stryker"), ["run", ...force], { cwd: root, env })) !== 0)
      failed.push(part);
  }
  if (failed.length > 0) console.error(`Failed, or too few mutants noticed: ${failed.join(", ")}.`);
  return failed.length === 0 ? 0 : 1;
}
