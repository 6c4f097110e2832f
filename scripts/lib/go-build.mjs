import { copyFileSync, chmodSync, existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exe, root } from "./paths.mjs";
import { capture } from "./process.mjs";
import { progress } from "./progress.mjs";
import { cliVersion, goVersion, languageHostVersion } from "./versions.mjs";

const buildLimitMs = 45 * 60_000;
const oldestGo = "1.21"; // from here on Go fetches the toolchain that a go.mod asks for
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** Builds the CLI and its language host from the pinned modules of tools/ into `work`/bin. */
export async function buildWithGo(work, version) {
  await checkGo(version);
  const bin = join(work, "bin");
  mkdirSync(bin);
  const line = progress(`Building the Pulumi CLI ${version} with Go, once (about 5 minutes)`);
  try {
    await goBuild("pulumi-cli", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", cliVersion(), bin, line);
    const host = "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs";
    await goBuild("pulumi-language-nodejs", host, languageHostVersion(), bin, line);
  } catch (error) {
    line.end("failed");
    throw error;
  }
  copyDynamicProvider(bin);
  line.end("done");
  return work;
}

async function goBuild(tool, command, version, bin, line) {
  const args = ["build", "-v", "-trimpath", "-buildvcs=false", "-mod=readonly"];
  args.push("-ldflags", `-s -w -X ${versionVariable}=${version}`, "-o", bin, command);
  let compiled = 0;
  const { code, stderr, timedOut } = await capture("go", args, {
    cwd: join(root, "tools", tool),
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
    timeoutMs: buildLimitMs,
    onOutput(text) {
      const lines = text.trim().split("\n");
      compiled += lines.filter((each) => !each.startsWith("go: ")).length; // -v names each package it compiles
      line.note(`${compiled} packages, ${lines.at(-1).replace(/^go: /, "")}`);
    },
  });
  if (timedOut)
    throw new Error(`go build of ${tool} took more than ${buildLimitMs / 60_000} minutes and was stopped.`);
  if (code !== 0)
    throw new Error(`go build of ${tool} failed:\n${stderr.trim().split("\n").slice(-8).join("\n")}`);
}

/** As in an official release the script lies beside the CLI; it resolves the SDK from the program's own folder. */
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
  const { code, stdout } = await capture("go", ["env", "GOVERSION"], { cwd: tmpdir(), timeoutMs: 60_000 });
  const [major, minor] = (/^go(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  const oldest = oldestGo.split(".").map(Number);
  if (code === 0 && (major > oldest[0] || (major === oldest[0] && minor >= oldest[1]))) return;
  throw new Error(
    `The Pulumi CLI ${version} cannot be downloaded here and there is no Go to build it with: install ` +
      `Go ${goVersion()} or later, or the Pulumi CLI ${version} or later, and run the command again.`,
  );
}
