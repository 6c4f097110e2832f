/** What Pulumi offers around a program: hooks, hidden differences, taint, previews of a refresh, plans, variables of providers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { tunnelGateway } from "../../engine/cli";
import { cjs, idOf, resources, rewrite } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

/** A program that is deployed with the settings in the stack's configuration, so that commands find them there. */
async function deployed(
  body: string,
): Promise<{ emulator: EmulatorProcess; program: Program; stack: Stack }> {
  const emulator = await start();
  const program = cjs(body);
  const stack = await program.stack({ config: emulator.config });
  await stack.up();
  return { emulator, program, stack };
}

const review = async (program: Program, stack: Stack): Promise<string> =>
  (await tunnelGateway(program, stack, ["review", "--stack", stack.name, "--fail-on", "never"])).stdout;

it("gives resource hooks the hidden outputs too, and secrets as Outputs alone", async () => {
  const { program, stack } = await deployed(`
    const made = new pulumi.ResourceHook("made", ({ newOutputs }) => {
      require("node:fs").appendFileSync(__dirname + "/hooks.log", JSON.stringify(newOutputs));
    });
    exports.token = new ApiKey("pipeline", { description: "pipeline" }, { hooks: { afterCreate: [made] } }).token;
  `);
  const text = readFileSync(join(program.dir, "hooks.log"), "utf8");
  expect(JSON.parse(text)).toMatchObject({ description: "pipeline", __args: ["description"] });
  const { token } = await stack.outputs(true);
  expect(token).toMatch(/^\S{20,}$/);
  expect(text).not.toContain(token);
});

it("hides what hideDiffs names in Pulumi's text, and not in the review", async () => {
  const written = (text: string): string =>
    `new IpPolicy("office", { description: "${text}", metadata: "${text}" }, { hideDiffs: ["description"] });`;
  const { program, stack } = await deployed(written("before"));
  rewrite(program, written("after"));
  const { output } = await stack.preview({ args: ["--diff"] });
  expect(output).toContain("~ description (hidden)");
  expect(output).toContain('~ metadata: "before" => "after"');
  expect(await review(program, stack)).toMatch(/description: "before" (→|->) "after"/);
});

it("replaces what is tainted, a rule only with deleteBeforeReplace, because its policy has no second one", async () => {
  const written = (options: string): string => `
    const office = new IpPolicy("office", {});
    new IpPolicy("alone", {});
    new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "10.0.0.0/8", action: "allow" }, ${options});
  `;
  const { program, stack } = await deployed(written("{}"));
  const taint = (name: string) =>
    stack.pulumi(["state", "taint", resources(stack)[name]!.urn, "--stack", stack.name, "--yes"]);
  const [rule, policy] = [idOf(stack, "lan"), idOf(stack, "alone")];
  await taint("alone");
  expect(await review(program, stack)).toMatch(/IpPolicy alone.*replace/);
  await stack.up();
  expect(idOf(stack, "alone")).not.toBe(policy);

  await taint("lan");
  const { output } = await stack.up({ exitCode: "any" });
  expect(output).toContain("If Pulumi replaces it, set deleteBeforeReplace");
  expect(idOf(stack, "lan")).toBe(rule);
  rewrite(program, written("{ deleteBeforeReplace: true }"));
  await stack.up();
  expect(idOf(stack, "lan")).not.toBe(rule);
  await stack.previewNoChanges();
});

it("shows drift with refresh --preview-only, with reads alone", async () => {
  const { emulator, stack } = await deployed(`new IpPolicy("office", { description: "offices" });`);
  const path = `/ip_policies/${idOf(stack, "office")}`;
  await emulator.api("PATCH", path, { description: "by hand" });
  const state = stack.stateText();
  await emulator.clearRequests();
  const { output } = await stack.pulumi(["refresh", "--stack", stack.name, "--preview-only", "--diff"]);
  expect(output).toMatch(/description.*"offices".*"by hand"/);
  expect(await emulator.requestLines()).toEqual([`GET ${path}`]);
  expect(stack.stateText()).toBe(state);
});

it("keeps an update to its plan, which contains no secret", async () => {
  const emulator = await start();
  const written = (text: string): string =>
    `new HttpsEdgeRouteOidc("staff", { edgeId: "edghts_1", routeId: "edghtsrt_1", issuer: "https://id.example.com",
       clientId: "${text}", clientSecret: "SECRET-of-the-client" });`;
  const classes = `const { HttpsEdgeRouteOidc } = require("pulumi-tunnel-gateway");`;
  const program = cjs(classes + written("planned"));
  const stack = await program.stack({ env: { ...emulator.env, PULUMI_EXPERIMENTAL: "true" } });
  await stack.preview({ args: ["--save-plan", "plan.json"] });
  expect(readFileSync(join(program.dir, "plan.json"), "utf8")).not.toContain("SECRET");
  rewrite(program, classes + written("other"));
  const { exitCode, output } = await stack.up({ args: ["--plan", "plan.json"], exitCode: "any" });
  expect([exitCode, output]).toEqual([1, expect.stringContaining("violates plan")]);
  expect((await emulator.requestLines()).filter((line) => !line.startsWith("GET"))).toEqual([]);
});

describe.each(["dynamic", "native"] as const)("an explicit provider with %s resources", (door) => {
  it("takes its account from variables of its own, in refresh and destroy too, and stores no key", async () => {
    const secret = "SECRET-of-america";
    const [europe, america] = [await start(), await EmulatorProcess.start({ apiKey: secret })];
    const body = `
      const envVarMappings = { AMERICA_KEY: "TUNNEL_GATEWAY_API_KEY", AMERICA_URL: "TUNNEL_GATEWAY_BASE_URL" };
      const america = new Provider("america", {}, { envVarMappings });
      new IpPolicy("here", { description: "here" });
      new IpPolicy("there", { description: "there" }, { provider: america });
    `;
    const env = { ...europe.env, AMERICA_KEY: secret, AMERICA_URL: america.baseUrl };
    const stack = await cjs(body, { door }).stack({ env });
    await stack.up();
    const policies = async () =>
      [await europe.state(), await america.state()].map(({ ip_policies: all }) =>
        all!.map(({ description }) => description),
      );
    expect(await policies()).toEqual([["here"], ["there"]]);
    expect(stack.stateText()).not.toContain(secret);
    await stack.refresh();
    await stack.previewNoChanges();
    await stack.destroy();
    expect(await policies()).toEqual([[], []]);
    await america.stop();
  });
});
