import { EmulatorProcess } from "../support/emulator-process";
import type { Program, Stack } from "../support/engine";
import { cjs, idOf, resources, rewrite, stackTrace, writes } from "./support";

const policy = `new IpPolicy("office", { description: "offices", metadata: "m" })`;
const key = `new ApiKey("pipeline", { description: "for the pipeline" });`;
const whole = `
  const office = ${policy};
  new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow", description: "LAN" });
  ${key}
`;

describe("what is changed behind Pulumi's back", () => {
  let emulator: EmulatorProcess;
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    program = cjs(whole);
    stack = await program.stack({ env: emulator.env });
    await stack.up();
  });
  afterAll(() => emulator.stop());
  beforeEach(() => emulator.clearRequests());

  it("is no change where the program leaves the field to the service", async () => {
    await emulator.api("PATCH", `/ip_policy_rules/${idOf(stack, "lan")}`, { metadata: "from elsewhere" });
    await emulator.api("PATCH", `/api_keys/${idOf(stack, "pipeline")}`, { metadata: "from elsewhere" });
    await stack.refresh();
    await stack.previewNoChanges();
  });

  it("is found by a refresh in every managed field, shown by the next preview, and repaired by up", async () => {
    const ids = { office: idOf(stack, "office"), lan: idOf(stack, "lan"), pipeline: idOf(stack, "pipeline") };
    await emulator.api("PATCH", `/ip_policies/${ids.office}`, { description: "by hand", metadata: "n" });
    await emulator.api("PATCH", `/ip_policy_rules/${ids.lan}`, { description: "", cidr: "203.0.113.0/25" });
    await emulator.api("PATCH", `/api_keys/${ids.pipeline}`, { description: "stolen" });
    await emulator.clearRequests();
    const refreshed = await stack.refresh();
    expect(refreshed.output).toContain("~ 3 updated");

    const { output } = await stack.preview({ args: ["--diff"] });
    for (const line of [
      'description: "by hand" => "offices"',
      'metadata   : "n" => "m"',
      'cidr       : "203.0.113.0/25" => "203.0.113.0/24"',
      'description: "stolen" => "for the pipeline"',
    ]) {
      expect(output).toContain(line);
    }
    expect(output).toMatch(/description: ("" => )?"LAN"/);
    expect(Object.keys(await writes(emulator))).toEqual([]);

    await stack.up();
    expect(await writes(emulator)).toEqual({
      [`PATCH /ip_policies/${ids.office}`]: { description: "offices", metadata: "m" },
      [`PATCH /ip_policy_rules/${ids.lan}`]: { description: "LAN", cidr: "203.0.113.0/24" },
      [`PATCH /api_keys/${ids.pipeline}`]: { description: "for the pipeline" },
    });
    await stack.previewNoChanges();
  });

  it("is dropped by a refresh where the object is gone, and made anew by up", async () => {
    await emulator.api("DELETE", `/ip_policy_rules/${idOf(stack, "lan")}`);
    await stack.refresh();
    expect(Object.keys(resources(stack)).sort()).toEqual(["office", "pipeline"]);
    await emulator.clearRequests();
    await stack.up();
    expect(Object.keys(await writes(emulator))).toEqual(["POST /ip_policy_rules"]);
  });

  it("is gone already when it is deleted, which is success; what exists otherwise can be looked up", async () => {
    await emulator.api("DELETE", `/api_keys/${idOf(stack, "pipeline")}`);
    const made = await emulator.api("POST", "/ip_policies", { description: "of somebody else" });
    const body = `${whole.replace(key, "")}
      const found = IpPolicy.get("found", "${String(made.id)}");
      exports.found = found.description;
      exports.ruleOfFound = found.uri;
    `;
    rewrite(program, body);
    const { output } = await stack.up();
    expect(output).toContain('found      : "of somebody else"');
    expect(Object.keys(resources(stack)).sort()).toEqual(["found", "lan", "office"]);
    await stack.previewNoChanges();

    rewrite(program, `${body}IpPolicyRule.get("lost", "ipr_nowhere");`);
    const failed = await stack.preview({ exitCode: 1 });
    expect(failed.output).toContain("the IP policy rule ipr_nowhere does not exist");
    expect(failed.output).not.toMatch(stackTrace);
  });

  it("that is only looked up is not deleted with the stack", async () => {
    await stack.destroy();
    expect((await emulator.state()).ip_policies).toEqual([
      expect.objectContaining({ description: "of somebody else" }),
    ]);
  });
});
