// The native provider as files that need Node.js and nothing else: dist/native. The npm package and the archive for
// `pulumi plugin install` contain the same ones. One of them is OpenTelemetry's SDK, also for the dynamic resources.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "./paths.mjs";

const source = join(root, "src/provider/native");
const target = join(root, "dist/native");
const { engines, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const node = engines.node.replace(">=", "");

/**
 * Modules that the provider does not need as they are, and what it gets. They would be half of the bundle and of its start. A
 * path from the root means the file of this repository.
 */
const replaced = {
  "package.json": `module.exports = ${JSON.stringify({ version, engines })};`,
  "src/schema/sdk.ts": 'export * from "./src/schema/no-program";',
  // Its fetch, web sockets, caches and mocks. A proxy agent calls the methods that undici adds to every dispatcher.
  undici: `
    Object.assign(require("undici/lib/dispatcher/dispatcher.js").prototype, require("undici/lib/api"));
    exports.Agent = require("undici/lib/dispatcher/agent.js");
    exports.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent.js");
  `,
  // A file of its own, which is loaded only where Pulumi collects traces.
  "src/provider/tracing/opentelemetry.ts": 'module.exports = require("./opentelemetry.js");',
  // Only the service Channelz of gRPC, which nobody adds.
  "@grpc/proto-loader": "",
};

/** Writes dist/native. Throws where a file does not fit the others, such as a member that a replaced module lacks. */
export async function buildNativeProvider() {
  // An old Node.js must be able to read this file.
  await bundle("index", { target: "es2020", external: ["./main.js"] });
  const bundled = [
    await bundle("main", { target: `node${node}`, external: ["./opentelemetry.js"] }),
    // Of modules of ECMAScript, only what is used: a fifth of the whole.
    await bundle("../tracing/opentelemetry", { target: `node${node}`, mainFields: ["module", "main"] }),
  ];
  const inputs = bundled
    .flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap((output) => Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0))
    .map(([file]) => file);
  writeFileSync(join(target, "THIRD-PARTY.txt"), notices(inputs));
  writeFileSync(
    join(root, "dist/provider/tracing/opentelemetry.js"),
    'module.exports = require("../../native/opentelemetry.js");\n',
  );
  const schema = JSON.parse(readFileSync(join(source, "schema.json"), "utf8"));
  writeFileSync(join(target, "schema.json"), JSON.stringify(schema));
  const name = join(target, "pulumi-resource-tunnel-gateway");
  writeFileSync(name, forShell, { mode: 0o755 });
  writeFileSync(`${name}.cmd`, forWindows.replaceAll("\n", "\r\n"));
}

/**
 * Names and lines of the sources stay, so that a stack trace can be read.
 * @public A test evaluates it in a process of its own.
 */
export async function bundle(name, options) {
  const result = await build({
    entryPoints: [join(source, `${name}.ts`)],
    outdir: target,
    absWorkingDir: root,
    tsconfig: join(root, "tsconfig.build.json"),
    bundle: true,
    platform: "node",
    plugins: [{ name: "replaced", setup }],
    metafile: true,
    logLevel: "warning",
    ...options,
  });
  if (result.warnings.length > 0)
    throw new Error(`The bundle of src/provider/native/${name}.ts has warnings: see above.`);
  return result;
}

function setup(bundler) {
  for (const [name, contents] of Object.entries(replaced)) {
    const replacement = { path: name, namespace: "replaced" };
    const isFile = existsSync(join(root, name));
    // The entry point itself is bundled as it is.
    const isMeant = ({ path, resolveDir, kind }) =>
      kind !== "entry-point" &&
      [join(resolveDir, path), join(resolveDir, `${path}.ts`)].includes(join(root, name));
    const filter = isFile ? new RegExp(`/${basename(name, ".ts")}$`) : new RegExp(`^${name}$`);
    bundler.onResolve({ filter }, (asked) => (!isFile || isMeant(asked) ? replacement : undefined));
    bundler.onLoad({ filter: new RegExp(`^${name}$`), namespace: "replaced" }, () => ({
      contents,
      resolveDir: root,
    }));
  }
}

/** The licences of the packages in the bundle. Two copies of a package would not know each other's objects. */
function notices(inputs) {
  const folders = inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const packages = [...new Set(folders.filter((folder) => folder !== undefined))].sort();
  const nested = packages.filter((folder) => folder.lastIndexOf("node_modules") > 0);
  if (nested.length > 0)
    throw new Error(`There are two copies of ${nested.join(", ")}: npm ls --all shows why.`);
  const texts = packages.map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const files = readdirSync(join(root, folder)).filter((name) => /^(licen[cs]e|notice)/i.test(name));
    if (files.length === 0) throw new Error(`${folder} has no file with its license.`);
    const licenses = files.map((name) => readFileSync(join(root, folder, name), "utf8").trim());
    return [`${manifest.name} ${manifest.version} (${manifest.license})`, ...licenses].join("\n\n");
  });
  return `main.js and opentelemetry.js contain parts of the following packages.\n\n${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

const needs = `pulumi-tunnel-gateway ${version} needs Node.js ${node} or later`;
const missing = `${needs}, and there is no node on the PATH: install Node.js and run the command again`;

const forShell = `#!/bin/sh
file=$0
if [ -h "$file" ]; then file=$(readlink -f "$file"); fi
if ! command -v node >/dev/null; then
  echo "${missing}" >&2
  exit 1
fi
exec node "\${file%/*}/index.js" "$@"
`;

const forWindows = `@echo off
where /q node
if errorlevel 1 (
  echo ${missing} 1>&2
  exit /b 1
)
node "%~dp0index.js" %*
`;
