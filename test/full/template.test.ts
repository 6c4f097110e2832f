/** A project made from the template for `pulumi new`, as a user makes one. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { engineSetup } from "../support/engine-setup";
import { baseEnv } from "../support/pulumi-command";
import { registryForTests } from "../support/registry";
import { json, newFolder, root, succeed } from "./package/support";

const template = join(root, "templates/tunnel-gateway-typescript");

describe("a project made by pulumi new from the template", () => {
  const emulator = EmulatorProcess.forTests();
  const registry = registryForTests();
  let folder: string;
  let env: Record<string, string>;

  beforeAll(() => {
    folder = newFolder("template");
    const backend = join(folder, "backend");
    mkdirSync(backend);
    env = {
      ...(baseEnv() as Record<string, string>),
      ...registry.env,
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: "for this test",
      TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
    };
  });

  it("has the review of the examples as its workflow", () => {
    const text = (folder: string): string =>
      readFileSync(join(root, folder, ".github/workflows/review.yml"), "utf8");
    expect(text("templates/tunnel-gateway-typescript")).toBe(text("examples/github-actions"));
  });

  it("asks for its settings, installs, passes its test, deploys, and is destroyed", async () => {
    const project = join(folder, "my-gateway");
    mkdirSync(project);
    const pulumi = (...args: string[]) => succeed(engineSetup().pulumi, args, { cwd: project, env });
    // Pulumi prompts for the key, and stores it encrypted. Here it comes from the environment, as in a pipeline.
    const settings = [`tunnel-gateway:baseUrl=${emulator.baseUrl}`];
    await pulumi(
      ...["new", template, "--yes", "--name", "my-gateway", "--description", "mine", "--stack", "dev"],
      ...settings.flatMap((setting) => ["--config", setting]),
    );
    expect(json(join(project, "package.json"))).toMatchObject({ name: "my-gateway" });
    expect(readdirSync(join(project, ".github/workflows"))).toEqual(["review.yml"]);
    const config = await pulumi("config", "--json");
    expect(config).not.toContain(emulator.apiKey);
    expect(JSON.parse(config)).toMatchObject({
      "tunnel-gateway:baseUrl": { value: emulator.baseUrl },
      "my-gateway:office": { value: "203.0.113.0/24" },
    });

    expect(await succeed("npm", ["test"], { cwd: project, env: { ...env, NODE_OPTIONS: "" } })).toMatch(
      /pass 1\n.*fail 0/s,
    );

    await pulumi("up", "--yes", "--non-interactive", "--skip-preview");
    const { ip_policy_rules, "edges/tcp": edges, ip_policies } = await emulator.state();
    expect(ip_policy_rules).toMatchObject([{ cidr: "203.0.113.0/24", action: "allow" }]);
    expect(ip_policies).toHaveLength(1);
    expect(edges).toHaveLength(1);
    await pulumi("preview", "--non-interactive", "--expect-no-changes");
    await pulumi("destroy", "--yes", "--non-interactive", "--skip-preview");
    expect((await emulator.state()).ip_policies).toEqual([]);
  });
});
