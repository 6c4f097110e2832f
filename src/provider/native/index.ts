#!/usr/bin/env node
/**
 * `pulumi-resource-tunnel-gateway`, which Pulumi's engine starts with its address. The server is a file of its own: an old
 * Node.js cannot read it.
 */
import { enableCompileCache } from "node:module";
import { basename, join } from "node:path";
import { nodeProblem, version } from "../version";

const problem = nodeProblem() ?? folderProblem();
if (problem === undefined) {
  // Beside the code: whoever can write there can change the code anyway. Nothing happens where the folder is read-only.
  enableCompileCache(join(__dirname, "cache"));
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  require("./main.js");
} else {
  console.error(problem);
  process.exitCode = 1;
}

/** Pulumi installs any archive as the version that the command names, so the provider compares. */
function folderProblem(): string | undefined {
  const named = /^resource-tunnel-gateway-v(.+)$/.exec(basename(__dirname))?.[1];
  if (named === undefined || named === version) return undefined;
  return (
    `Pulumi has installed version ${version} of the provider as version ${named}: run pulumi plugin rm resource ` +
    `tunnel-gateway ${named} --yes, and install the archive of version ${named}`
  );
}
