import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Copies a module without its tests and file modes: files in Go's module cache are read-only. */
export function copyModule(source, target) {
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const path = relative(source, join(entry.parentPath, entry.name));
    if (!entry.isFile() || path.endsWith("_test.go") || /(^|[\\/])testdata[\\/]/.test(path)) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), readFileSync(join(source, path)));
  }
}

/**
 * Makes changes to the files of a folder, in the form of tools/pulumi-cli/left-out.mjs. Stops at the first change that
 * does not fit and returns the reason; returns undefined when all are made.
 */
export function applyChanges(folder, changes) {
  for (const change of changes) {
    const misfit = change.folder
      ? keepOnly(join(folder, change.folder), change)
      : replace(join(folder, change.file), change);
    if (misfit) return misfit;
  }
  return undefined;
}

function keepOnly(folder, { folder: name, keep }) {
  const missing = keep.find((each) => !existsSync(join(folder, each)));
  if (missing) return `${name}/${missing} is missing`;
  for (const each of readdirSync(folder)) {
    if (each.endsWith(".go") && !keep.includes(each)) rmSync(join(folder, each));
  }
  return undefined;
}

function replace(path, { file: name, replace: texts }) {
  if (!existsSync(path)) return `${name} is missing`;
  let content = readFileSync(path, "utf8");
  for (const [from, to] of texts) {
    const count = content.split(from).length - 1;
    if (count !== 1) return `${name} holds ${count} times, not once: ${from.trim().split("\n")[0]}`;
    content = content.replace(from, () => to);
  }
  writeFileSync(path, content);
  return undefined;
}
