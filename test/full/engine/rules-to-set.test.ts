/** Single rules that become one set, in a deployment that is killed while it removes them from the state, and the way back. */
import { hostedTunnelGateway } from "../../engine/cli";
import { killBetweenWrites } from "../../engine/kill-between-writes";
import { cjs, doors, ownResources, pluginsOf, rewrite } from "../../engine/support";
import { EmulatorProcess } from "../../support/emulator-process";
import { killAllOf, killProcess } from "../../support/processes";
import { until } from "../../support/until";

const start = EmulatorProcess.forOneTest();

// Processes are found through /proc.
const onLinux = process.platform === "linux" ? describe : describe.skip;

/** Pulumi removes what nothing depends on first: some of the rules, then a policy that holds it up, then those that are left. */
const [count, left] = [60, 36];
const body = `
  const { IpPolicyRuleSet } = require("pulumi-tunnel-gateway");
  const policy = new IpPolicy("policy");
  const entries = [...Array(${count}).keys()].map((i) => ["10.0." + i + ".0/24", i % 2 ? "deny" : "allow"]);
  const rule = (opts) => ([cidr, action]) => new IpPolicyRule(cidr, { ipPolicyId: policy.id, cidr, action }, opts);
  if (require("fs").existsSync(__dirname + "/set"))
    new IpPolicyRuleSet("set", { ipPolicyId: policy.id, rules: Object.fromEntries(entries) });
  else {
    const between = new IpPolicy("between", {}, { dependsOn: entries.slice(0, ${left}).map(rule({})) });
    entries.slice(${left}).map(rule({ dependsOn: between }));
  }
`;

onLinux.each(doors)("single rules of the %s door that become a set", (door) => {
  const emulator = EmulatorProcess.forTests();

  it("stay where the deployment was killed while it removed them", async () => {
    const program = cjs(body, { door });
    const stack = await program.stack({ env: emulator.env });
    await stack.up();
    const held = async () =>
      (await emulator.state()).ip_policy_rules!.map(({ id, cidr, action }) => [id, cidr, action]);
    const before = await held();
    expect(before).toHaveLength(count);

    program.write({ set: "" });
    await emulator.setFaults({ rules: [{ kind: "hang", method: "DELETE", path: "/ip_policies" }] });
    const running = stack.start(["up", "--yes", "--skip-preview", "--stack", stack.name]);
    await until(
      () => singles().length === left,
      () => singles().length + running.output(),
    );
    await killBetweenWrites(stack, running.pid, () => {
      for (const { pid } of pluginsOf(stack)) killProcess(pid);
    });
    await running.done;
    killAllOf(stack);
    await emulator.setFaults();
    await stack.pulumi(["cancel", "--yes", "--stack", stack.name]);
    expect(singles()).toHaveLength(left);

    const review = await hostedTunnelGateway(program, stack, ["review", "--stack", stack.name], emulator.env);
    expect(review.stdout).toContain(`it keeps ${left} IP policy rules that the preview shows as deleted`);
    const [set] = urnsOf("IpPolicyRuleSet");
    const [first, second] = singles();
    await emulator.clearRequests();
    await stack.up({ args: ["--target", first!, "--target", set!, "--target-dependents"] });
    expect(await writes()).toEqual([expect.stringMatching(/^DELETE \/ip_policies\//)]);
    expect(await held()).toEqual(before);
    await emulator.clearRequests();
    // Pulumi asks nothing about a set that is no target.
    await stack.up({ args: ["--target", second!] });
    expect(await writes()).toEqual([expect.stringMatching(/^DELETE \/ip_policy_rules\//)]);
    await emulator.ageObjects();
    await stack.refresh();

    await emulator.clearRequests();
    const { output } = await stack.up();
    expect(output).toContain("the rules stay, and only the state changes");
    expect(await writes()).toEqual(["POST /ip_policy_rules"]);
    const ids = new Set(before.map(([id]) => id));
    const after = await held();
    expect(after.filter(([id]) => ids.has(id))).toHaveLength(count - 1);
    expect(after.map(withoutId).sort()).toEqual(before.map(withoutId).sort());
    expect(singles()).toEqual([]);
    await stack.refresh();
    await stack.previewNoChanges();

    function withoutId([, cidr, action]: readonly unknown[]): string {
      return `${String(cidr)} ${String(action)}`;
    }
    function urnsOf(type: string): string[] {
      return ownResources(stack).flatMap((each) => (each.type.endsWith(`:${type}`) ? [each.urn] : []));
    }
    function singles(): string[] {
      return urnsOf("IpPolicyRule");
    }
    async function writes(): Promise<string[]> {
      return (await emulator.requestLines()).filter((line) => !line.startsWith("GET"));
    }
  });
});

it("a set leaves the rules that took its place by an import", async () => {
  const emulator = await start();
  const rules = { "192.0.2.0/25": "deny", "198.51.100.0/24": "allow" };
  const policy = `const policy = new IpPolicy("policy");`;
  const together = `
    const { IpPolicyRuleSet } = require("pulumi-tunnel-gateway");
    new IpPolicyRuleSet("set", { ipPolicyId: policy.id, rules: ${JSON.stringify(rules)} });
  `;
  const program = cjs(policy + together);
  const stack = await program.stack({ env: emulator.env });
  await stack.up();
  const [denied] = (await emulator.state()).ip_policy_rules!.filter(({ action }) => action === "deny");

  const args = `{ ipPolicyId: policy.id, cidr: "192.0.2.0/25", action: "deny" }`;
  rewrite(program, `${policy} new IpPolicyRule("lab", ${args}, { protect: true });`);
  const take = ["import", "IpPolicyRule", "lab", String(denied!.id), "--stack", stack.name, "--run"];
  const { exitCode, stdout, stderr } = await hostedTunnelGateway(program, stack, take, emulator.env);
  expect([exitCode, stdout + stderr]).toEqual([0, expect.stringContaining("1 resource was imported")]);

  const review = await hostedTunnelGateway(program, stack, ["review", "--stack", stack.name], emulator.env);
  expect(review.stdout).not.toContain("interruption/undone");
  const { output } = await stack.up();
  expect(output).toContain("leaves 1 rule that the program declares for the policy");
  expect((await emulator.state()).ip_policy_rules).toEqual([denied]);
  await stack.refresh();
  await stack.previewNoChanges();
});

it("a set that gives up a range leaves its rule to the resource that it waits for", async () => {
  const emulator = await start();
  const policy = `const { IpPolicyRuleSet } = require("pulumi-tunnel-gateway"); const policy = new IpPolicy("policy");`;
  const lab = `
    const args = { ipPolicyId: policy.id, cidr: "192.0.2.0/25", action: "deny" };
    const lab = new IpPolicyRule("lab", args, { protect: true });
  `;
  const set = (rules: Record<string, string>, options = "{}"): string => `
    const rules = ${JSON.stringify(rules)};
    new IpPolicyRuleSet("set", { ipPolicyId: policy.id, exclusive: false, rules }, ${options});
  `;
  const [given, kept] = [{ "192.0.2.0/25": "deny" }, { "198.51.100.0/24": "allow" }];
  const program = cjs(policy + set({ ...given, ...kept }));
  const stack = await program.stack({ env: emulator.env });
  await stack.up();
  const rules = async () => (await emulator.state()).ip_policy_rules!;
  const before = await rules();
  const denied = before.find(({ action }) => action === "deny")!;

  rewrite(program, policy + lab + set({ ...given, ...kept }));
  const take = ["import", "IpPolicyRule", "lab", String(denied.id), "--stack", stack.name, "--run"];
  const { exitCode, stdout, stderr } = await hostedTunnelGateway(program, stack, take, emulator.env);
  expect([exitCode, stdout + stderr]).toEqual([0, expect.stringContaining("1 resource was imported")]);

  rewrite(program, policy + lab + set(kept, "{ dependsOn: lab }"));
  await stack.up();
  expect(await rules()).toEqual(before);
  await stack.refresh();
  await stack.previewNoChanges();
});
