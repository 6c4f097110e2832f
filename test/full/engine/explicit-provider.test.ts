import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { tunnelGateway } from "../../engine/cli";
import { cjs, resources, rewrite, stackTrace } from "../../engine/support";

describe("an explicit Provider", () => {
  const partnerKey = "PARTNER-KEY-1234567890";
  const main = (partnerPolicy = "") => `
    const config = new pulumi.Config();
    new IpPolicy("own", {});
    const partner = new Provider("partner", {
      apiKey: config.require("partnerKey"), // not marked as a secret by the program
      baseUrl: config.require("partnerUrl"),
    });
    new IpPolicy("partners", { ${partnerPolicy} }, { provider: partner });
    const key = new ApiKey("key");
    const robot = new Provider("robot", { apiKey: key.token, baseUrl: config.require("ownUrl"), requestTimeout: 20 });
    const robots = new IpPolicy("robots", { description: "made with a key of this stack" }, { provider: robot });
    new IpPolicyRule("robots-lan", { ipPolicyId: robots.id, cidr: "10.0.0.0/8", action: "deny" }, { parent: robots });
  `;
  const own = EmulatorProcess.forTests();
  const partner = EmulatorProcess.forTests({ apiKey: partnerKey });
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs(main());
    stack = await program.stack({
      config: {
        ...own.config,
        partnerKey: { secret: partnerKey },
        partnerUrl: partner.baseUrl,
        ownUrl: own.baseUrl,
      },
    });
  });
  const clearRequests = () => Promise.all([own.clearRequests(), partner.clearRequests()]);

  const descriptions = async (emulator: EmulatorProcess) =>
    ((await emulator.state()).ip_policies ?? []).map(({ description }) => description ?? "");

  it("leads to another account, and may work with a key that is another resource's output", async () => {
    const plan = await stack.previewJson();
    expect(plan.ops.filter((op) => op.startsWith("create")).sort()).toEqual([
      "create key",
      "create own",
      "create partners",
      "create robots",
      "create robots-lan",
    ]);
    expect([...(await own.requestLines()), ...(await partner.requestLines())]).toEqual([]);
    await stack.up();
    expect(await descriptions(partner)).toEqual([""]);
    expect((await descriptions(own)).sort()).toEqual(["", "made with a key of this stack"]);
    await clearRequests();
    await stack.previewNoChanges();
    expect([...(await own.requestLines()), ...(await partner.requestLines())]).toEqual([]);
  });

  it("is the account of the commands that are given its name", async () => {
    const listed = await tunnelGateway(program, stack, [
      ...["list", "ip-policies", "--stack", stack.name, "--provider", "partner", "--json"],
    ]);
    expect([listed.exitCode, listed.stderr]).toEqual([0, ""]);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: resources(stack).partners!.id }]);
    expect(listed.stdout + listed.stderr).not.toContain(partnerKey);
    const requests = await partner.requestLines();
    expect([new Set(requests), await own.requestLines()]).toEqual([new Set(["GET /ip_policies"]), []]);
    await clearRequests();
  });

  it("keeps its key as a secret, though the program did not mark it", async () => {
    const text = stack.stateText();
    const { token } = resources(stack).key!.outputs!;
    expect(token).toHaveProperty("ciphertext");
    for (const key of [partnerKey, own.apiKey]) expect(text).not.toContain(key);
    expect(JSON.stringify(await stack.exportState(true))).toContain(partnerKey);
  });

  it("reads its arguments and the environment, and never the stack's configuration", async () => {
    const extra = `
      const bare = new Provider("bare", {});
      new IpPolicy("environments", { description: "by environment" }, { provider: bare });
    `;
    rewrite(program, main(`description: "shared"`) + extra);
    const { output } = await stack.preview({ exitCode: 1 });
    expect(output).toMatch(
      /Provider "bare" \(.*:\d+\)\n\s*baseUrl \(or TUNNEL_GATEWAY_BASE_URL\): is not set/,
    );
    expect(output).not.toMatch(stackTrace);
    await stack.up({ env: partner.env });
    expect(await descriptions(partner)).toEqual(["shared", "by environment"]);
  });

  it("changed its own account's objects only", async () => {
    const { partners } = resources(stack);
    expect((await partner.requestLines()).sort()).toEqual(
      [`PATCH /ip_policies/${partners!.id}`, "POST /ip_policies"].sort(),
    );
    expect(await own.requestLines()).toEqual([]);
  });

  it("with a wrong key names its argument; an update of what was deleted by hand advises a refresh", async () => {
    const { partners } = resources(stack);
    await partner.ageObjects();
    await partner.api("DELETE", `/ip_policies/${partners!.id}`);
    const extra = `
      const bare = new Provider("bare", {});
      new IpPolicy("environments", { description: "by a wrong key" }, { provider: bare });
    `;
    rewrite(program, main(`description: "gone"`) + extra);
    const env = { ...partner.env, TUNNEL_GATEWAY_API_KEY: "the-key-of-nobody" };
    const { output } = await stack.up({ env, exitCode: 1, args: ["--continue-on-error"] });
    expect(output).toMatch(
      /does not accept the key of the Provider "bare": check the argument apiKey of the Provider "bare" \(or TUNNEL_GATEWAY_API_KEY\)/,
    );
    expect(output).toContain(
      `the IP policy ${partners!.id} does not exist: it was deleted outside of this stack`,
    );
    expect(output).not.toMatch(/tunnel-gateway:apiKey|does not accept the key of the default provider/);
  });

  it("is destroyed after what was made through it", async () => {
    await stack.destroy({ env: partner.env });
    expect([...(await descriptions(own)), ...(await descriptions(partner))]).toEqual([]);
    expect((await own.state()).api_keys).toEqual([]);
  });
});
