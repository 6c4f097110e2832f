/** Whether Pulumi's plugin finds the package that the program has loaded: it looks from the folder of the program. */
import { log, RunError } from "../schema/sdk";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { version } from "../provider/version";

/** The folder in which Pulumi starts the program. The program may change it later. */
const folderOfProgram = process.cwd();
let isChecked = false;

/**
 * Throws if the plugin does not find the package, as in a workspace in which only a library of the program depends on it. Warns
 * if it finds another version. Does nothing in tests and programs of the Automation API, whose plugin runs in another folder.
 */
export function requirePackageOfPlugin(): void {
  if (isChecked || process.env.PULUMI_NODEJS_MONITOR === undefined) return;
  isChecked = true;
  const problem = packageProblem(folderOfProgram, join(__dirname, "../.."));
  if (problem?.isMissing) throw new RunError(problem.message);
  if (problem) void log.warn(problem.message);
}

/** What is wrong with the package as it is found from the folder, and what to do. */
function packageProblem(
  folder: string,
  loaded: string,
): { readonly message: string; readonly isMissing: boolean } | undefined {
  const found = packageFrom(folder);
  if (found?.version === version) return undefined;
  const instead = found ? `finds version ${found.version} in ${found.folder}` : "finds none";
  const message =
    `the program uses pulumi-tunnel-gateway ${version} of ${loaded}, but Pulumi works on its resources from ${folder} and ` +
    `${instead}: add "pulumi-tunnel-gateway": "${version}" to the dependencies in ${join(folder, "package.json")}, and ` +
    "install the packages there";
  return { message, isMissing: found === undefined };
}

function packageFrom(folder: string): { readonly version: string; readonly folder: string } | undefined {
  try {
    const manifest = createRequire(join(folder, "_")).resolve("pulumi-tunnel-gateway/package.json");
    const { version: found } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
    return { version: found, folder: dirname(manifest) };
  } catch {
    return undefined;
  }
}
