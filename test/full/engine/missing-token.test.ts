/** A key whose token this stack does not know: all works but the use of the token. */
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { tunnelGateway } from "../../engine/cli";
import { cjs, resources, rewrite, stackTrace } from "../../engine/support";

const start = EmulatorProcess.forOneTest();

describe("an imported API key", () => {
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;
  let id: string;
  let token: string;
  let found: string;

  beforeAll(async () => {
    const key = (await emulator.api("POST", "/api_keys", { description: "by hand" })) as Record<
      string,
      string
    >;
    id = key.id!;
    token = key.token!;
    found = `const found = new ApiKey("found", { description: "by hand", ownerId: "${key.owner_id!}" }, { protect: true });`;
    program = cjs(found);
    stack = await program.stack({ config: emulator.config });
    const { exitCode, stdout, stderr } = await tunnelGateway(program, stack, [
      "import",
      "ApiKey",
      "found",
      id,
      "--stack",
      stack.name,
      "--run",
    ]);
    if (exitCode !== 0) throw new Error(stdout + stderr);
  });

  it("is previewed, refreshed, updated and exported where nothing uses its token", async () => {
    rewrite(
      program,
      `${found}
       const { token } = found;
       const looked = ApiKey.get("looked", "${id}");
       exports.owner = found.ownerId;
       exports.created = looked.createdAt;`,
    );
    await stack.up();
    await stack.refresh();
    await stack.previewNoChanges();
    await stack.previewNoChanges({ args: ["--refresh"] });
    expect((await stack.outputs()).owner).toMatch(/^usr_/);
    const { deployment } = (await stack.exportState(true)) as { deployment: { resources: unknown[] } };
    expect(deployment.resources.length).toBeGreaterThan(2);
    expect(JSON.stringify(deployment)).not.toContain(token);
  });

  it.each([
    ["a stack output", `exports.token = found.token;`],
    ["a text", `new IpPolicy("office", { description: pulumi.interpolate\`Bearer \${found.token}\` });`],
    [
      "the key of a Provider",
      `const robot = new Provider("robot", { apiKey: found.token, baseUrl: "http://127.0.0.1:1" });
      new IpPolicy("office", {}, { provider: robot });`,
    ],
  ])("is an error that says what to do where its token is used as %s", async (_, use) => {
    rewrite(program, `${found}\n${use}`);
    await emulator.clearRequests();
    const { output } = await stack.preview({ exitCode: 1 });
    const { urn } = resources(stack).found!;
    expect(output).toContain(
      'token of the ApiKey "found" is not in the state: the service returns it only when it creates the API key, ' +
        'and this stack did not create it; to get one, replace the API key with "pulumi up --target-replace ' +
        `${urn}"; if it is protected, as imported resources are, run "pulumi state unprotect ${urn}" before`,
    );
    expect(output).not.toMatch(stackTrace);
    expect(output).not.toContain(token);
    expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("has a token after it was replaced as the error says", async () => {
    rewrite(program, `${found}\nexports.token = found.token;`);
    const { urn } = resources(stack).found!;
    await stack.pulumi(["state", "unprotect", urn, "--yes", "--stack", stack.name]);
    await stack.up({ args: ["--target-replace", urn] });
    const next = (await stack.outputs(true)).token as string;
    expect(next).not.toBe(token);
    expect(next).toMatch(/^emulated_/);
    expect(stack.stateText()).not.toContain(next);
    await stack.previewNoChanges();
  });
});

it("an argument of a Provider without a value is an error, and not the environment's key", async () => {
  const emulator = await start();
  const program = cjs(`
    const robot = new Provider("robot", { apiKey: pulumi.output(undefined) });
    new IpPolicy("office", {}, { provider: robot });
  `);
  const stack = await program.stack({ env: emulator.env });
  const { output } = await stack.preview({ exitCode: 1 });
  expect(output).toContain("apiKey: is an Output without a value");
  expect(output).not.toMatch(stackTrace);
});
