import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";

const emulator = EmulatorProcess.forTests();
afterEach(() => emulator.reset());

const program = (args: string, more = ""): string => `
  const gateway = require("pulumi-tunnel-gateway");
  const pulumi = require("@pulumi/pulumi");
  const list = new gateway.IpAccessList("list", ${args});
  ${more}
  exports.policyId = list.policyId;
`;

const first = `{
  description: "office",
  allow: ["10.0.0.0/8", { cidr: "2001:db8::/32", description: "Berlin" }],
  deny: ["192.0.2.0/24"],
}`;

async function writes(): Promise<string[]> {
  const requests = await emulator.requests();
  return requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} /${path.split("/")[1]}`);
}

/** test/rounds/ip-access-list.test.ts has more changes. */
describe("an IpAccessList", () => {
  it("makes a policy with its rules, changes one of them alone, and takes all away again", async () => {
    const own = new Program({ kind: "cjs", files: program(first) });
    const stack = await own.stack({ config: emulator.config });
    await stack.up();
    const { ip_policies: policies, ip_policy_rules: rules } = await emulator.state();
    expect(policies).toMatchObject([{ description: "office" }]);
    const seen = rules!.map(({ cidr, action, description, ip_policy: policy }) => ({
      ...{ cidr, action, description: description ?? "", policy: (policy as { id: string }).id },
    }));
    const policy = policies![0]!.id;
    expect(seen).toHaveLength(3);
    expect(seen).toContainEqual({ cidr: "10.0.0.0/8", action: "allow", description: "", policy });
    expect(seen).toContainEqual({ cidr: "2001:db8::/32", action: "allow", description: "Berlin", policy });
    expect(seen).toContainEqual({ cidr: "192.0.2.0/24", action: "deny", description: "", policy });
    expect((await stack.outputs()).policyId).toBe(policy);

    // A range that flips: the old rule is deleted first. Order and spelling mean nothing.
    own.write(
      program(`{
        description: "office",
        deny: [{ cidr: "2001:0DB8:0:0::/32", description: "Berlin" }, "192.0.2.0/24"],
        allow: ["10.0.0.0/8"],
      }`),
    );
    const plan = await stack.previewJson();
    expect(plan.changes.map(({ op, name }) => `${op} ${name}`)).toEqual(["update list"]);
    await emulator.clearRequests();
    await stack.up();
    expect(await writes()).toEqual(["DELETE /ip_policy_rules", "POST /ip_policy_rules"]);
    await stack.destroy();
    expect(await emulator.state()).toMatchObject({ ip_policies: [], ip_policy_rules: [] });
  });

  it("reports duplicates, contradictions and wrong ranges in a preview, all at once, and asks nothing", async () => {
    const args = `{ allow: ["10.0.0.0/8", "10.0.0.0/8", "10.0.0.1/8"], deny: ["10.0.0.0/8", pulumi.output("192.0.2.0/24")] }`;
    const stack = await new Program({
      kind: "cjs",
      files: program(
        args,
        `new gateway.IpPolicyRule("r", { ipPolicyId: list.policyId, cidr: "x", action: "allow" });`,
      ),
    }).stack({ config: emulator.config });
    const { output, exitCode } = await stack.preview({ exitCode: "any" });
    expect(exitCode).not.toBe(0);
    for (const problem of [
      'IpAccessList "list"',
      "allow[1]: repeats 10.0.0.0/8, which is already at allow[0]",
      "allow[2]: must be a network address",
      "deny[0]: 10.0.0.0/8 is also at allow[0]",
      "deny[1]: must not be an Output",
      'IpPolicyRule "r"',
    ]) {
      expect(output).toContain(problem);
    }
    expect(output).not.toMatch(/node_modules|\+ +.*IpPolicy /);
    expect(await emulator.requests()).toEqual([]);
  });

  it("warns in a preview of ranges that shadow others", async () => {
    const files = program(`{ allow: ["10.0.0.0/8", "10.1.0.0/16"], deny: ["10.2.0.0/16"] }`);
    const stack = await new Program({ kind: "cjs", files }).stack({ config: emulator.config });
    const { output } = await stack.preview();
    expect(output).toContain("warning: ranges inside other ranges:");
    expect(output).toContain("10.1.0.0/16 is inside 10.0.0.0/8 at allow[0] and has no effect");
    expect(output).toContain("10.2.0.0/16 is inside 10.0.0.0/8 at allow[0]: one range is denied");
  });

  it("hands an explicit provider on to its children", async () => {
    const files = `
      const gateway = require("pulumi-tunnel-gateway");
      const provider = new gateway.Provider("p", { apiKey: "${emulator.apiKey}", baseUrl: "${emulator.baseUrl}" });
      new gateway.IpAccessList("list", { allow: ["10.0.0.0/8"] }, { provider });
    `;
    const stack = await new Program({ kind: "cjs", files }).stack();
    await stack.up();
    expect((await emulator.state()).ip_policy_rules).toHaveLength(1);
  });
});
