/**
 * A module that guards a route stands through everything that would replace it, also where the service refuses the change.
 * test/provider/life-cycle/own-paths.test.ts has all classes, and test/simulation the moves that fail and are taken back.
 */
import { EmulatorProcess } from "../../support/emulator-process";
import type { Program, Stack } from "../../support/engine";
import { moduleSeed } from "../../support/modules";
import { cjs, rewrite } from "../../engine/support";

describe("a module whose replacement is asked for", () => {
  const body = (issuer: string, trigger: string, more = "") => `
    const tg = require("pulumi-tunnel-gateway");
    const place = { edgeId: "edge", routeId: "one" };
    const secrets = { clientId: "tests", clientSecret: "a-secret-of-tests" };
    new tg.HttpsEdgeRouteOidc("sign-in", { ...place, ...secrets, issuer: "https://${issuer}.example.com" },
      { replaceOnChanges: ["*"], replacementTrigger: "${trigger}", deleteBeforeReplace: true${more} });
  `;
  const transform = `, transforms: [({ props, opts }) => ({ props, opts: { ...opts, replaceOnChanges: ["issuer"] } })]`;
  const path = "/edges/https/edge/routes/one/oidc";
  const emulator = EmulatorProcess.forTests();
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    await emulator.seed(moduleSeed);
    program = cjs(body("first", "1"));
    stack = await program.stack({ env: emulator.env });
    await stack.up();
  });
  beforeEach(async () => {
    await emulator.setFaults();
    await emulator.clearRequests();
  });

  const issuer = async (): Promise<unknown> => (await emulator.api("GET", path)).issuer;
  const writes = async (): Promise<string[]> =>
    (await emulator.requestLines()).filter((line) => !line.startsWith("GET"));

  it("by its options is updated by PUT, and stands where the service refuses that; a warning says why", async () => {
    rewrite(program, body("refused", "2"));
    await emulator.setFaults({ rules: [{ kind: "status", method: "PUT", path, exact: true, status: 422 }] });
    const { output } = await stack.up({ exitCode: 1 });
    expect(output).toContain("updating the OIDC module edge/one failed: 422");
    expect(await writes()).toEqual([`PUT ${path}`]);
    await emulator.setFaults();
    expect(await issuer()).toBe("https://first.example.com");
    const accepted = await stack.up();
    for (const option of ["replaceOnChanges", "replacementTrigger"]) {
      expect(accepted.output).toContain(
        `the resource option ${option} is ignored: a replacement would delete the OIDC module`,
      );
    }
    expect(await issuer()).toBe("https://refused.example.com");
    expect(await writes()).toEqual([`PUT ${path}`, `PUT ${path}`]);
  });

  it("by a transform is updated by PUT too, and the old one is not deleted", async () => {
    rewrite(program, body("moved", "2", transform));
    const { output } = await stack.up();
    expect(output).toContain("was not deleted, because the program declares this OIDC module");
    expect(await writes()).toEqual([`PUT ${path}`]);
    expect(await issuer()).toBe("https://moved.example.com");
  });

  it("by a transform that also deletes it first is updated by PUT too", async () => {
    rewrite(program, body("first", "2", transform.replace("...opts", "...opts, deleteBeforeReplace: true")));
    await stack.up();
    expect(await writes()).toEqual([`PUT ${path}`]);
    expect(await issuer()).toBe("https://first.example.com");
  });

  it("by a taint is not deleted: its creation fails while it stands", async () => {
    rewrite(program, body("tainted", "2"));
    await stack.pulumi([
      "state",
      "taint",
      stack.urn("HttpsEdgeRouteOidc", "sign-in"),
      "--yes",
      "--stack",
      "test",
    ]);
    const tainted = await stack.up({ exitCode: 1 });
    expect(tainted.output).toMatch(
      /edge\/one exists already\. If it has a new name .*aliases.*\(--target-replace, pulumi state taint\), add --refresh to pulumi up.* import it/,
    );
    expect(await writes()).toEqual([]);
    expect(await issuer()).toBe("https://first.example.com");
  });

  it("by a taint is updated by PUT where the deployment refreshes it before", async () => {
    await stack.up({ args: ["--refresh"] });
    expect(await writes()).toEqual([`PUT ${path}`]);
    expect(await issuer()).toBe("https://tainted.example.com");
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
    await stack.previewNoChanges();
  });

  it("by another route moves: the new one is created first", async () => {
    rewrite(program, body("moved", "3").replace('"one"', '"two"'));
    await stack.up();
    expect(await writes()).toEqual([`PUT ${path.replace("one", "two")}`, `DELETE ${path}`]);
  });
});
