import { copyFileSync, chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildArguments, go, hasGo, linkerFlag } from "./go.mjs";
import { pulumiSource } from "./go-source.mjs";
import { exe, root } from "./paths.mjs";
import { progress } from "./progress.mjs";
import { goVersion, languageHostVersion } from "./versions.mjs";

/**
 * Builds the CLI and its language host from the pinned modules of tools/ in the empty folder `work`. Only Go's own
 * caches survive an interrupted build. Returns the folder that holds them as bin/.
 */
export async function buildWithGo(work, version) {
  await checkGo(version);
  const made = join(work, "made");
  const bin = join(made, "bin");
  const temporary = join(work, "temporary");
  for (const folder of [bin, temporary]) mkdirSync(folder, { recursive: true });
  copyDynamicProvider(bin);
  const goIn = (args, options) => go(args, { ...options, temporary });

  const source = await inStep(`Downloading the source of the Pulumi CLI ${version}`, () =>
    pulumiSource(join(work, "source"), version, goIn),
  );
  if (source.misfit)
    console.error(`tools/pulumi-cli/left-out.mjs does not fit: ${source.misfit}. Building the whole CLI.`);
  const minutes = source.misfit ? 5 : 2;
  await inStep(
    `Building the Pulumi CLI ${version} with Go, once (about ${minutes} minutes)`,
    async (line) => {
      const onOutput = counter(line);
      const cli = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
      await goBuild(goIn, source.folder, cli, version, bin, onOutput);
      const host = "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs";
      await goBuild(
        goIn,
        join(root, "tools/pulumi-language-hosts"),
        host,
        languageHostVersion(),
        bin,
        onOutput,
      );
    },
  );
  return made;
}

async function inStep(title, work) {
  const line = progress(title);
  try {
    const result = await work(line);
    line.end("done");
    return result;
  } catch (error) {
    line.end("failed");
    throw error;
  }
}

async function goBuild(goIn, cwd, command, version, bin, onOutput) {
  const args = buildArguments(command, bin, ["-v", linkerFlag(version)]);
  await goIn(args, { cwd, onOutput });
}

/** Shows how many packages were compiled: -v names each of them on stderr, between lines about downloads. */
function counter(line) {
  let compiled = 0;
  return (text) => {
    const lines = text.trim().split("\n");
    compiled += lines.filter((each) => !each.startsWith("go: ")).length;
    line.note(`${compiled} packages, ${lines.at(-1).replace(/^go: /, "")}`);
  };
}

/** As in an official release, the script is beside the CLI. It resolves the SDK from the program's folder. */
function copyDynamicProvider(bin) {
  for (const name of ["pulumi-resource-pulumi-nodejs", "pulumi-resource-pulumi-nodejs.cmd"]) {
    if (name.endsWith(".cmd") !== (exe !== "")) continue;
    const source = join(root, "node_modules/@pulumi/pulumi", name);
    if (!existsSync(source)) throw new Error(`${source} is missing: run npm ci first.`);
    copyFileSync(source, join(bin, name));
    chmodSync(join(bin, name), 0o755);
  }
}

async function checkGo(version) {
  if (await hasGo()) return;
  throw new Error(
    `The Pulumi CLI ${version} cannot be downloaded here and there is no Go to build it with: install ` +
      `Go ${goVersion("pulumi-cli")} or later, or the Pulumi CLI ${version} or later, and run the command again.`,
  );
}
