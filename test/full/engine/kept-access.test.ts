/** Kept access on the real engine, through both doors: the review reports a loss, and the setting of the stack is only warned of. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { tunnelGateway } from "../../engine/cli";
import { cjs, doors, rewrite } from "../../engine/support";

const office = "203.0.113.0/24";
const key = "tunnel-gateway:keepAccess";
const statements = (...ranges: string[]): string => `
const { IpPolicyRuleSet, TcpEdge } = require("pulumi-tunnel-gateway");
const policy = new IpPolicy("staff", { description: "staff" });
const rules = ${JSON.stringify(Object.fromEntries(ranges.map((range) => [range, "allow"])))};
const set = new IpPolicyRuleSet("staff", { ipPolicyId: policy.id, rules });
new TcpEdge("database", {
  description: "database", hostports: ["database.example.com:5432"], ipRestriction: { ipPolicyIds: [set.ipPolicyId] },
});
`;

describe.each(doors)("kept access through the %s door", (door) => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs(statements(office, "192.0.2.0/24"), { door });
    stack = await program.stack({ config: emulator.config });
    await stack.pulumi(["config", "set", "--path", `${key}.office[0]`, office, "--stack", stack.name]);
    await stack.up();
    rewrite(program, statements("192.0.2.0/24"));
  });

  it("is reported by the review", async () => {
    writeFileSync(
      join(program.dir, ".tunnel-gateway-review.json"),
      JSON.stringify({ keepAccess: { office: [office] } }),
    );
    const { exitCode, stdout } = await tunnelGateway(program, stack, ["review", "--stack", stack.name]);
    expect(stdout).toContain(
      `error   access/kept-access-lost  TcpEdge database: "office" may lose its access: ${office} (256 addresses), which no rule covers`,
    );
    expect(exitCode).toBe(3);
  });

  it("of the stack's configuration is a warning and stops no deployment", async () => {
    const { output } = await stack.up();
    expect(output).toMatch(
      /^ +warning: tunnel-gateway:keepAccess is not a setting of pulumi-tunnel-gateway/m,
    );
    const { ip_policy_rules: rules } = await emulator.state();
    expect(rules!.map(({ cidr }) => cidr)).toEqual(["192.0.2.0/24"]);
    await stack.destroy();
  });
});
