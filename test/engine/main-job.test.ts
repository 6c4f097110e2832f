import { EmulatorProcess } from "../support/emulator-process";
import type { Program, Stack } from "../support/engine";
import { cjs, idOf, resources, rewrite, sent, writes } from "./support";

interface Shape {
  policy?: string;
  cidr6?: string;
  ruleDescription?: string;
  key?: string;
}

/** A policy, two rules and a key; what the shape leaves out is not there as an argument. */
const program = ({ policy = "", cidr6 = "2001:db8::/32", ruleDescription = "", key = "" }: Shape) => `
  const office = new IpPolicy("office", { ${policy} });
  new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
  new IpPolicyRule("lan6", { ipPolicyId: office.id, cidr: "${cidr6}", action: "deny", ${ruleDescription} });
  const pipeline = new ApiKey("pipeline", { ${key} });
  exports.policyId = office.id;
  exports.policyDescription = office.description;
  exports.cidr6 = "${cidr6}";
  exports.keyDescription = pipeline.description.apply((text) => (text === undefined ? "none" : text));
  exports.token = pipeline.token;
`;

describe("a policy, its rules and a key", () => {
  const first = {
    policy: `description: "offices", metadata: "m1"`,
    ruleDescription: `description: ""`,
    key: `description: "used by the pipeline"`,
  };
  const emulator = EmulatorProcess.forTests();
  let main: Program;
  let stack: Stack;
  let token: unknown;

  beforeAll(async () => {
    main = cjs(program(first));
    stack = await main.stack({ config: emulator.config });
  });
  beforeEach(() => emulator.clearRequests());

  async function nothingToDo(): Promise<void> {
    await emulator.clearRequests();
    await stack.previewNoChanges();
    expect(await emulator.requestLines()).toEqual([]);
  }

  it("is previewed without a request, though the rules' policy does not exist yet", async () => {
    const plan = await stack.previewJson();
    expect(plan.ops.sort()).toEqual(["create lan", "create lan6", "create office", "create pipeline"]);
    expect(await emulator.requestLines()).toEqual([]);
  });

  it("is created with one request each and a second one for a key's metadata, and then there is nothing to do", async () => {
    await stack.up();
    expect(await sent(emulator)).toEqual([
      "PATCH /api_keys",
      "POST /api_keys",
      "POST /ip_policies",
      "POST /ip_policy_rules",
      "POST /ip_policy_rules",
    ]);
    await nothingToDo();
    ({ token } = await stack.outputs(true));
    expect(token).toMatch(/^emulated_/);
  });

  it("is unchanged after a refresh, which only reads", async () => {
    await stack.refresh({ args: ["--expect-no-changes"] });
    expect(new Set((await emulator.requests()).map(({ method }) => method))).toEqual(new Set(["GET"]));
    await nothingToDo();
  });

  it("is updated with one request per object that holds the changed and the removed arguments only", async () => {
    const policy = `description: "offices and VPN", metadata: "m1"`;
    rewrite(main, program({ ...first, policy, key: `metadata: "m2"` }));
    const plan = await stack.previewJson();
    expect(plan.changes.map(({ op, name }) => `${op} ${name}`).sort()).toEqual([
      "update office",
      "update pipeline",
    ]);
    expect(await emulator.requestLines()).toEqual([]);
    await stack.up();
    expect(await writes(emulator)).toEqual({
      [`PATCH /ip_policies/${idOf(stack, "office")}`]: { description: "offices and VPN" },
      [`PATCH /api_keys/${idOf(stack, "pipeline")}`]: { description: "", metadata: "m2" },
    });
    await stack.refresh({ args: ["--expect-no-changes"] });
    await nothingToDo();
  });

  it("keeps the key's token through refreshes and updates, also of the key itself", async () => {
    const outputs = await stack.outputs(true);
    expect(outputs.token).toBe(token);
    expect(outputs.keyDescription).toBe("none");
  });

  it("sends nothing for another spelling, or for arguments that say what the service holds anyway", async () => {
    // lan6 loses a description that was "", pipeline gains one that is "", and the range is the same one.
    rewrite(
      main,
      program({
        policy: `description: "offices and VPN", metadata: "m1"`,
        key: `metadata: "m2", description: ""`,
        cidr6: "2001:0DB8:0:0::0/32",
      }),
    );
    const plan = await stack.upJson();
    // Which arguments are set is a part of the state, so recording it is an update; it costs no request.
    expect(plan.changes.map(({ op, name }) => `${op} ${name}`).sort()).toEqual([
      "update lan6",
      "update pipeline",
    ]);
    expect(await emulator.requestLines()).toEqual([]);
    expect(resources(stack).lan6!.inputs!.cidr).toBe("2001:db8::/32");
    await nothingToDo();
  });

  it("is destroyed with one request each, and the account is empty again", async () => {
    await stack.destroy();
    const lines = (await emulator.requests()).map(({ method, path }) => `${method} ${path.split("/")[1]}`);
    expect(lines.filter((line) => !line.startsWith("DELETE"))).toEqual([]);
    expect(lines).toHaveLength(4);
    expect(lines.at(-1) === "DELETE api_keys" || lines.at(-1) === "DELETE ip_policies").toBe(true);
    const { api_keys, ip_policies, ip_policy_rules } = await emulator.state();
    expect([api_keys, ip_policies, ip_policy_rules]).toEqual([[], [], []]);
  });
});
