import { mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { shimOf } from "../../src/runtime/shim";
import { EmulatorProcess } from "../support/emulator-process";
import { engineSetup } from "../support/engine-setup";
import { hookNames, PluginProcess } from "../support/plugin-process";
import type { StackState } from "../support/engine";
import { cjs, resources, stackTrace } from "./support";

/** The text in a kept state of an earlier version. */
function keptShim(): string {
  const file = resolve(__dirname, "../fixtures/states/0.1.0/state.json");
  const { deployment } = JSON.parse(readFileSync(file, "utf8")) as StackState;
  const policy = deployment.resources!.find(({ type }) => type.endsWith(":IpPolicy"));
  return policy!.inputs!.__provider as string;
}

const message = (folder: string): string =>
  `Run "npm ci" in ${folder}: pulumi-tunnel-gateway cannot be loaded ` +
  "(Cannot find module 'pulumi-tunnel-gateway/provider')";

describe("where the package is missing", () => {
  it.each([
    ["a resource of this version", shimOf("IpPolicy")],
    ["a resource of version 0.1.0", keptShim()],
  ])("every hook of %s says what to run, each time, and prints no stack", async (_, shim) => {
    const folder = realpathSync(mkdtempSync(join(engineSetup().folder, "missing-")));
    const plugin = await PluginProcess.start(folder);
    const failures: [string, string | undefined][] = [];
    for (const hook of [...hookNames, ...hookNames]) failures.push([hook, await plugin.failure(hook, shim)]);
    const printed = await plugin.stop();
    expect(failures).toEqual([...hookNames, ...hookNames].map((hook) => [hook, message(folder)]));
    expect(printed).toContain(message(folder));
    expect(printed).not.toMatch(stackTrace);
  });

  it("refresh and destroy say what to run, and lose nothing", async () => {
    const emulator = await EmulatorProcess.start();
    try {
      const program = cjs('new IpPolicy("office", { description: "offices" });', { install: "copy" });
      const stack = await program.stack({ env: emulator.env });
      await stack.up();
      program.uninstall("pulumi-tunnel-gateway");
      for (const command of ["refresh", "destroy"] as const) {
        const { output } = await stack[command]({ exitCode: 1 });
        expect(output).toContain(message(program.dir));
        expect(output).not.toMatch(stackTrace);
      }
      expect(Object.keys(resources(stack))).toEqual(["office"]);
      expect((await emulator.state()).ip_policies).toHaveLength(1);
    } finally {
      await emulator.stop();
    }
  });
});
