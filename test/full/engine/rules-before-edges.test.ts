import { accessGaps } from "../../../src/emulator";
import { EmulatorProcess } from "../../support/emulator-process";
import { cjs, rewrite } from "../../engine/support";

const emulator = EmulatorProcess.forTests({ accessHistory: true });
afterEach(() => emulator.reset());

const gateway = `const { IpAccessList, TcpEdge } =
  require("pulumi-tunnel-gateway");
const restrictedTo = (...ipPolicyIds) => ({ ipRestriction: { ipPolicyIds } });
const policy = new IpPolicy("policy");
`;

// test/provider/program/after-contents.test.ts has the order in which edges and rules are made, and the circles that it knows.
it("ends a program with a circle that Pulumi alone sees in time, with its message", async () => {
  const program = cjs(
    `${gateway}
     const edge = new TcpEdge("edge", restrictedTo(policy.id));
     const foreign = new pulumi.CustomResource("pulumi:pulumi:StackReference", "foreign", { name: edge.id });
     new IpPolicyRule("rule", { ipPolicyId: policy.id, cidr: "10.0.0.0/8", action: "allow", description: foreign.id });`,
  );
  const stack = await program.stack({ config: emulator.config });
  const { exitCode, output } = await stack.preview({ exitCode: "any" });
  expect(exitCode).not.toBe(0);
  expect(output).toContain("before the following resource");
});

/** The moments of the deployments so far at which an edge is more open than at both ends; then a new history begins. */
async function gaps(): Promise<unknown[]> {
  const found = accessGaps(await emulator.accessHistory());
  await emulator.clearRequests();
  return found;
}

it("is never more open than both ends: creates, moves, flips, shrinks and destroys two edges with one list", async () => {
  const world = (list: string, edges: string): string => `${gateway}
    class Site extends pulumi.ComponentResource {
      constructor(name, args) {
        super("example:index:Site", name);
        this.list = new IpAccessList(name, args, { parent: this });
        this.registerOutputs();
      }
    }
    const provider = new Provider("own", { apiKey: "${emulator.apiKey}", baseUrl: "${emulator.baseUrl}" });
    const site = new Site("site", { ${list} });
    const other = new IpAccessList("other", { allow: ["192.0.2.0/24"] });
    const foreign = new IpPolicy("foreign", {}, { provider });
    new TcpEdge("under a provider", restrictedTo(foreign.id), { provider });
    new IpPolicyRule("foreign", { ipPolicyId: foreign.id, cidr: "198.51.100.0/24", action: "allow" }, { provider });
    ${edges}`;
  const two = (first: string, second: string): string =>
    `new TcpEdge("first", restrictedTo(${first})); new TcpEdge("second", restrictedTo(${second}));`;
  const [own, other] = ["site.list.policyId", "other.policyId"];
  const program = cjs(world(`allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"]`, two(own, own)));
  const stack = await program.stack({ config: emulator.config });
  const deploy = async (list: string, edges: string): Promise<void> => {
    rewrite(program, world(list, edges));
    await stack.up();
    expect(await gaps()).toEqual([]);
  };
  await deploy(`allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"]`, two(own, own));
  await deploy(`allow: ["10.0.0.0/8"], deny: ["10.1.0.0/16"]`, two(own, other));
  await deploy(`allow: ["10.1.0.0/16"], deny: ["10.0.0.0/8"]`, two(own, other));
  await deploy(`allow: ["10.1.0.0/16"]`, two(own, own));
  await deploy(`deny: ["10.1.0.0/16"]`, two(own, own));
  await stack.previewNoChanges();
  await stack.destroy();
  expect(await gaps()).toEqual([]);
  expect(await emulator.state()).toMatchObject({ ip_policy_rules: [], "edges/tcp": [] });
});
