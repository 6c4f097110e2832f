import { existsSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { registryForTests } from "../support/registry";
import { binary, deploys, succeed, uninstalled } from "../full/package/support";

const registry = registryForTests();

/** Yarn takes a folder without a lock file for a part of a project above it. */
const separate = { "yarn.lock": "" };

describe("Yarn", () => {
  const emulator = EmulatorProcess.forTests();

  it("installs the package in version 1", async () => {
    const program = uninstalled("yarn-classic");
    await succeed(process.execPath, [binary("yarn"), "install", "--non-interactive", "--no-lockfile"], {
      cwd: program.dir,
      env: registry.env,
    });
    await deploys(program, emulator);
  });

  it("installs the package in its present version, with the linker node-modules", async () => {
    const program = uninstalled("yarn-modules", separate);
    await installWithBerry(program.dir, "node-modules");
    await deploys(program, emulator);
  });

  it("installs the package with Plug'n'Play", async () => {
    const program = uninstalled("yarn-pnp", separate);
    await installWithBerry(program.dir, "pnp");
    expect(existsSync(join(program.dir, "node_modules"))).toBe(false);
    await deploys(program, emulator, { NODE_OPTIONS: `--require ${join(program.dir, ".pnp.cjs")}` });
  });
});

async function installWithBerry(cwd: string, linker: string): Promise<void> {
  const env = {
    ...registry.env,
    YARN_NODE_LINKER: linker,
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  };
  await succeed(process.execPath, [binary("@yarnpkg/cli-dist", "yarn"), "install"], { cwd, env });
}
