/**
 * npm for a page's session, as if the package were published: the registry of the session (test/support/registry.ts)
 * serves it. With DOCUMENTATION_LINK, an install of packages that the template contains is a link to the template's, which
 * an install of others replaces by hard links of its own.
 */
const { execFileSync, spawnSync } = require("node:child_process");
const { existsSync, lstatSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } = require("node:fs");
const { delimiter, join } = require("node:path");

const { DOCUMENTATION_TEMPLATE: template } = process.env;
const [command, ...args] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const write = (manifest) => writeFileSync("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`);
const isInstall = ["install", "i", "ci"].includes(command);

process.exitCode = isInstall && process.env.DOCUMENTATION_LINK && canLink() ? link() : npm();

/** The requested names, or those of the manifest. */
function wanted() {
  const names = args.filter((arg) => !arg.startsWith("-")).map(nameOf);
  return names.length > 0 ? names : direct();
}

/** The name of a package in an argument: one with a version, or the package's own tarball. */
function nameOf(arg) {
  return arg.endsWith(".tgz") ? "pulumi-tunnel-gateway" : arg.replace(/(?<=.)@.*$/, "");
}

function direct() {
  const { dependencies, devDependencies } = existsSync("package.json") ? read("package.json") : {};
  return Object.keys({ ...dependencies, ...devDependencies });
}

function canLink() {
  return wanted().every((name) => existsSync(join(template, "node_modules", name)));
}

function link() {
  const manifest = existsSync("package.json") ? read("package.json") : {};
  const kind = args.some((arg) => ["-D", "--save-dev"].includes(arg)) ? "devDependencies" : "dependencies";
  const { dependencies } = read(join(template, "package.json"));
  for (const name of wanted()) {
    if (manifest.dependencies?.[name] || manifest.devDependencies?.[name]) continue;
    manifest[kind] = { ...manifest[kind], [name]: dependencies[name] ?? "*" };
  }
  write(manifest);
  if (!existsSync("node_modules")) symlinkSync(join(template, "node_modules"), "node_modules");
  return 0;
}

function copyLinked() {
  if (!lstatSync("node_modules", { throwIfNoEntry: false })?.isSymbolicLink()) return;
  unlinkSync("node_modules");
  const how = process.platform === "linux" ? ["-al"] : ["-R"];
  execFileSync("cp", [...how, join(template, "node_modules"), "node_modules"]);
}

function npm() {
  if (isInstall) copyLinked();
  const [, ...path] = process.env.PATH.split(delimiter); // without this npm's folder
  return spawnSync("npm", process.argv.slice(2), {
    stdio: "inherit",
    env: { ...process.env, PATH: path.join(delimiter) },
  }).status;
}
