import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import { registryForTests } from "../../support/registry";
import { expectPlaces, idOf, resources, transpileOnly, writes } from "../../engine/support";
import { expectShims, json, manifest, root, succeed } from "./support";

const { peerDependencies } = json(join(root, "package.json")) as { peerDependencies: Record<string, string> };

/** The first version of the peer range, and the newest tried; all other tests take the one of the lock file. */
const { version: newest } = json(join(root, "tools/checks/node_modules/pulumi-newest/package.json")) as {
  version: string;
};
const versions = {
  oldest: peerDependencies["@pulumi/pulumi"]!.replace(/^\^/, ""),
  newest,
};

const program = (description: string, range: string) => `
  import * as pulumi from "@pulumi/pulumi";
  import { ApiKey, IpPolicy, IpPolicyRule, Provider } from "pulumi-tunnel-gateway";

  const office = new IpPolicy("office", { description: "${description}" });
  new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "${range}", action: "allow" });
  const key = new ApiKey("pipeline", { description: pulumi.interpolate\`for \${office.id}\` });
  export const token = key.token;

  const config = new pulumi.Config("tunnel-gateway");
  const partner = new Provider("partner", {
    apiKey: config.requireSecret("apiKey"),
    baseUrl: config.require("baseUrl"),
  });
  new IpPolicy("partner-office", {}, { provider: partner });
  const existing = config.get("existing");
  export const found =
    existing === undefined ? undefined : IpPolicy.get("existing", existing).description;
`;

describe.each(Object.entries(versions))("with the %s @pulumi/pulumi", (_, wanted) => {
  const emulator = EmulatorProcess.forTests();
  const registry = registryForTests();

  it("a program is deployed, changed, refreshed and destroyed", async () => {
    const own = new Program({
      install: "none",
      files: {
        "index.ts": program("offices", "203.0.113.0/24"),
        "package.json": JSON.stringify({ ...manifest("program", wanted), main: "index.ts" }),
      },
    });
    await succeed("npm", ["install"], { cwd: own.dir, env: registry.env });
    const { version } = json(join(own.dir, "node_modules/@pulumi/pulumi/package.json")) as {
      version: string;
    };
    expect(version).toBe(wanted);

    const stack = await own.stack({ config: emulator.config, env: transpileOnly });
    const checked = { PULUMI_NODEJS_TRANSPILE_ONLY: undefined }; // the types of the others are the same
    await stack.up({ env: checked });
    const { token } = await stack.outputs(true);
    expect(token).toMatch(/^emulated_/);
    expectPlaces(stack);
    expectShims(stack);
    expect(stack.stateText()).not.toContain(token);
    expect(stack.stateText()).not.toContain(emulator.apiKey);

    // an update in place and a replacement
    const rule = idOf(stack, "lan");
    own.write(program("offices and VPN", "198.51.100.0/24").replace('"allow"', '"deny"'));
    await emulator.clearRequests();
    await stack.up();
    expect(Object.values(await writes(emulator))).toContainEqual({ description: "offices and VPN" });
    expect(idOf(stack, "lan")).not.toBe(rule);

    // a drift: read tells inputs, so the next preview shows it and the next up mends it
    const policy = idOf(stack, "office");
    await emulator.api("PATCH", `/ip_policies/${policy}`, { description: "drifted" });
    await stack.refresh();
    await emulator.clearRequests();
    const { output } = await stack.preview({ args: ["--diff"] });
    expect(output).toMatch(/~ description: "drifted" => "offices and VPN"/);
    expect(await emulator.requestLines()).toEqual([]);

    // and an object that another program manages
    const made = await emulator.api("POST", "/ip_policies", { description: "by hand" });
    stack.config({ "tunnel-gateway:existing": String(made.id) });
    await emulator.clearRequests();
    await stack.up();
    expect(await writes(emulator)).toEqual({
      [`PATCH /ip_policies/${policy}`]: { description: "offices and VPN" },
    });
    expect((await stack.outputs()).found).toBe("by hand");
    await stack.previewNoChanges();

    await stack.destroy();
    expect(resources(stack)).toEqual({});
    const { ip_policies, ip_policy_rules, api_keys } = await emulator.state();
    expect([ip_policies!.map(({ id }) => id), ip_policy_rules, api_keys]).toEqual([[made.id], [], []]);
    // It installs the whole SDK before all of its commands.
  }, 600_000);
});
