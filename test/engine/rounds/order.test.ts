import { EmulatorProcess } from "../../support/emulator-process";
import { idOf } from "../support";
import { World, type WorldResource } from "./world";

describe("the order of requests", () => {
  const emulator = EmulatorProcess.forTests();
  let world: World;

  beforeAll(async () => {
    await emulator.seed({ tls_edges: [{ id: "tls" }] });
    world = await World.start(emulator);
  });
  beforeEach(() => emulator.clearRequests());

  const lines = async () => (await world.writes()).map(({ line }) => line);

  it("a policy that is replaced or deleted goes last, when nothing refers to it any more", async () => {
    const user = (policy: string[]): WorldResource[] => [
      { name: "edge", type: "TcpEdge", args: { ipRestriction: { ipPolicyIds: policy } } },
      { name: "restriction", type: "TlsEdgeIpRestriction", args: { edgeId: "tls", ipPolicyIds: policy } },
    ];
    const policy = (replacementTrigger: string): WorldResource[] => [
      { name: "policy", type: "IpPolicy", args: {}, opts: { replacementTrigger } },
      {
        name: "rule",
        type: "IpPolicyRule",
        args: { ipPolicyId: "@policy", cidr: "10.0.0.0/8", action: "allow" },
      },
    ];
    world.declare([...policy("1"), ...user(["@policy"])]);
    await world.stack.up();
    const [old, edge] = [idOf(world.stack, "policy"), idOf(world.stack, "edge")];
    const uses = [`PATCH /edges/tcp/${edge}`, "PUT /edges/tls/tls/ip_restriction"];

    await emulator.clearRequests();
    world.declare([...policy("2"), ...user(["@policy"])]);
    await world.stack.up();
    const replaced = await lines();
    expect(replaced[0]).toBe("POST /ip_policies");
    expect(replaced.at(-1)).toBe(`DELETE /ip_policies/${old}`);
    for (const use of uses) expect(replaced).toContain(use);

    await emulator.clearRequests();
    const second = idOf(world.stack, "policy");
    world.declare(user([]));
    await world.stack.up();
    const deleted = await lines();
    expect(deleted).toEqual(expect.arrayContaining(uses));
    expect(deleted.at(-1)).toBe(`DELETE /ip_policies/${second}`);
  });
});
