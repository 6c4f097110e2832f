/** The native provider on the real engine, with the packed package. */
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Stack } from "../support/engine";
import { resources } from "./support";

const project = {
  name: "program",
  runtime: "nodejs",
  plugins: {
    providers: [{ name: "tunnel-gateway", path: "node_modules/pulumi-tunnel-gateway/dist/native" }],
  },
};

/** A program over one of the doors. */
const main = (door: string, description: string, before = ""): string => `
const pulumi = require("@pulumi/pulumi");
const { ApiKey, IpAccessList, IpPolicy, TcpEdge } = require("pulumi-tunnel-gateway${door}");
${before}
const staff = new IpAccessList("staff", { allow: ["203.0.113.0/24"] });
const edge = new TcpEdge("database", {
  description: ${JSON.stringify(description)}, ipRestriction: { ipPolicyIds: [staff.policyId] },
});
new ApiKey("key", { description: "d" });
new IpPolicy("after", { description: edge.createdAt, metadata: pulumi.secret("MINE-1234567890") });
`;

const back = `
pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
  const native = type.replace("pulumi-nodejs:dynamic/tunnel-gateway:", "tunnel-gateway:index:");
  return native === type ? undefined : { props, opts: pulumi.mergeOptions(opts, { aliases: [{ type: native }] }) };
});`;

describe("a stack that moves to the native provider and back", () => {
  let emulator: EmulatorProcess;
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    const files = { "index.js": main("", "one"), "Pulumi.yaml": JSON.stringify(project) };
    program = new Program({ kind: "cjs", files });
    stack = await program.stack({ config: emulator.config });
    await stack.up();
    await emulator.clearRequests();
  });
  afterAll(() => emulator.stop());

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
    program.write(main("", "two", back));
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
