/** `drift` in process; the Pulumi CLI answers with recorded previews, the account is that of an emulator. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { InterruptedError, PulumiError } from "../../../src/tools/stack/pulumi";
import { noneExists } from "../../../src/provider/settings/own-account";
import { secretSignature } from "../../../src/schema/secrets";
import type { PulumiCall } from "../../../src/tools/stack/pulumi";
import { tokenPrefix } from "../../../src/program/shim";
import { runCommandLine } from "../../support/command-line";
import { previewText, writtenPreview } from "../review/support";
import { recorded } from "../../support/recorded";
import { sharedEmulator } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";

const inStack = (name: string, stack: string): string =>
  previewText(name).replaceAll("urn:pulumi:test::", `urn:pulumi:${stack}::`);

let mockPreviews: Record<string, string | Error>;
let mockCalls: string[];
let mockPreviewEnv: PulumiCall["env"];
/** What the preview of a stack says where the plugin must know that the account is that of its objects. */
const mockJudged: Record<string, string | Error> = {};
let mockConfig: Record<string, { value: string }> | Error;
let mockExport: object = {};
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (args: readonly string[], { env }: PulumiCall) => {
    mockCalls.push(args.join(" "));
    if (args[1] === "ls") {
      const stacks = Object.keys(mockPreviews).map((name, i) => ({ name, current: i === 1 }));
      return Promise.resolve({ stdout: JSON.stringify(stacks), stderr: "" });
    }
    if (args[0] === "config" && mockConfig instanceof Error) return Promise.reject(mockConfig);
    if (args[0] !== "preview")
      return Promise.resolve({
        stdout: JSON.stringify(args[0] === "config" ? mockConfig : recorded(mockExport)),
        stderr: "",
      });
    mockPreviewEnv = env;
    const stack = args[args.indexOf("--stack") + 1]!;
    const isJudged = env?.TUNNEL_GATEWAY_ACCEPT_DELETED !== "true";
    const preview = (isJudged ? mockJudged[stack] : undefined) ?? mockPreviews[stack]!;
    if (preview instanceof Error) return Promise.reject(preview);
    return Promise.resolve({ stdout: preview, stderr: "" });
  },
}));

const emulator = sharedEmulator();
const folder = temporaryFolder("drift");
beforeEach(() => {
  mockCalls = [];
  mockPreviews = {
    "prod-eu": inStack("drift", "prod-eu"),
    "prod-us": inStack("nothing-changed", "prod-us"),
    dev: inStack("nothing-changed", "dev"),
  };
  mockConfig = {
    "tunnel-gateway:apiKey": { value: emulator.apiKey },
    "tunnel-gateway:baseUrl": { value: emulator.baseUrl },
  };
});

const drift = (...args: string[]) => runCommandLine(["drift", "--cwd", folder, ...args], {});

it("lists what was changed and deleted by hand, by stack, and ends with exit code 3", async () => {
  const { code, stdout, stderr } = await drift("--stacks", "prod-*");
  expect([code, stderr]).toEqual([3, ""]);
  expect(stdout.replace(/ {2,}/g, "  ")).toBe(
    [
      "STACK  RESOURCE  FIELD  IN STATE  IN ACCOUNT",
      "prod-eu  IpPolicyRule guests  exists  deleted",
      'prod-eu  IpPolicyRule lan  cidr  "203.0.113.0/24"  "203.0.112.0/23"',
      "",
      "2 stacks: 2 resources differ",
      "",
    ].join("\n"),
  );
  expect(mockCalls.filter((call) => call.startsWith("preview"))).toEqual([
    "preview --json --show-sames --show-replacement-steps --stack prod-eu --refresh",
    "preview --json --show-sames --show-replacement-steps --stack prod-us --refresh",
  ]);
});

it("shows the default of an argument that the state lacks", async () => {
  const printed = JSON.parse(
    writtenPreview([
      { type: "TlsEdgeIpRestriction", name: "tls", before: { enabled: false }, after: { enabled: false } },
    ]),
  ) as { steps: { urn: string; oldState: { outputs: object } }[] };
  const [{ urn, oldState }] = printed.steps as [{ urn: string; oldState: object }];
  const recordedState = { ...oldState, outputs: { __args: [] } };
  printed.steps.unshift({ op: "refresh", urn, oldState: recordedState, newState: oldState } as never);
  mockPreviews.dev = JSON.stringify(printed);
  expect((await drift("--stack", "dev")).stdout.replace(/ {2,}/g, "  ")).toContain(
    "dev  TlsEdgeIpRestriction tls  enabled  true (default)  false\n",
  );
});

it("prints JSON with the differences of each stack", async () => {
  const { code, stdout } = await drift("--stacks", "prod-*", "--json");
  expect(code).toBe(3);
  const document = JSON.parse(stdout) as { counts: object; stacks: object[] };
  expect(document.counts).toEqual({ stacks: 2, drift: 2, ended: 0, failures: 0, failedStacks: 0 });
  expect(document.stacks).toMatchObject([
    {
      ...{ stack: "prod-eu", project: "review", errors: [], ended: [], failures: [], accessTests: 0 },
      drift: [
        { type: "IpPolicyRule", name: "guests", gone: true, differences: [] },
        {
          ...{ type: "IpPolicyRule", name: "lan", gone: false },
          differences: [{ path: "cidr", old: "203.0.113.0/24", next: "203.0.112.0/23", secret: false }],
        },
      ],
      pending: { create: 0, update: 0, replace: 0, delete: 0 },
    },
    { stack: "prod-us", drift: [] },
  ]);
});

it("ends with exit code 0 for a selected stack without drift", async () => {
  const { code, stdout } = await drift();
  expect([code, stdout]).toEqual([0, "1 stack: no drift\n"]);
  expect(mockCalls).toContain(
    "preview --json --show-sames --show-replacement-steps --stack prod-us --refresh",
  );
});

it("does not say that nothing differs where the service refuses the key of the configuration", async () => {
  Object.assign(mockConfig, { "tunnel-gateway:apiKey": { value: "rotated-away" } });
  const { code, stdout, stderr } = await drift();
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(
    "the service refuses the key in the configuration of the stack prod-us, so the refresh used the key in the state: " +
      "correct tunnel-gateway:apiKey, and run pulumi up",
  );
  expect(stdout + stderr).not.toContain("rotated-away");
  expect(stdout).not.toContain("no drift");
});

describe("a base URL that is not the one of the last deployment", () => {
  const [old, here] = ["http://127.0.0.1:9", "here"];
  const urlOf = (text: string): string => text.replace(here, emulator.baseUrl);
  const secret = { ...secretSignature, ciphertext: "v1:x" };

  /** Of the last deployment, in the configuration, in the environment. */
  async function driftWith(deployed: unknown, configured?: string, env?: string) {
    const urn = "urn:pulumi:prod-us::review::pulumi:providers:pulumi-nodejs::default";
    const baseUrl = typeof deployed === "string" ? urlOf(deployed) : deployed;
    mockExport = { deployment: { resources: [{ urn, inputs: { "tunnel-gateway:baseUrl": baseUrl } }] } };
    mockConfig = {
      "tunnel-gateway:apiKey": { value: emulator.apiKey },
      ...(configured !== undefined && { "tunnel-gateway:baseUrl": { value: urlOf(configured) } }),
    };
    const environment: Record<string, string> =
      env === undefined ? {} : { TUNNEL_GATEWAY_BASE_URL: urlOf(env) };
    return runCommandLine(["drift", "--cwd", folder], environment);
  }
  afterEach(() => {
    mockExport = {};
  });

  it.each([
    ["the configuration names another one", old, here, undefined],
    ["the configuration names one, and the environment did", undefined, here, old],
    ["the environment names one, and the configuration did", old, undefined, here],
  ])("fails where %s, for the refresh used the old one", async (_, deployed, configured, env) => {
    const { code, stdout, stderr } = await driftWith(deployed, configured, env);
    expect([code, stdout]).toEqual([1, expect.not.stringContaining("no drift")]);
    expect(stderr).toContain(
      `the base URL of the stack prod-us is ${emulator.baseUrl}, and the refresh used that of the last deployment, ${old}: ` +
        "correct tunnel-gateway:baseUrl or TUNNEL_GATEWAY_BASE_URL, or review the change and run pulumi up",
    );
  });

  it.each([
    ["with a slash at its end", `${here}/`, here, undefined],
    ["that the environment gives as before", undefined, undefined, here],
    ["that the state hides as a secret", secret, here, undefined],
  ])("does not fail for one %s", async (_, deployed, configured, env) => {
    const { code, stdout } = await driftWith(deployed, configured, env);
    expect([code, stdout]).toEqual([0, "1 stack: no drift\n"]);
  });
});

it("gives the refresh the key of the configuration in its environment, unless the environment has a key", async () => {
  await drift();
  const { apiKey, baseUrl } = emulator;
  expect(mockPreviewEnv).toEqual({
    TUNNEL_GATEWAY_CONFIGURED_ACCOUNT: JSON.stringify({ apiKey, baseUrl }),
    TUNNEL_GATEWAY_ACCEPT_DELETED: "true",
    TUNNEL_GATEWAY_REFRESH_OF_TOOL: "true",
  });
  expect(mockCalls.join()).not.toContain(apiKey);
  // Pulumi may ask for a passphrase each time.
  expect(mockCalls.filter((call) => call.startsWith("config"))).toHaveLength(1);
  await runCommandLine(["drift", "--cwd", folder], { TUNNEL_GATEWAY_API_KEY: "of-the-environment" });
  expect(mockPreviewEnv).not.toHaveProperty("TUNNEL_GATEWAY_CONFIGURED_ACCOUNT");
});

it("gives the refresh the base URL of the environment where the configuration has a key alone", async () => {
  mockConfig = { "tunnel-gateway:apiKey": { value: emulator.apiKey } };
  await runCommandLine(["drift", "--cwd", folder], { TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl });
  const { apiKey, baseUrl } = emulator;
  expect(mockPreviewEnv).toMatchObject({
    TUNNEL_GATEWAY_CONFIGURED_ACCOUNT: JSON.stringify({ apiKey, baseUrl }),
  });
});

it("says why a stack cannot be previewed where its configuration cannot be read either", async () => {
  mockConfig = new PulumiError("failed", 255, { stdout: "", stderr: "error: incorrect passphrase" });
  mockPreviews["prod-us"] = mockConfig;
  const { code, stderr } = await drift();
  expect([code, stderr]).toEqual([
    1,
    "prod-us could not be compared: the stack prod-us could not be previewed: error: incorrect passphrase\n",
  ]);
});

it("needs no key in the configuration of a stack whose providers have their own", async () => {
  mockConfig = {};
  const { code, stdout } = await drift();
  expect([code, stdout]).toEqual([0, "1 stack: no drift\n"]);
  expect(mockPreviewEnv).not.toHaveProperty("TUNNEL_GATEWAY_CONFIGURED_ACCOUNT");
});

it("does not take what a deployment would change for drift, and says so", async () => {
  mockPreviews.dev = inStack("access-range-widened", "dev");
  const { code, stdout } = await drift("--stack", "dev");
  expect(code).toBe(0);
  expect(stdout).toBe("dev has changes that are not deployed: 1 to update\n1 stack: no drift\n");
});

it("compares the other stacks where one fails, names it, and ends with exit code 1", async () => {
  mockPreviews["prod-us"] = new PulumiError("failed", 255, {
    stdout: "",
    stderr: "error: no\n::x::\u001b[2J",
  });
  const { code, stdout, stderr } = await drift("--stacks", "prod-*");
  expect(code).toBe(1);
  expect(stdout).toContain("2 stacks: 2 resources differ, 1 stack could not be compared");
  expect(stderr).toMatch(
    /^prod-us could not be compared: the stack prod-us could not be previewed: error: no/,
  );
  expect(stderr).not.toContain("\u001b");
  expect(stderr).not.toMatch(/^\s*::/m);
});

describe("a stack of which no object exists", () => {
  beforeEach(() => {
    const printed = JSON.parse(previewText("drift")) as { steps: { op: string; urn: string }[] };
    const steps = printed.steps
      .filter(({ op, urn }) => op === "refresh" || !urn.includes("tunnel-gateway:"))
      .map((step) => (step.op === "refresh" ? { ...step, newState: undefined } : step));
    mockPreviews.dev = JSON.stringify({ ...printed, steps });
  });
  afterEach(() => delete mockJudged.dev);
  const previews = () => mockCalls.filter((call) => call.startsWith("preview"));

  it("has drift where the plugin knows by the state that the account is its own", async () => {
    const { code, stderr, stdout } = await drift("--stack", "dev");
    expect([code, stderr]).toEqual([3, ""]);
    expect(stdout).toContain("deleted");
    expect(previews()).toHaveLength(2);
    expect(mockPreviewEnv).not.toHaveProperty("TUNNEL_GATEWAY_ACCEPT_DELETED");
  });

  it("is judged for each provider by itself", async () => {
    const printed = JSON.parse(mockPreviews.dev as string) as { steps: { op: string; oldState: object }[] };
    const one = printed.steps.find(({ op }) => op === "refresh")!;
    const state = {
      ...one.oldState,
      provider: "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::eu::id",
    };
    Object.assign(one, { oldState: state, newState: state });
    mockPreviews.dev = JSON.stringify(printed);
    await drift("--stack", "dev");
    expect(previews()).toHaveLength(2);
  });

  it("cannot be compared where the plugin suspects another account, unless the deletion is accepted", async () => {
    const diagnostics = [{ severity: "error", message: noneExists(3) }];
    const whole = mockPreviews.dev as string;
    const { steps, ...rest } = JSON.parse(whole) as {
      steps: { op: string; urn: string; oldState: object }[];
    };
    const refreshed = steps.filter(({ op }) => op === "refresh");
    const created = refreshed.map(({ urn, oldState }) => ({ op: "create", urn, newState: oldState }));
    mockPreviews.dev = JSON.stringify({ ...rest, steps: [...steps, ...created], diagnostics });
    expect((await drift("--stack", "dev")).stderr).toContain(noneExists(3));
    expect(previews()).toHaveLength(1);
    mockPreviews.dev = whole;
    mockJudged.dev = new PulumiError("failed", 255, {
      stdout: JSON.stringify({ steps: [], diagnostics }),
      stderr: "",
    });
    const { code, stderr, stdout } = await drift("--stack", "dev");
    expect([code, stderr]).toEqual([1, `dev could not be compared: ${noneExists(3)}\n`]);
    expect(stdout).not.toMatch(/no drift|deleted|to create|differ/);
    mockCalls = [];
    const env = { TUNNEL_GATEWAY_ACCEPT_DELETED: "true" };
    const accepted = await runCommandLine(["drift", "--cwd", folder, "--stack", "dev"], env);
    expect([accepted.code, accepted.stderr]).toEqual([3, ""]);
    expect(accepted.stdout).toContain("deleted");
    expect(previews()).toHaveLength(1);
  });
});

it("prints once why several stacks could not be compared, with their names and number", async () => {
  const failure = new PulumiError("failed", 255, { stdout: "", stderr: "error: incorrect passphrase" });
  mockPreviews = Object.fromEntries(
    ["prod-ap", "prod-br", "prod-eu", "prod-us"].map((name) => [name, failure]),
  );
  const { code, stderr } = await drift("--stacks", "prod-*");
  expect([code, stderr]).toEqual([
    1,
    "prod-ap, prod-br and 2 more could not be compared: the stack [stack] could not be previewed: error: incorrect passphrase\n",
  ]);
});

it("names a stack once where two of its resources are left out for the same reason", async () => {
  const state = { id: "not/an/id", inputs: {} };
  const step = (parent: string): object => ({
    ...{ op: "same", urn: `urn:pulumi:dev::shop::${parent}$${tokenPrefix}IpPolicy::office` },
    ...{ oldState: state, newState: state },
  });
  mockPreviews.dev = JSON.stringify(recorded({ steps: [step("shop:a:A"), step("shop:b:B")] }));
  const { stderr } = await drift("--stack", "dev");
  expect(stderr).toMatch(/^dev could not be compared: IpPolicy "office" is left out: [^\n]*\n$/);
});

it("says once what is wrong with each account, though the preview says it of each resource", async () => {
  const message = (name: string): string =>
    `the service refuses to read with the key of the Provider "${name}"`;
  const diagnostics = ["eu", "eu", "us", "eu"].map((name) => ({ severity: "error", message: message(name) }));
  const stdout = JSON.stringify({ steps: [], diagnostics });
  mockPreviews.dev = new PulumiError("failed", 255, { stdout, stderr: "" });
  const { code, stderr } = await drift("--stack", "dev");
  const said = (name: string): string => `dev could not be compared: ${message(name)}\n`;
  expect([code, stderr]).toEqual([1, said("eu") + said("us")]);
  const { stacks } = JSON.parse((await drift("--stack", "dev", "--json")).stdout) as { stacks: object[] };
  expect(stacks).toMatchObject([{ errors: [message("eu"), message("us")] }]);
});

it("ends as interrupted after an interrupt", async () => {
  mockPreviews["prod-us"] = new InterruptedError("pulumi preview was interrupted");
  expect((await drift("--stacks", "prod-*")).code).toBe(130);
});

describe("access tests", () => {
  const withTests = (accessTests: object[]): string => {
    const file = join(folder, "tests.json");
    writeFileSync(file, JSON.stringify({ accessTests }));
    return file;
  };
  beforeAll(async () => {
    await emulator.seed({
      ip_policies: [{ id: "ipp_office", description: "office" }],
      ip_policy_rules: [
        { id: "ipr_1", ip_policy_id: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
        { id: "ipr_2", ip_policy_id: "ipp_office", cidr: "198.51.100.0/24", action: "allow" },
      ],
      "edges/tcp": [{ id: "edgtcp_1", ip_restriction: { ip_policy_ids: ["ipp_office"] } }],
    });
    const type = "pulumi-nodejs:dynamic/tunnel-gateway:TcpEdge";
    const urn = `urn:pulumi:dev::review::${type}::database`;
    mockExport = { deployment: { resources: [{ urn, type, id: "edgtcp_1", inputs: {}, outputs: {} }] } };
  });

  it("fail for what somebody made by hand in the account, under the names of the stack", async () => {
    const config = withTests([
      { resource: "TcpEdge database", onlyFrom: ["203.0.113.0/24"] },
      { resource: "TcpEdge database", allowed: ["203.0.113.7"] },
    ]);
    const { code, stdout } = await drift("--stack", "dev", "--config", config);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /dev {2,}TcpEdge database {2}198\.51\.100\.0\/24 \(256 addresses\) must not be allowed.*IpPolicyRule ipr_2/,
    );
    expect(stdout).toContain("1 stack: 1 access test failure");
    expect(mockCalls.filter((call) => call.startsWith("stack export"))).toHaveLength(1);
    const { stacks } = JSON.parse((await drift("--stack", "dev", "--config", config, "--json")).stdout) as {
      stacks: object[];
    };
    expect(stacks).toMatchObject([
      { accessTests: 2, failures: [{ type: "TcpEdge", name: "database", id: "edgtcp_1", test: 0 }] },
    ]);
  });

  it("test what is in another account as the refresh found it, and fail for what is nowhere", async () => {
    const config = withTests([
      { resource: "TcpEdge db", allowed: ["203.0.113.7"] },
      { resource: "TcpEdge db", notAllowed: ["203.0.113.7"] },
      { resource: "TcpEdge nowhere", allowed: ["203.0.113.7"] },
    ]);
    const { stdout } = await drift("--stack", "dev", "--config", config, "--json");
    const [{ failures }] = (JSON.parse(stdout) as { stacks: [{ failures: object[] }] }).stacks;
    expect(failures).toMatchObject([
      { test: 2, message: expect.stringContaining("no edge, route or endpoint has the name") as string },
      { name: "db", test: 1 },
    ]);
  });

  it("make the stack fail where the account cannot be read", async () => {
    mockConfig = { "tunnel-gateway:baseUrl": { value: emulator.baseUrl } };
    const config = withTests([{ resource: "TcpEdge db", allowed: ["203.0.113.7"] }]);
    const { code, stderr } = await drift("--stack", "dev", "--config", config);
    expect([code, stderr]).toEqual([1, expect.stringContaining("dev could not be compared: ")]);
  });
});

it("lists rules that have ended and still stand", async () => {
  const rules = { "203.0.113.0/24": { action: "allow", until: "2026-01-01T00:00:00Z" } };
  const inputs = { ipPolicyId: "ipp_1", rules };
  mockPreviews.dev = writtenPreview([
    {
      ...{ type: "IpPolicyRuleSet", name: "guests", id: "ipp_1", before: inputs },
      ...{ after: { ipPolicyId: "ipp_1", rules: {} }, outputs: { rules: { "203.0.113.0/24": "allow" } } },
    },
  ]);
  const { code, stdout } = await drift("--stack", "dev");
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /IpPolicyRuleSet guests {2}203\.0\.113\.0\/24 {2}ended 2026-01-01T00:00:00Z {2}still stands/,
  );
  expect(stdout).toContain("1 stack: 1 ended rule stands\n");
  expect(stdout).not.toContain("not deployed");
});

it.each([
  [
    "is gone because it has ended, or because the last deployment found it gone",
    {},
    [0, "1 stack: no drift\n"],
  ],
  [
    "has ended and still stands with another action",
    { "203.0.113.0/24": "deny" },
    [3, expect.stringContaining('IpPolicyRuleSet guests  rules["203.0.113.0/24"]') as string],
  ],
])("knows whether a rule is drift that %s", async (_, ended, expected) => {
  const gone = {
    "203.0.113.0/24": { action: "allow", description: "guests", until: "2026-01-01T00:00:00Z" },
    "203.0.113.9/32": "deny",
  };
  const inputs = { ipPolicyId: "ipp_1", rules: gone };
  const outputs = {
    rules: {
      "203.0.113.0/24": { action: "allow", description: "guests" },
      "203.0.113.9/32": "deny",
      "198.51.100.7/32": { action: "allow", description: "a visitor" },
    },
  };
  const { steps } = JSON.parse(
    writtenPreview([
      { type: "IpPolicyRuleSet", name: "guests", id: "ipp_1", before: inputs, after: inputs, outputs },
    ]),
  ) as { steps: { op: string; oldState: Record<"inputs" | "outputs", object> }[] };
  const [step] = steps;
  // A refresh removes the entry from the arguments too.
  const rules = { "203.0.113.9/32": "deny", ...ended };
  const found = {
    ...step!.oldState,
    inputs: { ...step!.oldState.inputs, rules },
    outputs: { ...step!.oldState.outputs, rules },
  };
  mockPreviews.dev = JSON.stringify({
    steps: [
      { ...step, op: "refresh", oldState: step!.oldState, newState: found },
      { ...step, op: "same", oldState: found, newState: found },
    ],
  });
  const { code, stdout } = await drift("--stack", "dev");
  expect([code, stdout.replace(/ {2,}/g, "  ")]).toEqual(expected);
});

it("does not take a resource for existing that is neither in the account nor in the program", async () => {
  const printed = JSON.parse(previewText("drift")) as { steps: { op: string; urn: string }[] };
  const steps = printed.steps.filter(({ op, urn }) => op === "refresh" || !urn.endsWith("::guests"));
  mockPreviews.dev = JSON.stringify({ ...printed, steps });
  const { stdout } = await drift("--stack", "dev");
  expect(stdout).toMatch(/IpPolicyRule guests {2,}exists {2,}deleted/);
});
