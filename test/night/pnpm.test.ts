import { existsSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { registryForTests } from "../support/registry";
import { binary, deploys, manifest, succeed, twoResources, uninstalled } from "../full/package/support";

/** pnpm asks for a decision about install scripts, such as that of protobufjs, which Pulumi's SDK needs and not its script. */
const settings = { "pnpm-workspace.yaml": JSON.stringify({ allowBuilds: { protobufjs: false } }) };

const registry = registryForTests();

async function install(cwd: string): Promise<void> {
  const args = [binary("pnpm"), "install", "--no-frozen-lockfile"];
  await succeed(process.execPath, args, { cwd, env: registry.env });
}

describe("pnpm", () => {
  const emulator = EmulatorProcess.forTests();

  it("installs the package in its strict node_modules", async () => {
    const program = uninstalled("strict", settings);
    await install(program.dir);
    expect(existsSync(join(program.dir, "node_modules/pulumi-tunnel-gateway"))).toBe(true);
    for (const hidden of ["zod", "undici", "hono"])
      expect(existsSync(join(program.dir, "node_modules", hidden))).toBe(false);
    await deploys(program, emulator);
  });

  it("leaves a program that has the package by way of another one with an error that says what to do", async () => {
    const { dependencies } = manifest("own") as { dependencies: Record<string, string> };
    const program = uninstalled("transitive", {
      ...settings,
      "package.json": JSON.stringify({
        name: "transitive",
        private: true,
        dependencies: { "@pulumi/pulumi": dependencies["@pulumi/pulumi"], own: "file:./own" },
      }),
      "own/package.json": JSON.stringify(manifest("own")),
      "own/index.js": twoResources,
      "index.js": 'require("own");',
    });
    await install(program.dir);
    const stack = await program.stack({ env: emulator.env });
    const { output } = await stack.preview({ exitCode: "any" });
    expect(output).toMatch(
      /and finds none: add "pulumi-tunnel-gateway": "\d+\.\d+\.\d+" to the dependencies in /,
    );
    // The message names the folder that the program loads, which is in node_modules.
    expect(output).not.toMatch(/\n\s+at .+[:(]\d+|node:internal/);
  });
});
