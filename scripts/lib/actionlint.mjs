import { goTool } from "./go-tool.mjs";
import { exe } from "./paths.mjs";
import { capture } from "./process.mjs";
import { actionlintVersion, atLeast } from "./versions.mjs";

/** Ensures actionlint, which checks GitHub workflows: one on PATH, else an earlier build, else a build with Go. */
export async function ensureActionlint() {
  const version = actionlintVersion();
  const installed = await versionOf("actionlint");
  if (installed !== undefined && atLeast(installed, version)) return `actionlint${exe}`;
  const command = "github.com/rhysd/actionlint/cmd/actionlint";
  const instead = `actionlint ${version} or later`;
  return goTool({ name: "actionlint", module: "actionlint", command, version, instead });
}

async function versionOf(command) {
  const { code, stdout } = await capture(command, ["-version"], { timeoutMs: 60_000 });
  return code === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined;
}
