import { EmulatorProcess } from "../support/emulator-process";
import { cjs, rewrite } from "./support";

let emulator: EmulatorProcess;
beforeAll(async () => {
  emulator = await EmulatorProcess.start();
});
afterEach(() => emulator.reset());
afterAll(() => emulator.stop());

const gateway = `const { IpAccessList, IpPolicyRuleSet, TcpEdge, TlsEdgeIpRestriction, TunnelGroupBackend } =
  require("pulumi-tunnel-gateway");
const restrictedTo = (...ipPolicyIds) => ({ ipRestriction: { ipPolicyIds } });
const policy = new IpPolicy("policy");
`;
const rules = (count: number) => `
for (let i = 0; i < ${count}; i++)
  new IpPolicyRule("rule" + i, { ipPolicyId: policy.id, cidr: "10." + i + ".0.0/16", action: "allow" });
`;

/** The places of the writes to a collection among all writes. */
async function places(method: string, path: string): Promise<number[]> {
  const writes = (await emulator.requestLines()).filter((line) => !line.startsWith("GET"));
  return writes.flatMap((line, i) => (line.startsWith(`${method} ${path}`) ? [i] : []));
}

it("creates an edge after 33 rules that its program declares later, and deletes it before them", async () => {
  const program = cjs(`${gateway} new TcpEdge("edge", restrictedTo(policy.id)); ${rules(33)}`);
  const stack = await program.stack({ config: emulator.config });
  await stack.up();
  expect(await places("POST", "/edges/tcp")).toEqual([34]);
  expect((await stack.previewJson()).changes).toEqual([]);

  await emulator.clearRequests();
  await stack.destroy();
  expect(await places("DELETE", "/edges/tcp")).toEqual([0]);
  expect(await emulator.state()).toMatchObject({ ip_policy_rules: [], "edges/tcp": [] });
});

it("replaces a flipped rule alone, and leaves the edge that waits for it as it is", async () => {
  const edge = `new TcpEdge("edge", restrictedTo(policy.id));`;
  const rule = (action: string) =>
    `new IpPolicyRule("flip", { ipPolicyId: policy.id, cidr: "192.0.2.0/24", action: "${action}" });`;
  const program = cjs(gateway + edge + rules(2) + rule("allow"));
  const stack = await program.stack({ config: emulator.config });
  await stack.up();
  rewrite(program, gateway + edge + rules(2) + rule("deny"));
  const plan = await stack.previewJson();
  expect(plan.changes.map(({ op, name }) => `${op} ${name}`)).toEqual(["replace flip"]);
  await emulator.clearRequests();
  await stack.up();
  const methods = (await emulator.requests()).map(({ method }) => method).filter((each) => each !== "GET");
  expect(methods).toEqual(["DELETE", "POST"]);
});

it("ends a program with a circle in time, with the resources of the circle or with Pulumi's message", async () => {
  const edge = `const edge = new TcpEdge("edge", restrictedTo(policy.id));`;
  const rule = (from: string) =>
    `new IpPolicyRule("rule", { ipPolicyId: policy.id, cidr: "10.0.0.0/8", action: "allow", description: ${from} });`;
  const program = cjs(
    `${gateway}${edge}
     const between = new TunnelGroupBackend("between", { labels: { edge: edge.id } });
     ${rule("between.id")}`,
  );
  const stack = await program.stack({ config: emulator.config });
  const known = await stack.preview({ exitCode: "any" });
  expect(known.exitCode).not.toBe(0);
  expect(known.output).toContain(
    'TcpEdge "edge" -> IpPolicyRule "rule" -> TunnelGroupBackend "between" -> TcpEdge "edge"',
  );

  rewrite(
    program,
    `${gateway}${edge}
     const foreign = new pulumi.CustomResource("pulumi:pulumi:StackReference", "foreign", { name: edge.id });
     ${rule("foreign.id")}`,
  );
  const hidden = await stack.preview({ exitCode: "any" });
  expect(hidden.exitCode).not.toBe(0);
  expect(hidden.output).toContain("before the following resource");
});
