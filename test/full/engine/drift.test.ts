import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { hostedTunnelGateway, type CommandResult } from "../../engine/cli";
import { cjs, idOf, resources, rewrite, stackTrace, writes } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

const policy = `new IpPolicy("office", { description: "offices", metadata: "m" })`;
const key = `new ApiKey("pipeline", { description: "for the pipeline" });`;
const whole = `
  const office = ${policy};
  new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow", description: "LAN" });
  ${key}
`;

// Refreshes and repairs of every class are steps of test/rounds/scenario.ts, which test/engine/rounds takes on the real engine.
describe("what is deleted behind Pulumi's back", () => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs(whole);
    stack = await program.stack({ env: emulator.env });
    await stack.up();
    await emulator.ageObjects();
  });
  beforeEach(() => emulator.clearRequests());

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
});

describe("an argument that decides access, and that the program leaves out", () => {
  it("is drift after a change by hand", async () => {
    const emulator = await start();
    const program = cjs(`
      const { TcpEdge } = require("pulumi-tunnel-gateway");
      const office = new IpPolicy("office");
      new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
      new TcpEdge("db", { hostports: ["db.example.com:5432"], ipRestriction: { ipPolicyIds: [office.id] } });
    `);
    const stack = await program.stack({ env: emulator.env });
    await stack.up();
    const run = (...args: string[]): Promise<CommandResult> =>
      hostedTunnelGateway(program, stack, [...args, "--stack", stack.name], emulator.env);
    const value = '{"on_tcp_connect":[{"actions":[{"type":"deny"}]}]}';
    const policy = { traffic_policy: { enabled: true, value } };
    await emulator.api("PATCH", `/edges/tcp/${idOf(stack, "db")}`, policy);
    const drift = await run("drift");
    expect([drift.exitCode, drift.stdout]).toEqual([3, expect.stringMatching(/TcpEdge db +trafficPolicy/)]);
  });
});

// When it is suspected: test/provider/settings/own-account.test.ts and test/tools/cli/drift.test.ts.
describe("a key of another account", () => {
  const own = EmulatorProcess.forTests();
  const other = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs(whole);
    stack = await program.stack({ env: own.env });
    await stack.up();
    await Promise.all([own, other].map((each) => each.ageObjects()));
  });

  // Both addresses stand for one service, where only the key decides about the account.
  const swapped = (): Record<string, string> => other.env;
  const accepted = (): Record<string, string> => ({ ...swapped(), TUNNEL_GATEWAY_ACCEPT_DELETED: "true" });
  const message = "the key may belong to another account: correct it.";

  it("ends a refresh and an up with a refresh before the state or the account changes", async () => {
    const ids = (): unknown[] => Object.entries(resources(stack)).map(([name, { id }]) => [name, id]);
    const before = ids();
    expect(before).toHaveLength(3);
    for (const [operation, args] of [
      ["refresh", []],
      ["up", ["--refresh"]],
    ] as const) {
      const { output } = await stack[operation]({ args: [...args], env: swapped(), exitCode: 1 });
      expect(output).toContain(message);
      expect(output).not.toMatch(stackTrace);
    }
    expect(ids()).toEqual(before);
    expect(Object.keys(await writes(other))).toEqual([]);
  });

  it("ends drift, a review with a refresh and an approved deployment", async () => {
    const run = (env: Record<string, string>, ...args: string[]): Promise<CommandResult> =>
      hostedTunnelGateway(program, stack, [...args, "--stack", stack.name], env);
    const approval = join(program.dir, "approval.json");
    expect((await run(own.env, "review", "--refresh", "--save", approval)).exitCode).toBe(0);
    for (const args of [["drift"], ["review", "--refresh", "--approved", approval]]) {
      const { exitCode, stdout, stderr } = await run(swapped(), ...args);
      expect([args, exitCode, stdout + stderr]).toEqual([
        args,
        1,
        expect.stringContaining("none of the 3 objects of the stack that were looked for exists"),
      ]);
      expect(stdout + stderr).toContain(message);
    }
    const drift = await run(accepted(), "drift");
    // On a slow machine it says how far it is.
    expect([drift.exitCode, drift.stderr.replace(/^Comparing .*\n/gm, "")]).toEqual([3, ""]);
  });
});
