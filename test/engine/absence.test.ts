import { EmulatorProcess } from "../support/emulator-process";
import type { Stack } from "../support/engine";
import { cjs, idOf, resources, sent, stackTrace } from "./support";
import { serverForTests } from "../support/servers";

const body = `
  const office = new IpPolicy("office", { description: "office" });
  for (let i = 0; i < 3; i++)
    new IpPolicyRule("rule" + i, { ipPolicyId: office.id, action: "allow", cidr: "10." + i + ".0.0/16" });
`;

describe("a stack whose base URL is not the API's", () => {
  const emulator = EmulatorProcess.forTests();
  const proxy = serverForTests((_, response) => {
    response.writeHead(404, { "content-type": "text/html" }).end("<html><h1>404 Not Found</h1></html>");
  });
  let stack: Stack;

  beforeAll(async () => {
    stack = await cjs(body).stack({ env: emulator.env });
    await stack.up();
    await emulator.ageObjects();
  });

  const wrong: Record<string, () => string> = {
    "a proxy that answers 404 in HTML": () => proxy.baseUrl,
    "a path prefix that the service does not have": () => `${emulator.baseUrl}/v9`,
  };

  it.each(Object.keys(wrong))("keeps its state: refresh and destroy fail behind %s", async (name) => {
    const baseUrl = wrong[name]!();
    const env = { TUNNEL_GATEWAY_BASE_URL: baseUrl };
    const before = Object.keys(resources(stack)).sort();
    expect(before).toHaveLength(4);
    for (const run of ["refresh", "destroy"] as const) {
      const { output } = await stack[run]({ env, exitCode: 1 });
      expect(output).toContain(baseUrl);
      expect(output).toContain("This does not prove that it was deleted");
      expect(output).not.toMatch(stackTrace);
      expect(Object.keys(resources(stack)).sort()).toEqual(before);
    }
    expect((await emulator.state()).ip_policy_rules).toHaveLength(3);
  });

  it("finds a real deletion with at most one more request for a collection and run", async () => {
    await emulator.api("DELETE", `/ip_policy_rules/${idOf(stack, "rule1")}`);
    await emulator.api("DELETE", `/ip_policy_rules/${idOf(stack, "rule2")}`);
    await emulator.clearRequests();
    await stack.refresh();
    expect(Object.keys(resources(stack)).sort()).toEqual(["office", "rule0"]);
    expect(await sent(emulator)).toEqual([
      "GET /ip_policies",
      ...Array<string>(4).fill("GET /ip_policy_rules"),
    ]);
    await stack.destroy();
    expect(resources(stack)).toEqual({});
  });
});
