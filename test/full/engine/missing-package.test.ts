import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { shimOf } from "../../../src/program/shim";
import { EmulatorProcess } from "../../support/emulator-process";
import { engineSetup } from "../../support/engine-setup";
import { hookNames, PluginProcess } from "../../support/plugin-process";
import { Program } from "../../support/engine";
import type { StackState } from "../../support/engine";
import { cjs, resources, stackTrace } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

/** The text in a kept state of an earlier version. */
function keptShim(): string {
  const file = resolve(__dirname, "../../fixtures/states/0.1.0/state.json");
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
    const emulator = await start();
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
  });

  describe("in a workspace whose library alone depends on the package", () => {
    const manifest = JSON.parse(
      readFileSync(join(engineSetup().template, "node_modules/pulumi-tunnel-gateway/package.json"), "utf8"),
    ) as { version: string };
    /** A program that loads the package from a folder of its own. */
    function workspace(): Program {
      const program = new Program({
        kind: "cjs",
        files: {
          "index.js": `const { IpPolicy } = require("./library"); new IpPolicy("office");`,
          "library/index.js": `module.exports = require("pulumi-tunnel-gateway");`,
        },
        install: "copy",
      });
      mkdirSync(join(program.dir, "library/node_modules"));
      renameSync(
        join(program.dir, "node_modules/pulumi-tunnel-gateway"),
        join(program.dir, "library/node_modules/pulumi-tunnel-gateway"),
      );
      return program;
    }
    const env = { TUNNEL_GATEWAY_API_KEY: "key", TUNNEL_GATEWAY_BASE_URL: "http://127.0.0.1:9" };
    const advice = (folder: string): string =>
      `add "pulumi-tunnel-gateway": "${manifest.version}" to the dependencies in ${join(folder, "package.json")}, and install`;
    const preview = async (program: Program, exitCode: number): Promise<string> => {
      const stack = await program.stack({ env });
      const args = ["preview", "--stack", stack.name];
      const { done } = stack.start(args);
      const result = await done;
      expect(result.exitCode).toBe(exitCode);
      expect(result.output).not.toMatch(/\n\s+at /);
      return result.output;
    };

    it("a preview says what was found and what to add", async () => {
      const program = workspace();
      const output = await preview(program, 1);
      const library = join(realpathSync(program.dir), "library/node_modules/pulumi-tunnel-gateway");
      expect(output).toContain(
        `the program uses pulumi-tunnel-gateway ${manifest.version} of ${library}, but Pulumi works on its resources ` +
          `from ${program.dir} and finds none: ${advice(program.dir)}`,
      );
    });

    it("a preview warns of another version where Pulumi works", async () => {
      const program = workspace();
      const other = join(program.dir, "node_modules/pulumi-tunnel-gateway");
      cpSync(join(program.dir, "library/node_modules/pulumi-tunnel-gateway"), other, { recursive: true });
      writeFileSync(
        join(other, "package.json"),
        JSON.stringify({ ...(manifest as object), version: "0.0.1" }),
      );
      const output = await preview(program, 0);
      expect(output).toContain(`finds version 0.0.1 in ${other}: ${advice(program.dir)}`);
    });
  });
});
