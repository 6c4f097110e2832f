/** The programs of docs/other-languages.md, with the SDKs that Pulumi's generators make of the schema. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { engineSetup } from "../support/engine-setup";
import { baseEnv } from "../support/pulumi-command";
import { json, newFolder, root, run, succeed } from "../full/package/support";

interface Tools {
  codegen: string;
  dotnetCodegen: string;
  goFlags: string;
  goHost: string;
  pythonHost: string;
  /** The folder of the programs of a virtual environment. */
  python: string;
  yamlHost: string;
}

const page = readFileSync(join(root, "docs/other-languages.md"), "utf8");

/** The first program of a language on the page. */
function programIn(language: string): string {
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "m").exec(page)![1]!;
}

let tools: Tools;
const emulator = EmulatorProcess.forTests();
let env: Record<string, string>;

beforeAll(() => {
  const built = execFileSync(process.execPath, [join(root, "scripts/languages.mjs")], { encoding: "utf8" });
  tools = JSON.parse(built) as Tools;
  const backend = newFolder("languages-backend");
  const installed = join(engineSetup().template, "node_modules/.bin"); // the provider, as npm has installed it
  const folders = [tools.goHost, tools.pythonHost, tools.yamlHost].map((host) => dirname(host));
  const base = baseEnv() as Record<string, string>;
  env = {
    ...base,
    PATH: [...folders, tools.python, base.PATH, installed].join(delimiter),
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "for this test",
    TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
    TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
  };
}, 600_000);

function sdk(language: string): string {
  const folder = newFolder(`sdk-${language}`);
  execFileSync(tools.codegen, [language, join(root, "src/provider/native/schema.json"), folder]);
  return folder;
}

/** Deploys the program, checks that a refresh and a preview find no change, and destroys what `last` makes of it. */
async function lives(
  cwd: string,
  more: Record<string, string> = {},
  last: (pulumi: (...args: string[]) => Promise<string>) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const pulumi = (...args: string[]): Promise<string> =>
    succeed("pulumi", [...args, "--non-interactive"], { cwd, env: { ...env, ...more } });
  await pulumi("stack", "init", "dev");
  await pulumi("up", "--yes", "--skip-preview");
  const kept = JSON.stringify(await emulator.state());
  for (const text of ["office networks", "203.0.113.0/24", "guests", "1.tcp.example.com:5432"]) {
    expect(kept).toContain(text);
  }
  const state = await pulumi("stack", "export");
  expect(state).not.toContain(emulator.apiKey);
  expect(JSON.parse(await pulumi("stack", "output", "--json"))).toMatchObject({
    token: "[secret]",
    rules: {
      "203.0.113.0/24": "allow",
      "198.51.100.0/24": { action: "deny", description: "guests" },
    },
  });
  await pulumi("preview", "--refresh", "--expect-no-changes");
  await last(pulumi);
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(JSON.stringify(await emulator.state())).not.toContain("office networks");
}

it("runs the program in Python, and names a wrong argument", async () => {
  const [cwd, generated, site] = [newFolder("python"), sdk("python"), newFolder("site")];
  writeFileSync(join(generated, "README.md"), "");
  const install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", site];
  await succeed(join(tools.python, "python"), [...install, generated], { cwd, env });
  writeFileSync(join(cwd, "Pulumi.yaml"), "name: python-program\nruntime: python\n");
  const program = programIn("python");
  writeFileSync(join(cwd, "__main__.py"), program);
  const entries = `entries=[
        gateway.IpPolicyRuleSetEntryArgs(cidr=pulumi.Output.from_input("203.0.113.0/24"), action="allow"),
        gateway.IpPolicyRuleSetEntryArgs(cidr="198.51.100.0/24", action="deny", description="others"),
    ],`;
  await lives(cwd, { PYTHONPATH: site }, async (pulumi) => {
    writeFileSync(join(cwd, "__main__.py"), program.replace(/rules=\{[^]*?\n {4}\},/, entries));
    await pulumi("up", "--yes", "--skip-preview");
    const { ip_policy_rules: rules } = await emulator.state();
    const others = rules!.filter(({ description }) => description === "others");
    expect([rules!.length, others]).toEqual([2, [expect.objectContaining({ action: "deny" })]]);
  });

  writeFileSync(join(cwd, "__main__.py"), program.replace("203.0.113.0/24", "203.0.113.1/24"));
  const args = ["preview", "--non-interactive"];
  const { exitCode, output } = await run("pulumi", args, { cwd, env: { ...env, PYTHONPATH: site } });
  expect(exitCode).not.toBe(0);
  expect(output).toContain('"203.0.113.1/24" has host bits set, did you mean 203.0.113.0/24?');
}, 600_000);

it("runs the program in Go", async () => {
  const cwd = newFolder("go");
  cpSync(join(root, "tools/pulumi-go-program"), cwd, { recursive: true });
  const own = join(cwd, "sdk");
  mkdirSync(own);
  cpSync(sdk("go"), own, { recursive: true });
  const version = /pulumi\/sdk\/v3 (\S+)/.exec(readFileSync(join(cwd, "go.mod"), "utf8"))![1]!;
  const required = `require github.com/pulumi/pulumi/sdk/v3 ${version}`;
  writeFileSync(join(own, "go.mod"), `module pulumi-tunnel-gateway\n\ngo 1.25\n\n${required}\n`);
  writeFileSync(join(cwd, "Pulumi.yaml"), "name: go-program\nruntime: go\n");
  writeFileSync(join(cwd, "main.go"), programIn("go"));
  await lives(cwd, { GOFLAGS: tools.goFlags, CGO_ENABLED: "0" });
}, 600_000);

it("runs the program in YAML, and names a wrong argument", async () => {
  const cwd = newFolder("yaml");
  const program = programIn("yaml");
  writeFileSync(join(cwd, "Pulumi.yaml"), program);
  await lives(cwd);
  writeFileSync(join(cwd, "Pulumi.yaml"), program.replace("203.0.113.0/24", "203.0.113.1/24"));
  const { exitCode, output } = await run("pulumi", ["preview", "--non-interactive"], { cwd, env });
  expect(exitCode).not.toBe(0);
  expect(output).toContain('"203.0.113.1/24" has host bits set, did you mean 203.0.113.0/24?');
}, 300_000);

interface Properties {
  properties: Record<string, { secret?: boolean }>;
  inputProperties: Record<string, object>;
  requiredInputs: string[];
}

it("has an SDK for .NET with all arguments, outputs and functions of the schema", () => {
  const folder = newFolder("sdk-dotnet");
  execFileSync(tools.dotnetCodegen, [join(root, "src/provider/native/schema.json"), folder]);
  const schema = json(join(root, "src/provider/native/schema.json")) as {
    resources: Record<string, Properties>;
    functions: Record<string, object>;
  };
  const textOf = (token: string): string => {
    const [first = "", ...rest] = token.split(":").at(-1)!;
    return readFileSync(join(folder, `${first.toUpperCase()}${rest.join("")}.cs`), "utf8");
  };
  const namesIn = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) => name).sort();
  for (const [token, { properties, inputProperties, requiredInputs }] of Object.entries(schema.resources)) {
    const [outputs, inputs] = textOf(token).split(/^ {4}public sealed class \w+Args /m) as [string, string];
    expect(namesIn(outputs, /\[Output\("(\w+)"/g)).toEqual(Object.keys(properties).sort());
    expect(namesIn(inputs, /\[Input\("(\w+)"/g)).toEqual(Object.keys(inputProperties).sort());
    expect(namesIn(inputs, /\[Input\("(\w+)", required: true/g)).toEqual([...requiredInputs].sort());
    const secrets = Object.keys(properties).filter((name) => properties[name]!.secret);
    const hidden = /AdditionalSecretOutputs =\s+\{([^}]*)\}/.exec(outputs)?.[1] ?? "";
    expect(namesIn(hidden, /"(\w+)"/g)).toEqual(secrets.sort());
  }
  for (const token of Object.keys(schema.functions)) expect(textOf(token)).toContain(`Invoke`);
});

it("has an SDK for Node.js that compiles", async () => {
  const folder = sdk("nodejs");
  symlinkSync(join(engineSetup().template, "node_modules"), join(folder, "node_modules"));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await succeed(process.execPath, [tsc, "--noEmit", "--project", folder, "--skipLibCheck"], { cwd: folder });
}, 120_000);
