/** Deployments through the broker with the real CLI: what was approved is sent, and nothing else. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { DoorName } from "../../support/engine";
import { doors, rewrite } from "../../engine/support";
import { approved, deployed as deployedStack, type Deployment } from "./deployments";

const start = EmulatorProcess.forOneTest();

const before = `
  const office = new IpPolicy("office", { description: "office" });
  const rule = (name, policy, cidr, action) => new IpPolicyRule(name, { ipPolicyId: policy.id, cidr, action });
  rule("berlin", office, "203.0.113.0/24", "allow");
  rule("old", office, "198.51.100.0/24", "allow");
`;
const after = `
  const office = new IpPolicy("office", { description: "office networks" });
  const rule = (name, policy, cidr, action) => new IpPolicyRule(name, { ipPolicyId: policy.id, cidr, action });
  rule("berlin", office, "203.0.113.0/24", "allow");
  rule("guests", office, "203.0.113.128/25", "deny");
  const vpn = new IpPolicy("vpn", { description: "vpn" });
  for (let i = 0; i < 4; i++) rule("vpn" + i, vpn, "10." + i + ".0.0/16", "allow");
  new ApiKey("monitoring", { description: "monitoring" });
`;

interface Case extends Deployment {
  readonly emulator: EmulatorProcess;
}

async function deployed(body: string, door?: DoorName): Promise<Case> {
  const emulator = await start();
  return { ...(await deployedStack(body, emulator.env, { door })), emulator };
}

it.each(doors)(
  "by the %s door sends what was approved, without the key, and the stack is what a plain deployment makes of it",
  async (door) => {
    const { emulator, program, stack, approve, deploy } = await deployed(before, door);
    rewrite(program, `${after}\nconsole.log("the key is " + process.env.TUNNEL_GATEWAY_API_KEY);`);
    const saved = await approve();
    expect([saved.exitCode, saved.stderr]).toEqual([0, "The approval is written to approval.json\n"]);

    const { exitCode, stdout, stderr } = await deploy(...approved);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("the key is undefined");
    const { ip_policies, ip_policy_rules, api_keys } = await emulator.state();
    expect([ip_policies, ip_policy_rules, api_keys].map((all) => all!.length)).toEqual([2, 6, 1]);
    await stack.previewNoChanges();
    await stack.refresh();
    await stack.previewNoChanges();
    for (const file of ["approval.json", "approval.json.log"])
      expect(readFileSync(join(program.dir, file), "utf8")).not.toContain(emulator.apiKey);
  },
);

it("refuses what a program does in the deployment and not in its preview", async () => {
  const { emulator, program, approve, deploy } = await deployed(before);
  rewrite(
    program,
    `${before}
      const open = pulumi.runtime.isDryRun() ? "192.0.2.0/24" : "0.0.0.0/0";
      rule("everybody", office, open, "allow");
    `,
  );
  expect((await approve()).exitCode).toBe(0);
  const { exitCode, stdout, stderr } = await deploy(...approved);
  expect(exitCode).toBe(3);
  expect(stdout + stderr).toContain("the broker refuses what was not approved");
  expect(stderr).toContain(
    'The broker refused 1 write:\n  POST /ip_policy_rules: it was approved with another value of "/cidr"',
  );
  expect(stderr).toContain("Approved and not sent: 1 write:");
  expect((await emulator.state()).ip_policy_rules).toHaveLength(2);
});

// What is resumed after a kill: test/simulation/broker.test.ts, and on the engine a deployment that broke off in test/full/examples.
it("refuses a stack whose configuration holds the key, and lets everything pass in an emergency, loudly", async () => {
  const { program, stack, approve, deploy, emulator } = await deployed(before);
  rewrite(program, after);
  expect((await approve()).exitCode).toBe(0);
  writeFileSync(join(program.dir, "key"), emulator.apiKey, { mode: 0o644 });
  const open = await deploy(...approved, "--key-file", "key");
  expect([open.exitCode, open.stderr]).toEqual([
    1,
    "other users can read the key in key: run chmod 600 on it\n",
  ]);

  await stack.pulumi([
    "config",
    "set",
    "--secret",
    "tunnel-gateway:apiKey",
    emulator.apiKey,
    "--stack",
    stack.name,
  ]);
  const held = await deploy(...approved);
  expect(held.exitCode).toBe(1);
  expect(held.stderr).toContain(`the configuration of the stack ${stack.name} holds tunnel-gateway:apiKey`);
  await stack.pulumi(["config", "rm", "tunnel-gateway:apiKey", "--stack", stack.name]);

  const emergency = await deploy("--unapproved", "--reason", "INC-1");
  expect(emergency.exitCode).toBe(4);
  expect(emergency.stderr).toContain("UNAPPROVED: every write passes, because: INC-1.");
  expect(readFileSync(join(program.dir, "unapproved.log"), "utf8")).toContain(
    '"method":"POST","path":"/ip_policies"',
  );
  await stack.previewNoChanges();
});
