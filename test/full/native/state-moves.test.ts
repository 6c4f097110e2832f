/** Stacks that move to the native provider and back, on the real engine with the packed package. */
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import type { Stack } from "../../support/engine";
import { expectEmpty, keptProgram, keptStack, keptVersions } from "../../engine/kept-states";
import { cjs, prelude, resources } from "../../engine/support";
import { expectEncrypted, secretsOf, upWithoutChange, wayBack } from "../../engine/native/support";
import type { Door } from "../../engine/native/support";

/** A program over one of the doors. */
const main = (door: Door, description: string, before = ""): string => `
const pulumi = require("@pulumi/pulumi");
const { ApiKey, IpAccessList, IpPolicy, Provider, TcpEdge } = require("pulumi-tunnel-gateway${door}");
${before}
const staff = new IpAccessList("staff", { allow: ["203.0.113.0/24"] });
const edge = new TcpEdge("database", {
  description: ${JSON.stringify(description)}, ipRestriction: { ipPolicyIds: [staff.policyId] },
});
new ApiKey("key", { description: "d" });
const config = new pulumi.Config("tunnel-gateway");
const settings = { apiKey: config.requireSecret("apiKey"), baseUrl: config.require("baseUrl") };
new IpPolicy("theirs", {}, { provider: new Provider("partner", settings) });
new IpPolicy("after", { description: edge.createdAt, metadata: pulumi.secret("MINE-1234567890") });
`;

describe("a stack that moves to the native provider and back", () => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = new Program({ kind: "cjs", door: "native", files: main("", "one") });
    stack = await program.stack({ config: emulator.config });
    await stack.up();
    await emulator.clearRequests();
  });

  it("moves without a request, and its secrets stay encrypted", async () => {
    program.write(main("/native", "one"));
    await stack.previewNoChanges();
    await stack.up();
    expect(await emulator.requestLines()).toEqual([]);
    await stack.previewNoChanges();
    const { key, database } = resources(stack);
    expect([key!.type, database!.type]).toEqual([
      "tunnel-gateway:index:ApiKey",
      "tunnel-gateway:index:TcpEdge",
    ]);
    expect(stack.stateText()).not.toContain("MINE-1234567890");
  });

  it("leaves in the preview of an update what uses outputs that it cannot change", async () => {
    program.write(main("/native", "two"));
    expect((await stack.previewJson()).ops).toEqual(["update database"]);
    await stack.up();
    expect((await emulator.requestLines()).length).toBe(1);
    await emulator.clearRequests();
  });

  it("moves back with aliases without a request, and then refreshes and destroys as before", async () => {
    program.write(main("", "two", wayBack));
    await stack.up();
    expect(await emulator.requestLines()).toEqual([]);
    program.write(main("", "two"));
    await stack.previewNoChanges();
    await stack.refresh();
    await stack.destroy();
    const { ip_policies: policies = [], "edges/tcp": edges = [] } = await emulator.state();
    expect([...policies, ...edges]).toEqual([]);
  });
});

describe.each(keptVersions)("a stack deployed with version %s", (version) => {
  it("moves to the native provider and back with empty previews and no request, its secrets encrypted", async () => {
    const { own, stack, emulator } = await keptStack(version, "native");
    try {
      const secrets = await secretsOf(stack);
      expect(secrets).toContain((await stack.outputs(true)).token);

      own.write(keptProgram("offices", "/native"));
      await upWithoutChange(stack);
      own.write(keptProgram("offices", "", wayBack));
      await upWithoutChange(stack);
      expect(await emulator.requestLines()).toEqual([]);
      await expectEncrypted(stack, [...secrets, emulator.apiKey]);

      own.write(keptProgram());
      await stack.refresh({ args: ["--expect-no-changes"] });
      await stack.previewNoChanges();
      await stack.destroy();
      await expectEmpty(emulator);
    } finally {
      await emulator.stop();
    }
  });
});

describe("the code of a dynamic resource", () => {
  const emulator = EmulatorProcess.forTests();
  const files = `${prelude} new IpPolicy("office");`;

  /** A stack whose state lacks the code in the outputs, as the native provider leaves them. */
  async function withoutCode(): Promise<Stack> {
    const stack = await cjs("", {}).stack({ config: emulator.config });
    stack.program.write(files);
    await stack.up();
    const state = await stack.exportState();
    for (const { outputs } of state.deployment.resources ?? []) delete outputs?.__provider;
    await stack.importState(state);
    return stack;
  }

  it("must be in the outputs of the state, or Pulumi's plugin cannot refresh or delete", async () => {
    const stack = await withoutCode();
    for (const command of ["refresh", "destroy"] as const) {
      const { output, exitCode } = await stack[command]({ exitCode: "any" });
      expect(exitCode).not.toBe(0);
      expect(output).toMatch(/code must be a string, not undefined/);
    }
  });

  it("is written by an update without a line and without a request", async () => {
    const stack = await withoutCode();
    await emulator.clearRequests();
    const { ops, changes } = await stack.previewJson();
    expect([ops, changes.map(({ diffReasons }) => diffReasons)]).toEqual([["update office"], [[]]]);
    await stack.up();
    expect(await emulator.requestLines()).toEqual([]);
    await stack.refresh({ args: ["--expect-no-changes"] });
    await stack.destroy();
  });
});
