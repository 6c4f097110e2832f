import { tmpdir } from "node:os";
import { installerEnv } from "./installer-env.mjs";
import { exe } from "./paths.mjs";
import { capture } from "./process.mjs";

const limitMs = 45 * 60_000;
const oldestGo = "1.21"; // since this version Go downloads the toolchain that a go.mod names

/** Runs go and returns what it printed on stdout. Throws an error with the end of its messages. */
export async function go(args, { cwd, temporary = tmpdir(), onOutput }) {
  const { code, stdout, stderr, timedOut } = await capture(`go${exe}`, args, {
    cwd,
    env: { ...installerEnv(), CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: temporary },
    timeoutMs: limitMs,
    onOutput,
  });
  const name = `go ${args[0]} of ${args.at(-1)}`;
  if (timedOut) throw new Error(`${name} took more than ${limitMs / 60_000} minutes and was stopped.`);
  if (code !== 0) throw new Error(`${name} failed:\n${stderr.trim().split("\n").slice(-8).join("\n")}`);
  return stdout;
}

/**
 * How Go compiles everything here. With the same flags all programs share what Go has compiled; debugging information costs a
 * tenth of a build, and the linker drops it anyway.
 */
export const compilerFlags = ["-trimpath", "-gcflags=all=-dwarf=false"];

/** The arguments of `go build` for a command of a pinned module, with which it writes the file. */
export function buildArguments(command, file, flags) {
  return ["build", "-mod=readonly", "-buildvcs=false", ...compilerFlags, ...flags, "-o", file, command];
}

/** The flag of the linker for a program of Pulumi of this version, or for one without a version; no debugging information. */
export function linkerFlag(version) {
  const set = version && ` -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`;
  return `-ldflags=-s -w${set ?? ""}`;
}

/** Whether there is a Go that can build the modules of tools/. */
export async function hasGo() {
  const { code, stdout } = await capture(`go${exe}`, ["env", "GOVERSION"], {
    cwd: tmpdir(),
    timeoutMs: 60_000,
  });
  const [major, minor] = (/^go(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  const oldest = oldestGo.split(".").map(Number);
  return code === 0 && (major > oldest[0] || (major === oldest[0] && minor >= oldest[1]));
}
