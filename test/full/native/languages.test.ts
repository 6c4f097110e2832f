/** The programs of docs/other-languages.md, with the SDKs that Pulumi's generators make of the schema. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { parse } from "yaml";
import { EmulatorProcess } from "../../support/emulator-process";
import { engineSetup } from "../../support/engine-setup";
import { baseEnv } from "../../support/pulumi-command";
import { json, newFolder, root, run, succeed } from "../package/support";

interface Tools {
  codegen: string;
  goHost: string;
  pythonHost: string;
  /** The folder of the programs of a virtual environment. */
  python: string;
}

const page = readFileSync(join(root, "docs/other-languages.md"), "utf8");

/** The first program of a language on the page. */
function programIn(language: string): string {
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "m").exec(page)![1]!;
}

let tools: Tools;
let emulator: EmulatorProcess;
let env: Record<string, string>;

beforeAll(async () => {
  const built = execFileSync(process.execPath, [join(root, "scripts/languages.mjs")], { encoding: "utf8" });
  tools = JSON.parse(built) as Tools;
  emulator = await EmulatorProcess.start();
  const backend = newFolder("languages-backend");
  const folders = [provider(), dirname(tools.goHost), dirname(tools.pythonHost), tools.python];
  const base = baseEnv() as Record<string, string>;
  env = {
    ...base,
    PATH: [...folders, base.PATH].join(delimiter),
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "for this test",
    TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
    TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
  };
}, 600_000);
afterAll(() => emulator.stop());

/** A folder with the provider of the packed package, as a global install puts it on the PATH. */
function provider(): string {
  const folder = newFolder("provider");
  const main = join(engineSetup().template, "node_modules/pulumi-tunnel-gateway/dist/native/index.js");
  const file = join(folder, "pulumi-resource-tunnel-gateway");
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}

function sdk(language: string): string {
  const folder = newFolder(`sdk-${language}`);
  execFileSync(tools.codegen, [language, join(root, "src/native/schema.json"), folder]);
  return folder;
}

/** Deploys the program, checks that a refresh and a preview find no change, and destroys it. */
async function lives(cwd: string, more: Record<string, string> = {}): Promise<void> {
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
  expect(await pulumi("stack", "output", "token")).toContain("[secret]");
  expect(JSON.parse(await pulumi("stack", "output", "rules", "--json"))).toMatchObject({
    "203.0.113.0/24": "allow",
    "198.51.100.0/24": { action: "deny", description: "guests" },
  });
  await pulumi("refresh", "--yes", "--skip-preview");
  await pulumi("preview", "--expect-no-changes");
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
  await lives(cwd, { PYTHONPATH: site });
  writeFileSync(join(cwd, "__main__.py"), program.replace("203.0.113.0/24", "203.0.113.1/24"));
  const args = ["preview", "--non-interactive"];
  const { exitCode, output } = await run("pulumi", args, { cwd, env: { ...env, PYTHONPATH: site } });
  expect(exitCode).not.toBe(0);
  expect(output).toContain('"203.0.113.1/24" has host bits set, did you mean 203.0.113.0/24?');
}, 300_000);

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
  await lives(cwd);
}, 600_000);

it("has a program in YAML whose types, arguments and references the schema has", () => {
  const { resources } = parse(programIn("yaml")) as {
    resources: Record<string, { type: string; properties: Record<string, unknown> }>;
  };
  const schema = json(join(root, "src/native/schema.json")) as {
    resources: Record<string, { inputProperties: object; properties: object; requiredInputs: string[] }>;
  };
  const typeOf = (name: string) =>
    schema.resources[resources[name]!.type.replace(/^tunnel-gateway:/, "tunnel-gateway:index:")]!;
  for (const [name, { properties }] of Object.entries(resources)) {
    const given = Object.keys(properties);
    expect(Object.keys(typeOf(name).inputProperties)).toEqual(expect.arrayContaining(given));
    expect(given).toEqual(expect.arrayContaining(typeOf(name).requiredInputs));
  }
  const references = [...programIn("yaml").matchAll(/\$\{(\w+)\.(\w+)\}/g)];
  expect(references.length).toBeGreaterThan(4);
  for (const [, name, output] of references) {
    expect(["id", ...Object.keys(typeOf(name!).properties)]).toContain(output);
  }
});

it("has an SDK for Node.js that compiles", async () => {
  const folder = sdk("nodejs");
  cpSync(join(engineSetup().template, "node_modules"), join(folder, "node_modules"), { recursive: true });
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await succeed(process.execPath, [tsc, "--noEmit", "--project", folder, "--skipLibCheck"], { cwd: folder });
}, 120_000);
