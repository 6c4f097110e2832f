import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { installerEnv } from "./installer-env.mjs";
import { ownNode, root } from "./paths.mjs";
import { run, withPath } from "./process.mjs";

const oldestNode = [22, 19]; // undici 8

/** Where the tools of rare checks are installed. */
const checks = join(root, "tools/checks");

/** The commands of the tools of rare checks; they are installed at their first use. */
export const toolFolder = join(checks, "node_modules/.bin");

/** Installs the packages that building and testing need. */
export async function ensureInstalled() {
  await ensureInstalledIn(root);
}

/** Installs the tools of rare checks. */
export async function ensureTools() {
  await ensureInstalledIn(checks);
}

/** Installs a folder's packages if they are missing or differ from the lock file. */
async function ensureInstalledIn(folder) {
  if (isInstalled(folder)) return;
  console.error(
    `Installing the packages of ${relative(process.cwd(), join(folder, "package-lock.json"))} (npm ci)`,
  );
  // Warnings are left out: they are about the Node that runs npm, not the one that the tasks run on.
  const code = await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    env: outerEnv(),
  });
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}: see its output above.`);
}

/**
 * The environment whose `node` is new enough for the package, for this task and all its children, the Pulumi engine's
 * language host and plugins among them.
 */
export function taskEnv() {
  const bin = join(root, "node_modules/.bin");
  return existsSync(ownNode) ? withPath([dirname(ownNode), bin]) : withPath([bin]);
}

/** The Node to continue with, or undefined if this process runs on it. */
export function betterNode() {
  if (existsSync(ownNode))
    return realpathSync(ownNode) === realpathSync(process.execPath) ? undefined : ownNode;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return undefined;
  throw new Error(
    `Node ${process.versions.node} is too old and npm did not install the package "node" (are install scripts ` +
      `disabled?): use Node ${oldestNode.join(".")} or later.`,
  );
}

/** Whether npm's record of node_modules agrees with the lock file. */
function isInstalled(folder) {
  const wanted = packages(join(folder, "package-lock.json"));
  const present = packages(join(folder, "node_modules/.package-lock.json"));
  if (!wanted || !present) return false;
  const same = (name) =>
    wanted[name] &&
    present[name] &&
    wanted[name].version === present[name].version &&
    wanted[name].integrity === present[name].integrity;
  return (
    Object.keys(present).every(same) &&
    // optional packages can be missing: they are for other platforms
    Object.keys(wanted).every(
      (name) => name === "" || wanted[name].optional || wanted[name].devOptional || same(name),
    )
  );
}

function packages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined; // missing or half written
  }
}

/** npm ci removes node_modules, so it must not run on the Node in it. Its packages' scripts get no secret. */
function outerEnv() {
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(root, "node_modules")));
  return { ...installerEnv(), PATH: folders.join(delimiter) };
}
