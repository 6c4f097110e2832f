import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { hostedTunnelGateway } from "./cli";
import { cjs, idOf } from "./support";

const start = EmulatorProcess.forOneTest();

describe("the objects of an account beside a stack", () => {
  it("are listed, for people too", async () => {
    const emulator = await start();
    const made = await emulator.api("POST", "/ip_policies", { description: "made by\nhand" });
    const main = cjs(`
      const list = new (require("pulumi-tunnel-gateway").IpAccessList)("own", { allow: ["203.0.113.0/24"] });
      exports.policyId = list.policyId;
    `);
    const stack = await main.stack({ config: emulator.config });
    await stack.up();
    const open = { ip_policy_id: idOf(stack, "own"), cidr: "0.0.0.0/0", action: "allow" };
    const rule = await emulator.api("POST", "/ip_policy_rules", open);
    writeFileSync(join(main.dir, "note"), "");
    const result = await hostedTunnelGateway(main, stack, [
      "orphans",
      "--stack",
      stack.name,
      "--write",
      "none.json",
    ]);
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toContain(made.id);
    expect(result.stdout).toContain("made by\\nhand");
    expect(result.stdout).toContain(rule.id);
    expect(result.stdout).toMatch(/^IpPolicyRule .* 0\.0\.0\.0\/0 allow .* drift of IpPolicyRuleSet own$/m);
    expect(result.stdout).toContain("so no file is written");
    expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toHaveLength(4);
  });

  it("are compared with the planned creates also where the environment makes Pulumi stream its preview", async () => {
    const emulator = await start();
    const main = cjs(`
      new IpPolicy("own");
      new IpPolicyRule("lost", { ipPolicyId: "ipp_none", cidr: "203.0.113.0/24", action: "allow" });
    `);
    const stack = await main.stack({ config: emulator.config });
    expect((await stack.up({ exitCode: "any" })).exitCode).not.toBe(0);
    const result = await hostedTunnelGateway(main, stack, ["orphans", "--stack", stack.name, "--planned"], {
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
    });
    if (result.exitCode !== 0) throw new Error(result.stderr);
    expect(result.stdout).toContain("The stack manages all objects that the account lists.");
  });
});
