import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { Program } from "../support/engine";
import type { Stack } from "../support/engine";
import { echoedSecrets, oddAccount, routes, tlsEdges } from "../support/odd-account";
import { tunnelGateway } from "./cli";
import { resources } from "./support";

const root = resolve(__dirname, "../..");
const modules = [
  ...routes.flatMap((route) => ["--https-route", route]),
  ...tlsEdges.flatMap((edge) => ["--tls-edge", edge]),
];

function tool(file: string, args: string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, [join(root, "node_modules", file), ...args], {
      cwd,
      encoding: "utf8",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}\n${stderr}`.slice(0, 5000);
  }
}

/** All files of the program that would be committed. */
function files(program: Program): string[] {
  return readdirSync(program.dir).filter((name) => /\.(ts|md|yaml|json)$/.test(name));
}

function importing(program: Program, stack: Stack, ...more: string[]) {
  return tunnelGateway(program, stack, ["import", "--run", "--stack", stack.name, ...modules, ...more]);
}

describe("an account of every collection, made by hand", () => {
  let emulator: EmulatorProcess;
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start({ undocumentedUpdates: true });
    await emulator.seed(oddAccount());
    program = new Program({ name: "taken", files: {} });
    stack = await program.stack({
      config: { ...emulator.config, "tunnel-gateway:patchUndocumented": "true" },
    });
  });
  afterAll(() => emulator.stop());

  it("is imported, and the next preview shows no change", async () => {
    await emulator.clearRequests();
    const result = await importing(program, stack);
    if (result.exitCode !== 0) throw new Error(result.stdout.slice(-3000) + result.stderr.slice(-6000));
    expect(result.stdout).toContain("The preview of the stack test shows no change.");
    const requests = await emulator.requests();
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(["GET"]));

    const { checkpoint } = JSON.parse(stack.stateText()) as {
      checkpoint: { latest: { resources: { type: string; protect?: boolean }[] } };
    };
    const own = checkpoint.latest.resources.filter(({ type }) => type.includes("tunnel-gateway:"));
    expect(own.length).toBeGreaterThanOrEqual(300);
    expect(own.every(({ protect }) => protect)).toBe(true);
    console.log(`${own.length} resources, ${requests.length} requests`);
  }, 600_000);

  it("leaves out what cannot be managed, and says why", () => {
    const notes = readFileSync(join(program.dir, "IMPORT-NOTES.md"), "utf8");
    expect(notes).toMatch(/EventDestination: .*does not show.*ed_unknown/);
    expect(notes).toMatch(/CloudEndpoint: .*"cloud", not "ephemeral".*ep_agent/);
  });

  it("is a program that compiles in strict mode, passes the linter and is formatted", () => {
    const compiler = {
      compilerOptions: {
        target: "ES2022",
        module: "commonjs",
        moduleResolution: "node10",
        ignoreDeprecations: "6.0",
        esModuleInterop: true,
        strict: true,
        noUnusedLocals: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        noEmit: true,
        types: [],
      },
      include: ["*.ts"],
    };
    writeFileSync(join(program.dir, "tsconfig.json"), JSON.stringify(compiler));
    expect(tool("typescript/bin/tsc", ["-p", program.dir], program.dir)).toBe("");
    const lint = `
      import { createRequire } from "node:module";
      const require = createRequire(${JSON.stringify(join(root, "package.json"))});
      const js = require("@eslint/js"), ts = require("typescript-eslint");
      export default [js.configs.recommended, ...ts.configs.recommendedTypeChecked, ...ts.configs.stylisticTypeChecked,
        { languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: ${JSON.stringify(program.dir)} } },
          rules: { "@typescript-eslint/consistent-type-imports": "error" } }];`;
    writeFileSync(join(program.dir, "eslint.config.mjs"), lint);
    const sources = files(program).filter((name) => name.endsWith(".ts"));
    expect(tool("eslint/bin/eslint.js", sources, program.dir)).toBe("");
    const written = [...sources, "IMPORT-NOTES.md", "config.template.yaml"];
    expect(tool("prettier/bin/prettier.cjs", ["--no-config", "--check", ...written], program.dir)).toContain(
      "All matched files use Prettier code style!",
    );
  }, 300_000);

  it("has no secret in clear in any file of the program or the state", () => {
    const texts = [
      ...files(program).map((name) => readFileSync(join(program.dir, name), "utf8")),
      stack.stateText(),
    ];
    for (const secret of [...echoedSecrets, "never-returned", emulator.apiKey]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(existsSync(join(program.dir, ".tunnel-gateway"))).toBe(false);
  });

  it("imports nothing again, and overwrites no file that was changed", async () => {
    const before = stack.stateText();
    const policies = join(program.dir, "policies.ts");
    writeFileSync(policies, `${readFileSync(policies, "utf8")}\n// mine\n`);
    const again = await importing(program, stack);
    expect(again.stdout + again.stderr).toContain("There is nothing to import");
    expect(again.exitCode).toBe(0);
    expect(stack.stateText()).toBe(before);
    expect(readFileSync(policies, "utf8")).toContain("// mine");
    const made = await emulator.api("POST", "/ip_policies", { description: "made later" });
    const refused = await importing(program, stack);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("policies.ts");
    expect(stack.stateText()).toBe(before);
    const forced = await importing(program, stack, "--force");
    if (forced.exitCode !== 0) throw new Error(forced.stdout + forced.stderr);
    expect(forced.stdout).toContain("1 resource was imported and protected");
    expect(resources(stack)["made-later"]!.id).toBe(made.id);
  }, 300_000);

  it("has a resource changed in one field updated alone, and nothing else", async () => {
    await emulator.clearRequests();
    const change = `
      import * as pulumi from "@pulumi/pulumi";
      const changed: Record<string, Record<string, unknown>> = {
        BotUser: { active: undefined },
        HttpsEdgeRouteOidc: { maximumDuration: 77 },
        HttpsEdgeRouteOauth: { authCheckInterval: 77 },
        HttpsEdgeRouteWebhookVerification: { enabled: false },
        TlsEdgeIpRestriction: { ipPolicyIds: ["ipp_3odd"] },
      };
      pulumi.runtime.registerStackTransformation(({ type, props, opts }) => {
        const name = type.split(":").at(-1)!;
        if (!type.includes("tunnel-gateway")) return undefined;
        if (name === "BotUser") return { props: { ...props, active: props.active === false ? true : false }, opts };
        return { props: { ...props, ...(changed[name] ?? { metadata: "changed" }) }, opts };
      });
    `;
    writeFileSync(join(program.dir, "change.ts"), change);
    const index = join(program.dir, "index.ts");
    const original = readFileSync(index, "utf8");
    writeFileSync(index, `import "./change";\n${original}`);
    const plan = await stack.previewJson();
    const ops = new Set(plan.changes.map(({ op }) => op));
    expect(ops).toEqual(new Set(["update"]));
    await stack.up({ timeoutMs: 400_000 });
    const writes = (await emulator.requests()).filter(({ method }) => method !== "GET");
    const paths = writes.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(writes.length).toBe(plan.changes.length);
    expect(plan.changes.length).toBeGreaterThanOrEqual(300);
    for (const { body, method } of writes)
      if (method === "PATCH") expect(Object.keys(body as object)).toHaveLength(1);
    await stack.previewNoChanges();
  }, 600_000);

  it("is destroyed, and only what cannot be managed is left", async () => {
    await stack.pulumi(["state", "unprotect", "--all", "--yes", "--stack", stack.name]);
    await stack.destroy({ timeoutMs: 400_000 });
    const {
      endpoints,
      event_destinations,
      https_edges,
      tls_edges,
      users,
      ssh_certificate_authorities,
      ...rest
    } = await emulator.state();
    expect([users, ssh_certificate_authorities]).toBeDefined();
    expect(Object.values(rest).flat()).toEqual([]);
    expect(endpoints!.map(({ id }) => id)).toEqual(["ep_agent", "ep_edge"]);
    expect(event_destinations!.map(({ id }) => id)).toEqual(["ed_unknown"]);
    expect(JSON.stringify([https_edges, tls_edges])).not.toMatch(
      /oidc":|oauth":|webhook_verification":|ip_restriction"/,
    );
  }, 600_000);
});
