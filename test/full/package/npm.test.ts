import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import { deploys, manifest, succeed, twoResources } from "./support";

describe("npm", () => {
  let emulator: EmulatorProcess;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
  });
  afterAll(() => emulator.stop());

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
    await succeed("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: workspace.dir });
    await deploys(workspace, emulator, { PULUMI_OPTION_CWD: "packages/infra" });
  });
});
