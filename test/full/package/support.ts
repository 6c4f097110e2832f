import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { shimOf } from "../../../src/program/shim";
import type { EmulatorProcess } from "../../support/emulator-process";
import { Program, type Stack } from "../../support/engine";
import { engineSetup } from "../../support/engine-setup";
import { resources } from "../../engine/support";

export const root = resolve(__dirname, "../../..");

export interface Outcome {
  exitCode: number;
  output: string;
}

/** Runs a command to its end, whatever that is. */
export function run(
  file: string,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Outcome> {
  return new Promise((done) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 << 20 };
    execFile(file, args, options, (error, stdout, stderr) => {
      // a command that was killed or could not be started has no number, and its message says why
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : undefined;
      done({ exitCode: code ?? -1, output: stdout + stderr + (code === undefined ? error!.message : "") });
    });
  });
}

/** Runs a command that must succeed; gives what it printed. */
export async function succeed(...command: Parameters<typeof run>): Promise<string> {
  const { exitCode, output } = await run(...command);
  if (exitCode !== 0)
    throw new Error(`${command[0]} ${command[1].join(" ")} ended with ${exitCode}:\n${output}`);
  return output;
}

/** The packages of tools/checks. */
export const tools = join(root, "tools/checks/node_modules");

/** The file of a tool's command. */
export function binary(name: string, command: string = name): string {
  const folder = join(tools, name);
  const { bin } = json(join(folder, "package.json")) as { bin: string | Record<string, string> };
  return join(folder, typeof bin === "string" ? bin : bin[command]!);
}

export function json(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** An empty folder of this run. */
export function newFolder(name: string): string {
  return mkdtempSync(join(engineSetup().folder, `${name}-`));
}

/** The manifest of a user's package: the tarball and Pulumi's SDK, in the version of the lock file by default. */
export function manifest(name: string, pulumi?: string): object {
  const { tarball, template } = engineSetup();
  const { dependencies } = json(join(template, "package.json")) as { dependencies: Record<string, string> };
  const sdk = pulumi ?? dependencies["@pulumi/pulumi"]!;
  return {
    name,
    version: "1.0.0",
    private: true,
    main: "index.js",
    dependencies: { "@pulumi/pulumi": sdk, "pulumi-tunnel-gateway": `file:${tarball}` },
  };
}

/** A resource that refers to another one: all that a program needs to show of an installation. */
export const twoResources = `
  const { IpPolicy, IpPolicyRule } = require("pulumi-tunnel-gateway");
  const office = new IpPolicy("office", { description: "offices" });
  new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
`;

/** A plain program of these files, with nothing installed. */
export function uninstalled(name: string, files: Record<string, string> = {}): Program {
  const own = { "package.json": JSON.stringify(manifest(name)), "index.js": twoResources };
  return new Program({ name, kind: "cjs", install: "none", files: { ...own, ...files } });
}

/** Deploys the two resources and takes them away again. */
export async function deploys(
  program: Program,
  emulator: EmulatorProcess,
  env: Record<string, string> = {},
): Promise<void> {
  const stack = await program.stack({ env: { ...emulator.env, ...env } });
  await stack.up();
  expect(Object.keys(resources(stack)).sort()).toEqual(["lan", "office"]);
  expectShims(stack);
  await stack.destroy();
  const { ip_policies, ip_policy_rules } = await emulator.state();
  expect([ip_policies, ip_policy_rules]).toEqual([[], []]);
}

/** Expects that the state holds what every installation stores of a provider, so that none plans a change of another's. */
function expectShims(stack: Stack): void {
  for (const [name, { type, inputs, outputs }] of Object.entries(resources(stack))) {
    const shim = shimOf(type.split(":").at(-1)!);
    expect([name, inputs!.__provider, outputs!.__provider]).toEqual([name, shim, shim]);
  }
}
