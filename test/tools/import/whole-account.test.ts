/**
 * An account of every collection, with all the texts that break programs, becomes a program that changes nothing.
 * Pulumi's part is tested in test/engine/import.test.ts.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import * as gateway from "../../../src";
import { runCommandLine } from "../../support/command-line";
import { programFiles } from "../../../src/tools/import/objects/program-order";
import { echoedSecrets, oddAccount, oddIds, routes, tlsEdges } from "../../support/odd-account";
import { InProcessStack } from "../../support/in-process/stack";
import { PulumiStub } from "../../support/pulumi-stub";
import { sharedEmulator } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";

let mockPulumi: PulumiStub;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (...given: Parameters<PulumiStub["run"]>) => mockPulumi.run(...given),
}));

const root = resolve(__dirname, "../../..");
const project = "taken";
const modules = [
  ...routes.flatMap((route) => ["--https-route", route]),
  ...tlsEdges.flatMap((edge) => ["--tls-edge", edge]),
];

const emulator = sharedEmulator({ undocumentedUpdates: true });
const folder = temporaryFolder("account");
let stack: InProcessStack;

beforeAll(async () => {
  await emulator.seed(oddAccount());
  emulator.clearRequests();
  writeFileSync(join(folder, "Pulumi.yaml"), `name: ${project}\nruntime: nodejs\n`);
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/pulumi-tunnel-gateway"));
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"));
  const settings = { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey, patchUndocumented: "true" };
  const keyed = Object.entries(settings).map(([name, value]) => [`tunnel-gateway:${name}`, value]);
  mockPulumi = new PulumiStub(project, Object.fromEntries(keyed) as Record<string, string>);
  stack = new InProcessStack(settings, { project, config: mockPulumi.config });
});

const importing = (...more: string[]) =>
  runCommandLine(["import", "--run", "--stack", "test", "--cwd", folder, ...modules, ...more], {});

type Rules = Record<string, string | object>;
const withOneChanged = (rules: Rules): Rules => {
  const [[range, rule]] = Object.entries(rules) as [[string, Rules[string]]];
  const given = typeof rule === "string" ? { action: rule } : rule;
  return { ...rules, [range]: { ...given, metadata: "changed" } };
};

/** All files of the program that would be committed. */
const files = (): string[] => readdirSync(folder).filter((name) => /\.(ts|md|yaml|json)$/.test(name));

const text = (name: string): string => readFileSync(join(folder, name), "utf8");

function tool(file: string, args: string[]): string {
  try {
    return execFileSync(process.execPath, [join(root, "node_modules", file), ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}\n${stderr}`.slice(0, 5000);
  }
}

/** Runs the generated program. */
function program(): void {
  const loaded = new Map<string, object>();
  const load = (name: string): unknown => {
    if (name === "pulumi-tunnel-gateway") return gateway;
    if (name === "@pulumi/pulumi") return pulumi;
    const known = loaded.get(name);
    if (known) return known;
    const exported = {};
    loaded.set(name, exported);
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
    const { outputText } = ts.transpileModule(text(`${name}.ts`), { compilerOptions: options });
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the program
    new Function("exports", "require", outputText)(exported, load);
    return exported;
  };
  load("./index");
}

it("is imported whole and protected, by reading alone", async () => {
  const { code, stdout, stderr } = await importing();
  if (code !== 0) throw new Error(stdout.slice(-3000) + stderr.slice(-6000));
  expect(stdout).toContain("The preview of the stack test shows no change.");
  expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  expect(mockPulumi.resources.length).toBeGreaterThanOrEqual(250);
  expect(mockPulumi.calls.filter((call) => call.startsWith("import "))).toEqual([
    expect.stringContaining("--protect=true"),
  ]);
});

it("leaves out what cannot be managed, and says why", () => {
  const notes = text("IMPORT-NOTES.md");
  expect(notes).toMatch(/EventDestination: .*does not show.*ed_unknown/);
  expect(notes).toMatch(/- Endpoint: .*no class manages.*ep_agent/);
  expect(notes).toMatch(/- IpPolicy: .*not a valid id.*`ipp_\\nglobalThis\.ran = true;\/\/`/);
  for (const { name } of [...programFiles, { name: "index" }])
    expect(text(`${name}.ts`)).not.toMatch(/^\s*globalThis/m);
});

it("is a program that compiles in strict mode and passes the linter", () => {
  const compiler = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      target: "ES2022",
      module: "node16",
      strict: true,
      noUnusedLocals: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      types: [join(root, "node_modules/@types/node")],
      paths: { "pulumi-tunnel-gateway": [join(root, "src/index.ts")] },
    },
    include: ["*.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(compiler));
  const lint = { extends: [join(root, ".oxlintrc.json")] };
  writeFileSync(join(folder, ".oxlintrc.json"), JSON.stringify(lint));
  const sources = files().filter((name) => name.endsWith(".ts"));
  expect(tool("oxlint/bin/oxlint", ["--type-aware", "--type-check", ...sources])).toMatch(
    /^Found 0 warnings and 0 errors\.$/m,
  );
  // The sources have the layout of TypeScript's formatter: test/tools/import/layout.test.ts.
  const documents = ["IMPORT-NOTES.md", "config.template.yaml"];
  expect(tool("prettier/bin/prettier.cjs", ["--no-config", "--check", ...documents])).toContain(
    "All matched files use Prettier code style!",
  );
});

it("has no secret in plaintext in any file of the program", () => {
  const texts = files().map(text);
  for (const secret of [...echoedSecrets, "never-returned", emulator.apiKey]) {
    expect(texts.filter((each) => each.includes(secret))).toEqual([]);
  }
  expect(existsSync(join(folder, ".tunnel-gateway"))).toBe(false);
});

it("has nothing to do, resource by resource", async () => {
  stack.adopt(mockPulumi.resources);
  emulator.clearRequests();
  const { steps, changes } = await stack.up(program);
  expect(changes).toEqual([]);
  expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["same"]));
  expect(steps).toHaveLength(mockPulumi.resources.length);
  expect(emulator.requests).toEqual([]);
});

it("has a resource changed in one field updated alone, and nothing else", async () => {
  emulator.clearRequests();
  const changed: Record<string, Record<string, unknown>> = {
    HttpsEdgeRouteOidc: { maximumDuration: 77 },
    HttpsEdgeRouteOauth: { authCheckInterval: 77 },
    HttpsEdgeRouteWebhookVerification: { enabled: false },
    TlsEdgeIpRestriction: { ipPolicyIds: ["ipp_3odd"] },
  };
  const change = (type: string, args: Readonly<Record<string, unknown>>) => {
    if (type === "BotUser") return { ...args, active: args.active === false };
    if (type === "IpPolicyRuleSet") return { ...args, rules: withOneChanged(args.rules as Rules) };
    return { ...args, ...(changed[type] ?? { metadata: "changed" }) };
  };
  const run = async () => (await stack.up(program, change)).steps.map(({ op }) => op);
  const operations = await run();
  expect(new Set(operations)).toEqual(new Set(["update"]));
  expect(operations.length).toBeGreaterThanOrEqual(250);
  const writes = emulator.requests.filter(({ method }) => method !== "GET");
  expect(new Set(writes.map(({ path }) => path)).size).toBe(writes.length);
  expect(writes).toHaveLength(operations.length);
  for (const { body, method } of writes)
    if (method === "PATCH") expect(Object.keys(body as object)).toHaveLength(1);
  expect(new Set(await run())).toEqual(new Set(["same"]));
});

it("imports nothing again, and overwrites no file that was changed", async () => {
  const before = mockPulumi.resources.length;
  writeFileSync(join(folder, "policies.ts"), `${text("policies.ts")}\n// mine\n`);
  const again = await importing();
  expect(again.stdout + again.stderr).toContain("There is nothing to import");
  expect(again.code).toBe(0);
  expect(mockPulumi.resources).toHaveLength(before);
  expect(text("policies.ts")).toContain("// mine");
  const { ip_policies } = await emulator.seed({ ip_policies: [{ description: "made later" }] });
  const refused = await importing();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("policies.ts");
  expect(mockPulumi.resources).toHaveLength(before);
  const forced = await importing("--force");
  if (forced.code !== 0) throw new Error(forced.stdout + forced.stderr);
  expect(forced.stdout).toContain("1 resource was imported");
  expect(mockPulumi.resources.slice(before)).toMatchObject([{ name: "made-later", id: ip_policies![0]!.id }]);
});

it("is destroyed, and only what cannot be managed is left", async () => {
  stack.adopt(mockPulumi.resources.slice(-1));
  await expect(stack.destroy()).rejects.toThrow("is protected and cannot be deleted");
  stack.unprotect();
  await stack.destroy();
  const {
    endpoints,
    event_destinations,
    https_edges,
    tls_edges,
    users,
    ssh_certificate_authorities,
    ip_policies,
    ...rest
  } = emulator.snapshot();
  expect([users, ssh_certificate_authorities]).toBeDefined();
  expect(ip_policies!.map(({ id }) => id).sort()).toEqual([...oddIds].sort());
  expect(Object.values(rest).flat()).toEqual([]);
  expect(endpoints!.map(({ id }) => id)).toEqual(["ep_agent", "ep_edge"]);
  expect(event_destinations!.map(({ id }) => id)).toEqual(["ed_unknown"]);
  expect(JSON.stringify([https_edges, tls_edges])).not.toMatch(
    /oidc":|oauth":|webhook_verification":|ip_restriction"/,
  );
});
