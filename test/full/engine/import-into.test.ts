import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import { hostedTunnelGateway } from "../../engine/cli";
import { resources } from "../../engine/support";

const main = (more = "") => `
import { IpPolicy } from "pulumi-tunnel-gateway";
import { partner } from "./accounts";
${more}
new IpPolicy("own", { description: "made by the program" }, { provider: partner });
`;

/** A stack whose own configuration says nothing of the account: only its explicit provider does. */
const accounts = `
import * as pulumi from "@pulumi/pulumi";
import { Provider } from "pulumi-tunnel-gateway";
const config = new pulumi.Config();
export const partner = new Provider("partner", {
  apiKey: config.requireSecret("key"),
  baseUrl: config.require("url"),
});
`;

/** test/tools/import compiles the programs that imports write. */
const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };

const partnerUrn = "urn:pulumi:test::grown::pulumi:providers:pulumi-nodejs::partner";

const start = EmulatorProcess.forOneTest();

describe("a program and a stack that exist already", () => {
  let emulator: EmulatorProcess;
  beforeEach(async () => {
    emulator = await start();
  });

  it("get what is not managed yet, in a folder of its own and under an explicit provider", async () => {
    const program = new Program({ name: "grown", files: { "index.ts": main(), "accounts.ts": accounts } });
    const stack = await program.stack({
      config: { key: { secret: emulator.apiKey }, url: emulator.baseUrl },
      env,
    });
    await stack.up();
    const policy = await emulator.api("POST", "/ip_policies", { description: "own" });
    await emulator.api("POST", "/ip_policy_rules", {
      ip_policy_id: policy.id,
      cidr: "10.0.0.0/8",
      action: "allow",
    });
    const args = ["import", "--run", "--stack", "test", "--out", "imported", "--no-protect"];
    const provider = ["--provider", `partner=${partnerUrn}`, "--provider-from", "../accounts"];

    const before = stack.stateText();
    const stopped = await hostedTunnelGateway(program, stack, [...args, ...provider]);
    expect(stopped.exitCode).toBe(1);
    expect(stopped.stderr).toContain('import "./imported";');
    expect(stack.stateText()).toBe(before);
    writeFileSync(join(program.dir, "index.ts"), main(`import "./imported";`));
    const done = await hostedTunnelGateway(program, stack, [...args, ...provider]);
    if (done.exitCode !== 0) throw new Error(done.stdout + done.stderr);

    const state = resources(stack);
    // The name of the stack's own resource is taken.
    const [, name] = /new IpPolicy\(\s*"(own-[a-z0-9]{6})"/.exec(
      readFileSync(join(program.dir, "imported/policies.ts"), "utf8"),
    )!;
    expect(state[name!]!.id).toBe(policy.id);
    expect(Object.keys(state)).toHaveLength(3);
    for (const { provider: reference, protect } of Object.values(state)) {
      expect(String(reference)).toContain(`${partnerUrn}::`);
      expect(protect).toBeUndefined();
    }
    await stack.up();
    await stack.destroy();
    const { ip_policies, ip_policy_rules } = await emulator.state();
    expect([ip_policies, ip_policy_rules]).toEqual([[], []]);
  }, 300_000);

  it("get one object, whose code is printed", async () => {
    const program = new Program({ name: "grown", files: "export {};" });
    const stack = await program.stack({ config: emulator.config, env });
    const policy = await emulator.api("POST", "/ip_policies", { description: "the office's `net`" });
    const args = ["import", "IpPolicy", "office", String(policy.id), "--stack", "test"];
    const printed = await hostedTunnelGateway(program, stack, args);
    expect(printed.stdout).toBe(
      [
        'import { IpPolicy } from "pulumi-tunnel-gateway";',
        "",
        `// ${String(policy.id)}`,
        "export const office = new IpPolicy(",
        '  "office",',
        "  {",
        '    description: "the office\'s `net`",',
        "  },",
        "  { protect: true },",
        ");",
        "",
      ].join("\n"),
    );
    const done = await hostedTunnelGateway(program, stack, [...args, "--run"]);
    if (done.exitCode !== 0) throw new Error(done.stdout + done.stderr);
    program.write(printed.stdout);
    await stack.previewNoChanges();
    expect(resources(stack).office!.id).toBe(policy.id);
    const again = await hostedTunnelGateway(program, stack, [...args, "--run"]);
    expect(again.stderr).toContain("manages the IP policy");
  }, 300_000);

  it("get one object as a native resource, where those of the stack are native", async () => {
    const before =
      'import { BotUser } from "pulumi-tunnel-gateway/native";\nnew BotUser("robot", { name: "robot" });\n';
    const program = new Program({ name: "grown", door: "native", files: before });
    const stack = await program.stack({ config: emulator.config, env });
    await stack.up();
    const { id } = await emulator.api("POST", "/ip_policies", { description: "made by hand" });
    const args = ["import", "IpPolicy", "hand", String(id), "--stack", "test", "--no-protect"];
    const printed = await hostedTunnelGateway(program, stack, args);
    expect(printed.stdout).toContain('import { IpPolicy } from "pulumi-tunnel-gateway/native";');
    const done = await hostedTunnelGateway(program, stack, [...args, "--run"]);
    if (done.exitCode !== 0) throw new Error(done.stdout + done.stderr);
    expect(resources(stack).hand).toMatchObject({ id, type: "tunnel-gateway:index:IpPolicy" });
    program.write(before + printed.stdout);
    await stack.previewNoChanges();
    await stack.refresh({ args: ["--expect-no-changes"] });
  }, 300_000);

  it("are begun in an empty folder, from the environment alone", async () => {
    const program = new Program({ name: "begun", files: {} });
    const stack = await program.stack({ env });
    await emulator.api("POST", "/bot_users", { name: "robot" });
    const args = ["import", "--only", "BotUser", "--out", "account"];
    const done = await hostedTunnelGateway(program, undefined, args, emulator.env);
    if (done.exitCode !== 0) throw new Error(done.stdout + done.stderr);
    expect(readFileSync(join(program.dir, "account/credentials.ts"), "utf8")).toContain("new BotUser(");
    const file = join(program.dir, "account/.tunnel-gateway/import.json");
    expect(done.stdout).toContain(file);
    // What the printed line says, by hand.
    stack.config(emulator.config);
    await stack.pulumi(["import", "--file", file, "--yes", "--generate-code=false", "--stack", "test"]);
    program.write({ "index.ts": `import "./account";\n` });
    await stack.previewNoChanges();
  }, 300_000);
});
