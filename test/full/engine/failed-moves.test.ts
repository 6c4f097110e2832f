/**
 * A module that guards a route moves, the deployment fails, and the program is taken back: the route is guarded all the time.
 * test/simulation does the same by both doors.
 */
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { moduleSeed } from "../../support/modules";
import { cjs, rewrite } from "../../engine/support";

describe("a module whose move failed and is taken back", () => {
  const bodyAt = (routeId: string) => `
    const tg = require("pulumi-tunnel-gateway");
    new tg.HttpsEdgeRouteOidc("sign-in", { edgeId: "edge", routeId: "${routeId}", issuer: "https://login.example.com",
      clientId: "tests", clientSecret: "a-secret-of-tests" });
  `;
  const pathAt = (routeId: string) => `/edges/https/edge/routes/${routeId}/oidc`;
  const [path, next] = [pathAt("one"), pathAt("two")];
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    await emulator.seed(moduleSeed);
    program = cjs(bodyAt("one"));
    stack = await program.stack({ env: emulator.env });
    await stack.up();
  });
  beforeEach(async () => {
    rewrite(program, bodyAt("one"));
    await emulator.setFaults();
    await emulator.clearRequests();
  });

  const writes = async (): Promise<string[]> =>
    (await emulator.requestLines()).filter((line) => !line.startsWith("GET"));
  const refuse = (method: string, at: string) =>
    emulator.setFaults({ rules: [{ kind: "status", method, path: at, exact: true, status: 422 }] });

  it("stands while the service refuses the new one, and taking it back changes nothing", async () => {
    rewrite(program, bodyAt("two"));
    await refuse("PUT", next);
    await stack.up({ exitCode: 1 });
    expect(await writes()).toEqual([`PUT ${next}`]);
    rewrite(program, bodyAt("one"));
    await stack.up();
    expect(await writes()).toEqual([`PUT ${next}`]);
    expect(await emulator.api("GET", path)).toMatchObject({ enabled: true });
  });

  it("stays where the move ended before the old one was deleted", async () => {
    rewrite(program, bodyAt("two"));
    await refuse("DELETE", path);
    await stack.up({ exitCode: 1 });
    await emulator.setFaults();
    await emulator.clearRequests();
    rewrite(program, bodyAt("one"));
    const { output } = await stack.up();
    expect(await writes()).toEqual([`PUT ${path}`, `DELETE ${next}`]);
    expect(output).toContain("was not deleted, because the program declares this OIDC module");
    expect(await emulator.api("GET", path)).toMatchObject({ enabled: true });
    await stack.previewNoChanges();
  });

  it("stays where an earlier version deleted it before its replacement, whose creation failed", async () => {
    await emulator.api("DELETE", path);
    const state = await stack.exportState();
    for (const resource of state.deployment.resources!)
      if (resource.type.endsWith(":HttpsEdgeRouteOidc")) resource.pendingReplacement = true;
    await stack.importState(state);
    await emulator.clearRequests();
    const { output } = await stack.up();
    expect(await writes()).toEqual([`PUT ${path}`]);
    // The engine asks for the old one once more, after the create at its path.
    expect(output).toContain("was not deleted, because the program declares this OIDC module");
    expect(await emulator.api("GET", path)).toMatchObject({ enabled: true });
    await stack.previewNoChanges();
  });

  it("is deleted by a destroy that runs the program", async () => {
    await stack.pulumi(["destroy", "--run-program", "--yes", "--stack", "test"]);
    expect(await writes()).toEqual([`DELETE ${path}`]);
  });
});

describe("a set and a module that get another name and another provider", () => {
  const emulator = EmulatorProcess.forTests();
  const body = (name: string, provider: string) => `
    const tg = require("pulumi-tunnel-gateway");
    const settings = { apiKey: pulumi.secret("${emulator.apiKey}"), baseUrl: "${emulator.baseUrl}" };
    const [one, two] = [new tg.Provider("one", settings), new tg.Provider("two", { ...settings, requestTimeout: 20 })];
    new tg.IpPolicyRuleSet("${name}", { ipPolicyId: "ipp_office", rules: { "10.0.0.0/8": "allow", "10.0.0.0/9": "deny" } },
      { provider: ${provider} });
    new tg.HttpsEdgeRouteOidc("${name}", { edgeId: "edge", routeId: "one", issuer: "https://login.example.com",
      clientId: "tests", clientSecret: "a-secret-of-tests" }, { provider: ${provider} });
  `;
  const path = "/edges/https/edge/routes/one/oidc";

  it("stand: the other provider declares them where Pulumi asks to delete the old ones", async () => {
    await emulator.seed({ ...moduleSeed, ip_policies: [{ id: "ipp_office" }] });
    const program = cjs(body("before", "one"));
    const stack = await program.stack();
    await stack.up();
    rewrite(program, body("after", "two"));
    await emulator.clearRequests();
    const writes = async () => (await emulator.requestLines()).filter((line) => !line.startsWith("GET"));
    expect((await stack.up({ exitCode: 1 })).output).toContain("edge/one exists already");
    expect(await writes()).toEqual([]);
    // The user makes room for it.
    await emulator.api("DELETE", path);
    await emulator.clearRequests();
    const { output } = await stack.up();
    expect(output).toContain("was not deleted, because the program declares this OIDC module");
    expect(output).toContain("leaves 2 rules that the program declares for the policy");
    expect(await writes()).toEqual([`PUT ${path}`]);
    await stack.previewNoChanges();
  });
});
