import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { tunnelGateway, type CommandResult } from "../../engine/cli";
import { cjs, stackTrace } from "../../engine/support";
import { withoutPreviewing } from "../../support/pulumi-command";

const start = EmulatorProcess.forOneTest();

const apiKey = "TUNNEL_GATEWAY_API_KEY";
const baseUrl = "TUNNEL_GATEWAY_BASE_URL";

describe("the settings of a stack", () => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs(`new IpPolicy("office", { description: "offices" });`);
    stack = await program.stack();
  });
  beforeEach(() => emulator.clearRequests());

  /** The sentence of an error, which must be no stack trace and hold no key. */
  function sentenceIn(output: string, key = "no key at all"): string {
    expect(output).not.toMatch(stackTrace);
    expect(output).not.toContain(key);
    return output;
  }

  it("are missing: the preview says that it needs the base URL, and how it can be set", async () => {
    const { output } = await stack.preview({ exitCode: 1 });
    sentenceIn(output);
    expect(output).toContain('"pulumi config set tunnel-gateway:baseUrl <value>"');
    expect(output).toContain(baseUrl);
    expect(output).not.toContain(apiKey);
  });

  it("have no key: preview and review work, and up needs one", async () => {
    const own = cjs(`new IpPolicy("office", { description: "offices" });`);
    const keyless = await own.stack({ env: { [baseUrl]: emulator.baseUrl } });
    expect((await keyless.previewJson()).ops).toContain("create office");
    const review = await tunnelGateway(own, keyless, ["review", "--stack", keyless.name], {
      [baseUrl]: emulator.baseUrl,
    });
    // On a slow machine it says what it does.
    expect([review.exitCode, withoutPreviewing(review.stderr)]).toEqual([0, ""]);
    expect(review.stdout).toContain("IpPolicy office");
    const { output } = await keyless.up({ exitCode: 1 });
    expect(sentenceIn(output)).toContain(
      `the setting tunnel-gateway:apiKey (or ${apiKey}) is not set: run "pulumi config set --secret tunnel-gateway:apiKey"`,
    );
    expect(await emulator.requestLines()).toEqual([]);
  });

  it("have no key: a preview whose functions read the account names it", async () => {
    const body = `require("pulumi-tunnel-gateway").listIpPolicies().toArray().then(() => 0);`;
    const keyless = await cjs(body).stack({ env: { [baseUrl]: emulator.baseUrl } });
    const { output } = await keyless.preview({ exitCode: 1 });
    expect(output).toContain(`the setting tunnel-gateway:apiKey (or ${apiKey}) is not set`);
  });

  it("hold a wrong key: up says where to look, and makes nothing", async () => {
    const env = { ...emulator.env, [apiKey]: "the-key-of-nobody" };
    const { output } = await stack.up({ env, exitCode: 1 });
    expect(sentenceIn(output, env[apiKey])).toMatch(
      /creating the IP policy failed: 401 .*does not accept the key of the default provider: check the setting tunnel-gateway:apiKey/,
    );
    expect(output).not.toMatch(/refresh|pulumi up/);
    expect((await emulator.state()).ip_policies).toEqual([]);
  });

  describe("whose key was rotated", () => {
    it("serve refresh and destroy only with --run-program, and the failure says so", async () => {
      const [old, next] = [
        await emulator.api("POST", "/api_keys", {}),
        await emulator.api("POST", "/api_keys", {}),
      ];
      const mistyped = { "tunnel-gateway:retryTimout": { secret: "s3cret" } };
      stack.config({
        ...emulator.config,
        ...mistyped,
        "tunnel-gateway:apiKey": { secret: old.token as string },
      });
      const { output } = await stack.up();
      // Pulumi shows a warning beside the row of its resource, and once more at the end.
      const warning = /^ +warning: tunnel-gateway:retryTimout .* mean tunnel-gateway:retryTimeout\?/gm;
      expect(sentenceIn(output, "s3cret").match(warning)).toHaveLength(1);
      await emulator.api("DELETE", `/api_keys/${String(old.id)}`);
      stack.config({ "tunnel-gateway:apiKey": { secret: next.token as string } });

      for (const operation of [stack.refresh.bind(stack), stack.destroy.bind(stack)]) {
        const { output } = await operation({ exitCode: 1 });
        sentenceIn(output, old.token as string);
        expect(output).toContain("if the key was rotated since, add it");
      }
      expect((await emulator.state()).ip_policies).toHaveLength(1);

      await stack.refresh({ args: ["--run-program", "--expect-no-changes"] });
    });
  });
});

describe("a key that moves from the environment into the configuration", () => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    program = cjs(`new IpPolicy("office", { description: "offices" });`);
    stack = await program.stack({ config: withoutKey() });
    await stack.up({ env: emulator.env });
    stack.config(emulator.config);
  });

  const withoutKey = () => ({ "tunnel-gateway:baseUrl": emulator.baseUrl });
  const run = (...args: string[]): Promise<CommandResult> => tunnelGateway(program, stack, args);

  it("serves drift and an approved deployment at once", async () => {
    // On a slow machine a command says how far it is.
    const errors = ({ stderr }: CommandResult): string =>
      stderr.replace(/^(Comparing|Previewing|The approval is written to) .*\n/gm, "");
    const drift = await run("drift", "--stack", stack.name);
    expect([drift.exitCode, drift.stdout, errors(drift)]).toEqual([0, "1 stack: no drift\n", ""]);

    const approval = join(program.dir, "approval.json");
    const review = (...args: string[]) => run("review", "--stack", stack.name, "--refresh", ...args);
    const saved = await review("--save", approval);
    expect([saved.exitCode, errors(saved)]).toEqual([0, ""]);
    const approved = await review("--approved", approval);
    expect([approved.exitCode, errors(approved)]).toEqual([0, ""]);
    for (const { stdout } of [drift, saved, approved]) expect(stdout).not.toContain(emulator.apiKey);
  });

  it("serves a plain refresh after an up, as the failure of the refresh says", async () => {
    const { output } = await stack.refresh({ exitCode: 1 });
    expect(output).toContain(
      "Without --run-program, a refresh or destroy uses the settings of the last pulumi up: if they were moved since, run pulumi up once",
    );
    await stack.up();
    await stack.refresh({ args: ["--expect-no-changes"] });
  });

  it("is not used for another base URL than that of the last deployment", async () => {
    const other = await start();
    const moved = await program.stack({ name: "moved", config: withoutKey() });
    await moved.up({ env: emulator.env });
    moved.config(other.config);
    const { exitCode, stderr } = await tunnelGateway(program, moved, ["drift", "--stack", "moved"]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("run pulumi up once")]);
    expect(stderr).not.toContain(other.apiKey);
    expect(await other.requestLines()).toEqual([]);
  });
});
