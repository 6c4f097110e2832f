import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { go, linkerFlag } from "./go.mjs";
import { goTool } from "./go-tool.mjs";
import { installerEnv } from "./installer-env.mjs";
import { exe, root } from "./paths.mjs";
import { capture } from "./process.mjs";
import { progress } from "./progress.mjs";
import { codegenVersion, dotnetCodegenVersion, languageHostVersion, yamlHostVersion } from "./versions.mjs";

const sdk = "github.com/pulumi/pulumi/sdk/v3";
const hosts = "pulumi-language-hosts";

/**
 * Builds the code generators of SDKs, `codegen <language> <schema.json> <folder>`, and of imported programs,
 * `codegen host <language>`.
 */
export function ensureCodegen() {
  return goTool({
    name: "pulumi-codegen",
    module: "pulumi-codegen",
    command: ".",
    version: `${codegenVersion()}-with-host`, // another name than that of an earlier build of this repository
  });
}

/** Builds the code generator of SDKs for .NET, `codegen-dotnet <schema.json> <folder>`. */
export function ensureDotnetCodegen() {
  return goTool({
    name: "pulumi-codegen-dotnet",
    module: "pulumi-codegen-dotnet",
    command: ".",
    version: dotnetCodegenVersion(),
  });
}

/** Builds the language host for programs in YAML. */
export function ensureYamlHost() {
  return goTool({
    name: "pulumi-language-yaml",
    module: "pulumi-language-yaml",
    command: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    version: yamlHostVersion(),
  });
}

/** Builds the language host for programs in Go. */
export function ensureGoHost() {
  return ensureHost("pulumi-language-go", `${sdk}/go/pulumi-language-go`);
}

/** Builds the language host for programs in Python, with the script beside it that starts them. */
export async function ensurePythonHost() {
  const file = await ensureHost("pulumi-language-python", `${sdk}/python/cmd/pulumi-language-python`);
  const script = join(dirname(file), "pulumi-language-python-exec");
  if (!existsSync(script)) {
    const source = (
      await go(["list", "-m", "-f", "{{.Dir}}", sdk], { cwd: join(root, "tools", hosts) })
    ).trim();
    copyFileSync(join(source, "python/cmd/pulumi-language-python-exec"), script);
    chmodSync(script, 0o755);
  }
  return file;
}

function ensureHost(name, command) {
  const version = languageHostVersion();
  const linker = linkerFlag(version);
  return goTool({ name, module: hosts, command, version, linker });
}

/** A virtual environment with Pulumi's SDK for Python; gives its folder of programs. */
export async function ensurePython() {
  const folder = join(root, "node_modules/.cache/python");
  const bin = join(folder, exe ? "Scripts" : "bin");
  const python = join(bin, `python${exe}`);
  const pip = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--requirement",
    join(root, "tools/python/requirements.txt"),
  ];
  if (!existsSync(python)) {
    const line = progress("Creating a virtual environment of Python, once");
    await step(`python3${exe}`, ["-m", "venv", folder]).catch((error) => {
      line.end("failed");
      throw new Error(`${error.message}\nInstall Python 3.10 or later with venv, and run the command again.`);
    });
    line.end("done");
  }
  await step(python, pip);
  return bin;
}

async function step(command, args) {
  const { code, stderr } = await capture(command, args, { env: installerEnv(), timeoutMs: 10 * 60_000 });
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(" ")} failed:\n${stderr.slice(-2000)}`);
}
