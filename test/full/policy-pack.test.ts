import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Stack } from "../support/engine";

/**
 * A pack of the package's policies, with one access test. The CLI starts a file that is executable as a pack's plugin:
 * the language host that is built here is too old to start packs.
 */
const pack = {
  "pack/PulumiPolicy.yaml": JSON.stringify({ runtime: "nodejs", main: "index.js" }),
  "pack/package.json": JSON.stringify({ name: "pack", version: "1.0.0", main: "index.js" }),
  "pack/run": `#!${process.execPath}
    process.chdir(__dirname);
    process.argv.push(".");
    require("@pulumi/pulumi/cmd/run-policy-pack");
  `,
  "pack/index.js": `
    const { PolicyPack } = require("@pulumi/policy");
    const { accessTests, policies } = require("pulumi-tunnel-gateway/policy");
    const office = { resource: "TcpEdge office", allowed: ["203.0.113.7"], notAllowed: ["198.51.100.0/24"] };
    new PolicyPack("gateway", { policies: [...policies, accessTests([office])] });
  `,
};

const program = (range: string): string => `
  const { IpPolicy, IpPolicyRule, TcpEdge } = require("pulumi-tunnel-gateway");
  const policy = new IpPolicy("office", { description: "office", metadata: "team=network" });
  new IpPolicyRule("range", { ipPolicyId: policy.id, cidr: "${range}", action: "allow" });
  new TcpEdge("office", { description: "office", ipRestriction: { ipPolicyIds: [policy.id] } });
`;

const emulator = EmulatorProcess.forTests();
let stack: Stack;
const withPack = { args: ["--policy-pack", "pack/run"] };

beforeAll(async () => {
  const own = new Program({ kind: "cjs", files: { "index.js": program("203.0.113.0/24"), ...pack } });
  chmodSync(join(own.dir, "pack/run"), 0o755);
  mkdirSync(join(own.dir, "pack/node_modules/@pulumi"), { recursive: true });
  for (const name of ["policy", "pulumi"])
    symlinkSync(resolve("node_modules/@pulumi", name), join(own.dir, "pack/node_modules/@pulumi", name));
  stack = await own.stack({ config: emulator.config });
});

test("a pack lets a program pass whose access is as its tests say, and deploys it", async () => {
  const { output } = await stack.up(withPack);
  expect(output).toContain("gateway@v1.0.0");
  expect(output).not.toContain("[mandatory]");
  expect((await emulator.state()).ip_policy_rules).toMatchObject([{ cidr: "203.0.113.0/24" }]);
});

const cidrs = async () => (await emulator.state()).ip_policy_rules!.map(({ cidr }) => cidr);

test("a preview names the rule of each violation", async () => {
  stack.program.write(program("0.0.0.0/0"));
  const { exitCode, output } = await stack.preview({ ...withPack, exitCode: "any" });
  expect(exitCode).not.toBe(0);
  expect(output).toMatch(/\[mandatory\]\s+tunnel-gateway-open-cidr .*IpPolicyRule: range/);
  expect(output).toContain('IpPolicyRule "range": it allows 0.0.0.0/0, which is every IPv4 address.');
  expect(output).toMatch(/\[mandatory\]\s+tunnel-gateway-access-tests .*TcpEdge: office/);
  expect(output).toContain("must not be allowed: an allow rule covers it (IpPolicyRule range)");
});

test("a deployment ends at a resource that violates a policy, before it is changed", async () => {
  const { exitCode, output } = await stack.up({ ...withPack, exitCode: "any" });
  expect(exitCode).not.toBe(0);
  expect(output).toContain("tunnel-gateway-open-cidr");
  expect(await cidrs()).toEqual(["203.0.113.0/24"]);
});

test("without a preview, Pulumi holds access tests against what it has deployed already", async () => {
  stack.program.write(program("198.51.100.0/24"));
  const before = await stack.preview({ ...withPack, exitCode: "any" });
  expect(before.exitCode).not.toBe(0);
  expect(await cidrs()).toEqual(["203.0.113.0/24"]);
  const { exitCode, output } = await stack.up({ ...withPack, exitCode: "any" });
  expect(exitCode).not.toBe(0);
  expect(output).toContain("tunnel-gateway-access-tests");
  expect(await cidrs()).toEqual(["198.51.100.0/24"]);
});

test("policy analyze holds a state against the pack, without the program and without a request", async () => {
  stack.program.write(program("0.0.0.0/0"));
  await stack.up();
  await emulator.clearRequests();
  const analyze = ["policy", "analyze", "--stack", stack.name, "--policy-pack", "pack/run"];
  const { exitCode, output } = await stack.pulumi(analyze, { exitCode: "any" });
  expect(exitCode).not.toBe(0);
  expect(output).toContain('IpPolicyRule "range": it allows 0.0.0.0/0, which is every IPv4 address.');
  expect(output).toContain("must not be allowed: an allow rule covers it (IpPolicyRule range)");
  expect(await emulator.requestLines()).toEqual([]);

  stack.program.write(program("203.0.113.0/24"));
  await stack.up();
  expect((await stack.pulumi(analyze)).output).not.toContain("[mandatory]");
});
