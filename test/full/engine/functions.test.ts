import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { engineSetup } from "../../support/engine-setup";
import { Program } from "../../support/engine";
import { resources, transpileOnly } from "../../engine/support";

const emulator = EmulatorProcess.forTests();
afterEach(() => emulator.reset());

/** A plain program, or a script outside of any. */
const load = `const gateway = require("pulumi-tunnel-gateway"); const pulumi = require("@pulumi/pulumi");\n`;

/** Runs a script beside the installed package, outside of any Pulumi program. */
function script(body: string, flags: string[] = []): unknown {
  const code = `${load}(async () => { ${body} })().then((r) => console.log(JSON.stringify(r ?? null)), (e) => { console.error(e); process.exit(1); });`;
  const env = { ...process.env, ...emulator.env };
  const options = { cwd: engineSetup().template, encoding: "utf8", env } as const;
  return JSON.parse(execFileSync(process.execPath, [...flags, "-e", code], options));
}

const oidc = {
  issuer: "https://id.example.com",
  client_id: "visible",
  client_secret: "hidden-client-secret",
};

describe("the example that looks a policy up by its description", () => {
  const files = readFileSync(join(__dirname, "../../../examples/lookup/index.ts"), "utf8");

  it("uses it in a TcpEdge, with the stack's configuration, in preview and up", async () => {
    await emulator.seed({
      ip_policies: [{ id: "ipp_office", description: "office networks" }, { id: "ipp_b" }],
    });
    const stack = await new Program({ files }).stack({ config: emulator.config, env: transpileOnly });
    const plan = await stack.previewJson();
    const edge = plan.steps.find(({ type }) => type.endsWith(":TcpEdge"))!;
    expect(edge.newState!.inputs!.ipRestriction).toEqual({ ipPolicyIds: ["ipp_office"] });
    await stack.up();
    expect((await stack.outputs()).policyId).toBe("ipp_office");
    expect((await emulator.state())["edges/tcp"]).toMatchObject([
      { ip_restriction: { ip_policies: [{ id: "ipp_office" }] } },
    ]);
    await stack.previewNoChanges();
  });

  it("says in one line that there is no such policy", async () => {
    const stack = await new Program({ files }).stack({ config: emulator.config, env: transpileOnly });
    const none = await stack.preview({ exitCode: "any" });
    expect(none.exitCode).not.toBe(0);
    expect(none.output).toContain('no IP policy matches {"description":"office networks"}');
    expect(none.output).not.toMatch(/node_modules|unhandled/);
  });
});

describe("functions in a program", () => {
  it("encrypt a secret, and nothing beside it, in state and preview", async () => {
    await emulator.seed({ https_edges: [{ id: "edge", routes: [{ id: "route", oidc }] }] });
    const body = `
      const module_ = gateway.getHttpsEdgeRouteOidcOutput("edge/route");
      new gateway.IpPolicy("a", { description: module_.clientId });
      new gateway.IpPolicy("b", { description: module_.clientSecret });
      exports.clientId = module_.clientId;
      exports.clientSecret = module_.clientSecret;
    `;
    const stack = await new Program({ kind: "cjs", files: load + body }).stack({ config: emulator.config });
    const preview = await stack.preview({ args: ["--diff"] });
    expect(preview.output).toContain("visible");
    expect(preview.output).not.toContain("hidden-client-secret");
    await stack.up();
    expect(stack.stateText()).not.toContain("hidden-client-secret");
    const { a, b } = resources(stack);
    expect(a!.inputs!.description).toBe("visible");
    expect(b!.inputs!.description).not.toBe("visible");
    expect(await stack.outputs(true)).toEqual({ clientId: "visible", clientSecret: "hidden-client-secret" });
  });
});

describe("functions outside of any program", () => {
  it("load nothing that sends requests before the first call", () => {
    const loaded = script(
      `return Object.keys(require.cache).filter((f) => /node_modules.(undici|zod|hono|commander)./.test(f));`,
    );
    expect(loaded).toEqual([]);
  });

  it("hold one page of a list in memory, however long it is", () => {
    // 30,000 objects with 120 MB of metadata.
    const body = `
      let page = 0;
      const server = require("node:http").createServer((_request, response) => {
        page += 1;
        const items = Array.from({ length: 100 }, (_, i) => ({ id: "ipp_" + page + "_" + i, metadata: "x".repeat(4096) }));
        const next_page_uri = page < 300 ? "https://elsewhere/ip_policies?before_id=ipp_" + page + "_99&limit=100" : null;
        response.end(JSON.stringify({ ip_policies: items, uri: "u", next_page_uri }));
      });
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      const baseUrl = "http://127.0.0.1:" + server.address().port;
      let count = 0;
      const used = [];
      for await (const policy of gateway.listIpPolicies({ settings: { baseUrl } })) {
        count += 1;
        if (count % 5000 !== 0) continue;
        global.gc();
        used.push(process.memoryUsage().heapUsed);
      }
      server.close();
      return { count, growth: Math.max(...used) - used[0] };
    `;
    const { count, growth } = script(body, ["--expose-gc"]) as { count: number; growth: number };
    expect(count).toBe(30_000);
    expect(growth).toBeLessThan(5 * 1024 * 1024);
  });
});
