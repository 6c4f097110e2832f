import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { compilerFlags, go, linkerFlag } from "./go.mjs";
import { goTool } from "./go-tool.mjs";
import { installerEnv } from "./installer-env.mjs";
import { exe, root } from "./paths.mjs";
import { capture } from "./process.mjs";
import { progress } from "./progress.mjs";
import { codegenVersion, dotnetCodegenVersion, languageHostVersion, yamlHostVersion } from "./versions.mjs";

const sdk = "github.com/pulumi/pulumi/sdk/v3";
const hosts = "pulumi-language-hosts";

/** What programs in other languages need, by name: each builds it, and gives its file or folder. */
export const makers = {
  /** The code generators of SDKs, `codegen <language> <schema.json> <folder>`, and of imported programs, `codegen host <language>`. */
  codegen: () => tool("pulumi-codegen", ".", `${codegenVersion()}-with-host`), // earlier builds have other names
  /** The code generator of SDKs for .NET, `codegen-dotnet <schema.json> <folder>`. */
  dotnetCodegen: () => tool("pulumi-codegen-dotnet", ".", dotnetCodegenVersion()),
  /** The flags with which a program in Go is compiled in less time, because it shares what the other builds have compiled. */
  goFlags: () => compilerFlags.join(" "),
  goHost: () => host("pulumi-language-go", `${sdk}/go/pulumi-language-go`),
  pythonHost,
  python,
  yamlHost: () =>
    tool("pulumi-language-yaml", "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml", yamlHostVersion()),
};

const tool = (name, command, version) => goTool({ name, module: name, command, version });

function host(name, command) {
  const version = languageHostVersion();
  return goTool({ name, module: hosts, command, version, linker: linkerFlag(version) });
}

/** The language host for programs in Python, with the script beside it that starts them. */
async function pythonHost() {
  const file = await host("pulumi-language-python", `${sdk}/python/cmd/pulumi-language-python`);
  const script = join(dirname(file), "pulumi-language-python-exec");
  if (!existsSync(script)) {
    const source = await go(["list", "-m", "-f", "{{.Dir}}", sdk], { cwd: join(root, "tools", hosts) });
    copyFileSync(join(source.trim(), "python/cmd/pulumi-language-python-exec"), script);
    chmodSync(script, 0o755);
  }
  return file;
}

/** The programs of a virtual environment with Pulumi's SDK for Python. */
async function python() {
  const folder = join(root, "node_modules/.cache/python");
  const bin = join(folder, exe ? "Scripts" : "bin");
  const interpreter = join(bin, `python${exe}`);
  if (!existsSync(interpreter)) {
    const line = progress("Creating a virtual environment of Python, once");
    await step(`python3${exe}`, ["-m", "venv", folder]).catch((error) => {
      line.end("failed");
      throw new Error(`${error.message}\nInstall Python 3.10 or later with venv, and run the command again.`);
    });
    line.end("done");
  }
  const requirements = join(root, "tools/python/requirements.txt");
  await step(interpreter, ["-m", "pip", "install", "--quiet", "--requirement", requirements]);
  return bin;
}

async function step(command, args) {
  const { code, stderr } = await capture(command, args, { env: installerEnv(), timeoutMs: 10 * 60_000 });
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(" ")} failed:\n${stderr.slice(-2000)}`);
}
