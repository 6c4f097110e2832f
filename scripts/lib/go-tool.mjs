import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { buildArguments, go, hasGo, linkerFlag } from "./go.mjs";
import { exe, root } from "./paths.mjs";
import { progress } from "./progress.mjs";
import { goVersion } from "./versions.mjs";

/**
 * The file of a command, built once with Go from the module in a folder of tools/. `command` is a package of the module or of
 * one that it requires; `instead` is what a user may install in place of Go. An interrupted build leaves nothing but Go's
 * own caches.
 */
export async function goTool({ name, module, command, version, linker = linkerFlag(), instead = "" }) {
  const folder = join(root, "node_modules/.cache", name, version);
  const file = join(folder, `${name}${exe}`);
  if (existsSync(file)) return file;
  if (!(await hasGo())) {
    const choice = [`Go ${goVersion(module)} or later`, ...(instead ? [instead] : [])].join(", or ");
    throw new Error(`There is no Go to build ${name} with: install ${choice}, and run the command again.`);
  }
  const line = progress(`Building ${name} ${version} with Go, once`);
  mkdirSync(folder, { recursive: true });
  const made = `${file}.${process.pid}`;
  try {
    await go(buildArguments(command, made, [linker]), { cwd: join(root, "tools", module) });
    renameSync(made, file); // of two concurrent runs the second replaces an equal file
    line.end("done");
    return file;
  } catch (error) {
    line.end("failed");
    throw error;
  }
}
