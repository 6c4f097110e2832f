import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import { registryForTests } from "../support/registry";
import { deploys, manifest, succeed, twoResources } from "../full/package/support";

describe("npm", () => {
  const emulator = EmulatorProcess.forTests();
  const registry = registryForTests();

  it("installs the package for a program in a folder of a workspace", async () => {
    const workspace = new Program({
      name: "workspace",
      install: "none",
      files: {
        "package.json": JSON.stringify({ name: "workspace", private: true, workspaces: ["packages/*"] }),
        "packages/infra/package.json": JSON.stringify(manifest("infra")),
        "packages/infra/Pulumi.yaml": JSON.stringify({ name: "workspace", runtime: "nodejs" }),
        "packages/infra/index.js": twoResources,
      },
    });
    await succeed("npm", ["install"], { cwd: workspace.dir, env: registry.env });
    await deploys(workspace, emulator, { PULUMI_OPTION_CWD: "packages/infra" });
  });
});
