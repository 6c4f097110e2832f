import { existsSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { binary, deploys, registry, succeed, uninstalled } from "./support";

describe("Yarn", () => {
  let emulator: EmulatorProcess;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
  });
  afterAll(() => emulator.stop());

  it("installs the package in version 1", async () => {
    const { server, certificates } = await registry();
    const program = uninstalled("yarn-classic");
    await succeed(process.execPath, [binary("yarn"), "install", "--non-interactive", "--no-lockfile"], {
      cwd: program.dir,
      env: { yarn_registry: server, ...(certificates && { yarn_cafile: certificates }) },
    });
    await deploys(program, emulator);
  });

  it("installs the package in its present version, with the linker node-modules", async () => {
    const program = uninstalled("yarn-modules");
    await installWithBerry(program.dir, "node-modules");
    await deploys(program, emulator);
  });

  it("installs the package with Plug'n'Play", async () => {
    const program = uninstalled("yarn-pnp");
    await installWithBerry(program.dir, "pnp");
    expect(existsSync(join(program.dir, "node_modules"))).toBe(false);
    await deploys(program, emulator, { NODE_OPTIONS: `--require ${join(program.dir, ".pnp.cjs")}` });
  });
});

async function installWithBerry(cwd: string, linker: string): Promise<void> {
  const { server, certificates } = await registry();
  const env = {
    YARN_NODE_LINKER: linker,
    YARN_NPM_REGISTRY_SERVER: server,
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    YARN_ENABLE_TELEMETRY: "false",
    ...(certificates && { YARN_HTTPS_CA_FILE_PATH: certificates }),
  };
  await succeed(process.execPath, [binary("@yarnpkg/cli-dist", "yarn"), "install"], { cwd, env });
}
