import { copyFileSync, chmodSync, existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pulumiSource } from "./go-source.mjs";
import { installerEnv } from "./installer-env.mjs";
import { exe, root } from "./paths.mjs";
import { capture } from "./process.mjs";
import { progress } from "./progress.mjs";
import { cliVersion, goVersion, languageHostVersion } from "./versions.mjs";

const buildLimitMs = 45 * 60_000;
const oldestGo = "1.21"; // since this version Go downloads the toolchain that a go.mod names
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

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
  const go = (args, options) => goCommand(args, { ...options, temporary });

  const source = await inStep(`Downloading the source of the Pulumi CLI ${version}`, () =>
    pulumiSource(join(work, "source"), version, go),
  );
  if (source.misfit)
    console.error(`tools/pulumi-cli/left-out.mjs does not fit: ${source.misfit}. Building the whole CLI.`);
  const minutes = source.misfit ? 5 : 2;
  await inStep(
    `Building the Pulumi CLI ${version} with Go, once (about ${minutes} minutes)`,
    async (line) => {
      const onOutput = counter(line);
      const cli = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
      await goBuild(go, source.folder, cli, cliVersion(), bin, onOutput);
      const host = "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs";
      await goBuild(
        go,
        join(root, "tools/pulumi-language-nodejs"),
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

/** Debugging information costs a tenth of the build, and the linker drops it anyway. */
async function goBuild(go, cwd, command, version, bin, onOutput) {
  const args = ["build", "-v", "-mod=readonly", "-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false"];
  args.push("-ldflags", `-s -w -X ${versionVariable}=${version}`, "-o", bin, command);
  await go(args, { cwd, onOutput });
}

/** Runs go and returns what it printed on stdout. Throws an error with the end of its messages. */
async function goCommand(args, { cwd, temporary, onOutput }) {
  const { code, stdout, stderr, timedOut } = await capture(`go${exe}`, args, {
    cwd,
    env: { ...installerEnv(), CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: temporary },
    timeoutMs: buildLimitMs,
    onOutput,
  });
  const name = `go ${args[0]} of ${args.at(-1)}`;
  if (timedOut) throw new Error(`${name} took more than ${buildLimitMs / 60_000} minutes and was stopped.`);
  if (code !== 0) throw new Error(`${name} failed:\n${stderr.trim().split("\n").slice(-8).join("\n")}`);
  return stdout;
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
  const { code, stdout } = await capture(`go${exe}`, ["env", "GOVERSION"], {
    cwd: tmpdir(),
    timeoutMs: 60_000,
  });
  const [major, minor] = (/^go(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  const oldest = oldestGo.split(".").map(Number);
  if (code === 0 && (major > oldest[0] || (major === oldest[0] && minor >= oldest[1]))) return;
  throw new Error(
    `The Pulumi CLI ${version} cannot be downloaded here and there is no Go to build it with: install ` +
      `Go ${goVersion()} or later, or the Pulumi CLI ${version} or later, and run the command again.`,
  );
}
