/** `expire` in process: an export stands in for the Pulumi CLI, the accounts are emulators. */
import type { Emulator } from "../../../src/emulator";
import { PulumiError } from "../../../src/tools/stack/pulumi";
import { runCommandLine } from "../../support/command-line";
import type { Ended } from "../../support/command-line";
import { emulatorForTests } from "../../support/emulators";
import { mixed } from "../../support/mixed-doors";
import { recorded } from "../../support/recorded";
import { serverForTests } from "../../support/servers";
import {
  decryptedConfig as mockDecryptedConfig,
  encrypted as mockEncrypted,
  partnerKey,
  provider,
  providerUrn,
  state,
} from "./support";

type Rules = Record<string, unknown>;

let mockResources: object[];
let mockPending: object[];
let mockCalls: string[];
let mockConfig: object | Error;
/** Called for each reading of the state, with its number from 1. */
let mockOnExport: (number: number) => void;
let mockForm: (text: string) => string;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (args: readonly string[]) => {
    mockCalls.push(args.join(" "));
    const decrypted = mockDecryptedConfig(args);
    if (decrypted !== undefined) return Promise.resolve({ stdout: decrypted, stderr: "" });
    if (args[0] === "config" && mockConfig instanceof Error) return Promise.reject(mockConfig);
    if (args[0] === "config") return Promise.resolve({ stdout: JSON.stringify(mockConfig), stderr: "" });
    mockOnExport(mockCalls.filter((call) => call.startsWith("stack export")).length);
    const text = mockEncrypted(
      JSON.stringify(recorded({ deployment: { resources: mockResources, pending_operations: mockPending } })),
    );
    return Promise.resolve({ stdout: mockForm(text), stderr: "" });
  },
}));

const own = emulatorForTests();
const partner = emulatorForTests({ apiKey: partnerKey });

const [past, future] = ["2026-01-01T12:00:00Z", "2099-01-01T00:00:00Z"];
const until = (time: string, action = "allow"): object => ({ action, until: time });

beforeEach(async () => {
  mockCalls = [];
  mockPending = [];
  mockOnExport = () => undefined;
  mockForm = (text) => text;
  mockConfig = {
    "tunnel-gateway:apiKey": { value: own.apiKey },
    "tunnel-gateway:baseUrl": { value: own.baseUrl },
  };
  mockResources = [provider("default", { baseUrl: own.baseUrl })];
  await set(own, "office", "ipp_office", {
    "203.0.113.0/24": "allow",
    "198.51.100.7": until(past),
    "198.51.100.8": until(future),
  });
});

interface SetOptions {
  readonly owner?: string;
  readonly summarize?: boolean;
  /** The rules of the account, where they are not just those of the program. */
  readonly held?: Record<string, string>;
}

/** A set that was deployed, in the state and in the account. */
async function set(
  emulator: Emulator,
  name: string,
  policy: string,
  rules: Rules,
  { owner = "default", summarize, held }: SetOptions = {},
): Promise<void> {
  const actions = Object.fromEntries(
    Object.entries(rules).map(([range, entry]) => [
      range.includes("/") ? range : `${range}/32`,
      typeof entry === "string" ? entry : (entry as { action: string }).action,
    ]),
  );
  await emulator.seed({
    ip_policies: [{ id: policy }],
    ip_policy_rules: Object.entries(held ?? actions).map(([cidr, action], i) => ({
      ...{ id: `ipr_${name}${i}`, ip_policy_id: policy, cidr, action },
    })),
  });
  const args = { ipPolicyId: policy, rules, ...(summarize && { summarize }) };
  const ends = Object.entries(rules).filter(([, entry]) => typeof entry !== "string");
  const local = ends.map(([range, entry]) => [range, { until: (entry as { until: string }).until }] as const);
  mockResources.push({
    urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRuleSet::${name}`,
    ...{ id: policy, custom: true, provider: `${providerUrn(owner)}::some-id`, inputs: args },
    outputs: {
      ...args,
      rules: actions,
      __args: [],
      __local: { rules: Object.fromEntries(local) },
      ...(held && { __heldRules: held }),
    },
  });
}

const expire = (...args: string[]): Promise<Ended> =>
  runCommandLine(["expire", "--stack", "dev", ...args], {});
const rules = (emulator: Emulator): string[] =>
  (emulator.snapshot().ip_policy_rules ?? []).map(({ cidr }) => String(cidr)).sort();
const words = (text: string): string => text.replace(/ {2,}/g, "  ");

it("deletes what has ended, and prints each rule", async () => {
  const { code, stdout, stderr } = await expire();
  expect([code, stderr]).toEqual([0, ""]);
  expect(words(stdout)).toBe(
    [
      "RESOURCE  POLICY  RANGE  ACTION  ENDED  RESULT",
      `IpPolicyRuleSet office  ipp_office  198.51.100.7/32  allow  ${past}  deleted`,
      "",
      "1 rule deleted",
      "",
    ].join("\n"),
  );
  expect(rules(own)).toEqual(["198.51.100.8/32", "203.0.113.0/24"]);
});

it.each([
  ["is deleting", "deleting", "deleted"],
  ["is creating", "creating", undefined],
])("deletes what has ended beside a rule of its range that a deployment %s: %s", async (_, type, outcome) => {
  const values = { ipPolicyId: "ipp_office", cidr: "198.51.100.7/32", action: "allow" };
  mockPending = [{ type, resource: state("IpPolicyRule", "single", "ipr_office1", values) }];
  await expire();
  expect(rules(own).includes("198.51.100.7/32")).toBe(outcome === undefined);
});

it("runs no program: it only exports the stack and reads its configuration", async () => {
  await expire();
  expect([...new Set(mockCalls)].sort()).toEqual([
    "config --json --show-secrets --stack dev",
    "stack export --stack dev",
  ]);
});

it("sends nothing where no entry of the stack has an end", async () => {
  mockResources = [];
  await set(own, "guests", "ipp_guests", { "192.0.2.0/24": "allow" });
  own.clearRequests();
  const { code, stdout } = await expire();
  expect([code, stdout]).toEqual([0, "0 rules deleted\n"]);
  expect(own.requests).toEqual([]);
});

it("deletes nothing in a dry run", async () => {
  const before = rules(own);
  const { code, stdout } = await expire("--dry-run");
  expect([code, words(stdout)]).toEqual([
    0,
    expect.stringContaining(`allow  ${past}  would be deleted\n\n1 rule would be deleted\n`),
  ]);
  expect(rules(own)).toEqual(before);
});

it("prints JSON", async () => {
  const { code, stdout } = await expire("--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    ...{ version: 1, stack: "dev", dryRun: false, emptied: [], errors: [] },
    rules: [
      {
        ...{ type: "IpPolicyRuleSet", name: "office" },
        urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRuleSet::office",
        ...{ policy: "ipp_office", cidr: "198.51.100.7/32", action: "allow", until: past },
        outcome: "deleted",
      },
    ],
  });
  expect(JSON.parse((await expire("--json")).stdout)).toMatchObject({ rules: [{ outcome: "gone" }] });
});

it("counts rules that are gone already, without a line for each", async () => {
  await expire();
  const { code, stdout } = await expire();
  expect([code, stdout]).toEqual([0, "0 rules deleted, 1 rule was gone before\n"]);
});

it("names a policy that is left without a rule", async () => {
  await set(own, "guests", "ipp_guests", { "192.0.2.1": until(past) });
  const [dry, done] = [await expire("--dry-run"), await expire()];
  const advice = "Check that the service then lets nobody in: the specification does not say so";
  expect(dry.stdout).toContain(`Without these rules, no rule is left in ipp_guests. ${advice}\n`);
  expect(done.stdout).toContain(`No rule is left in ipp_guests. ${advice}\n`);
});

it("works on the account of each provider of the stack", async () => {
  mockResources.push(
    provider("partner", { apiKey: partnerKey, baseUrl: partner.baseUrl }),
    provider("broken", { apiKey: "a-refused-key", baseUrl: partner.baseUrl }),
  );
  await set(partner, "partners", "ipp_partners", { "192.0.2.1": until(past) }, { owner: "partner" });
  await set(partner, "others", "ipp_others", { "192.0.2.2": until(past) }, { owner: "broken" });
  const { code, stdout, stderr } = await expire();
  expect([code, words(stdout)]).toEqual([1, expect.stringContaining("\n2 rules deleted\n")]);
  expect(stderr).toContain('does not accept the key of the Provider "broken"');
  expect(stdout + stderr).not.toContain("a-refused-key");
  expect(rules(own)).toEqual(["198.51.100.8/32", "203.0.113.0/24"]);
  expect(rules(partner)).toEqual(["192.0.2.2/32"]);
  const { errors } = JSON.parse((await expire("--json")).stdout) as { errors: string[] };
  expect(errors).toEqual([expect.stringContaining('the Provider "broken"')]);
});

it("takes the settings of all providers where it can, and says what one of them lacks", async () => {
  mockResources.push(provider("bare", { baseUrl: partner.baseUrl }));
  await set(partner, "partners", "ipp_partners", { "192.0.2.1": until(past) }, { owner: "bare" });
  const { code, stderr } = await expire();
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      'the argument apiKey of the Provider "bare" (or TUNNEL_GATEWAY_API_KEY) is not set',
    ),
  ]);
  expect(rules(own)).toEqual(["198.51.100.8/32", "203.0.113.0/24"]);
});

it("takes the settings of the last deployment where there is no project, and says so", async () => {
  const output = { stdout: "", stderr: "error: no Pulumi.yaml project file found" };
  mockConfig = new PulumiError("pulumi config ended with exit code 255", 255, output);
  mockResources[0] = provider("default", { apiKey: own.apiKey, baseUrl: own.baseUrl });
  const { code, stdout, stderr } = await expire();
  expect([code, stdout]).toEqual([0, expect.stringContaining("\n1 rule deleted\n")]);
  expect(stderr).toBe(
    "The settings are those of the last deployment: the configuration of the stack dev could not be read: " +
      "error: no Pulumi.yaml project file found. Run the command in the folder of Pulumi.yaml, or name that folder with " +
      "--cwd\n",
  );
});

it("knows the resources of both doors", async () => {
  await set(own, "guests", "ipp_guests", { "192.0.2.0/24": "allow", "192.0.2.1": until(past) });
  mockForm = mixed;
  const { code, stdout } = await expire();
  expect([code, stdout]).toEqual([0, expect.stringContaining("\n2 rules deleted\n")]);
  expect(rules(own)).toEqual(["192.0.2.0/24", "198.51.100.8/32", "203.0.113.0/24"]);
});

it("deletes of a summarized set what stands for ended entries alone, and names what stays", async () => {
  const entries = {
    "10.0.0.0/25": "allow",
    "10.0.0.128/25": until(past),
    "10.0.1.0/24": until(past),
    "10.1.0.0/24": until(past),
  };
  const held = { "10.0.0.0/23": "allow", "10.1.0.0/24": "allow" };
  await set(own, "sum", "ipp_sum", entries, { summarize: true, held });
  const { code, stdout } = await expire();
  expect(code).toBe(1);
  expect(words(stdout)).toContain(
    `IpPolicyRuleSet sum  ipp_sum  10.0.0.0/23  allow  ${past}  stays: other entries need the rule until the next ` +
      "pulumi up replaces it\n",
  );
  expect(stdout).toContain("\n2 rules deleted, 1 rule stays\n");
  expect(rules(own)).toEqual(["10.0.0.0/23", "198.51.100.8/32", "203.0.113.0/24"]);
});

it("leaves a rule whose action is another one now, or whose range belongs to a rule of the stack", async () => {
  await set(own, "flip", "ipp_flip", { "192.0.2.1": until(past) }, { held: { "192.0.2.1/32": "deny" } });
  mockResources.push({
    urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule::lan",
    ...{ id: "ipr_office1", custom: true, provider: `${providerUrn("default")}::some-id` },
    inputs: { ipPolicyId: "ipp_office", cidr: "198.51.100.7/32", action: "allow" },
    outputs: { ipPolicyId: "ipp_office", cidr: "198.51.100.7/32", action: "allow", __args: [] },
  });
  const before = rules(own);
  const { code, stdout } = await expire();
  expect([code, words(stdout)]).toEqual([
    0,
    expect.stringContaining("stays: the stack has an entry for the range that has not ended\n"),
  ]);
  expect(stdout).toContain("\n0 rules deleted, 1 rule stays, 1 rule was gone before\n");
  expect(rules(own)).toEqual(before);
});

it("deletes a rule whose description somebody changed, as a deployment does", async () => {
  await expire("--dry-run");
  const { id } = own.snapshot().ip_policy_rules!.find(({ cidr }) => cidr === "198.51.100.7/32")!;
  await fetch(`${own.baseUrl}/ip_policy_rules/${String(id)}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ description: "extended by phone" }),
  });
  expect((await expire()).stdout).toContain("1 rule deleted");
});

/** A deployment has extended everything when the state is read for this time, from 1. */
function extendAtReading(reading: number): void {
  mockOnExport = (number) => {
    if (number !== reading) return;
    const extended = JSON.stringify(mockResources).replaceAll(past, future);
    mockResources = JSON.parse(extended) as object[];
  };
}

it("leaves what a deployment extends before the deletion", async () => {
  const before = rules(own);
  extendAtReading(2);
  const { code, stdout } = await expire();
  expect([code, stdout]).toEqual([0, expect.stringContaining("\n0 rules deleted, 1 rule stays\n")]);
  expect(rules(own)).toEqual(before);
});

it.each<[string, SetOptions]>([
  ["of a map", {}],
  ["that a summarized set has merged", { summarize: true }],
])("creates a rule %s again that a deployment has extended meanwhile", async (_, options) => {
  mockResources = [];
  await own.reset();
  const held = options.summarize ? { "10.0.0.0/23": "allow" } : undefined;
  const entries = { "10.0.0.0/24": until(past), "10.0.1.0/24": until(past) };
  await set(own, "sum", "ipp_sum", entries, { ...options, ...(held && { held }) });
  const before = rules(own);
  extendAtReading(3);
  const { code, stdout } = await expire();
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("created again: a deployment has extended it meanwhile\n"),
  ]);
  expect(rules(own)).toEqual(before);
});

it.each([
  ["extended only a part of a merged rule", { "10.0.1.0/24": until(future) }],
  ["made a deny rule of the range", { "10.0.0.0/23": "deny" }],
])("does not create a rule again where a deployment has %s", async (_, next) => {
  mockResources = [];
  await own.reset();
  const entries = { "10.0.0.0/24": until(past), "10.0.1.0/24": until(past) };
  await set(own, "sum", "ipp_sum", entries, { summarize: true, held: { "10.0.0.0/23": "allow" } });
  mockOnExport = (number) => {
    if (number !== 3) return;
    const [resource] = mockResources as { inputs: object; outputs: object }[];
    mockResources = [{ ...resource, inputs: { ...resource!.inputs, rules: next } }];
  };
  const { code } = await expire();
  expect(code).toBe(0);
  expect(rules(own)).toEqual([]);
});

describe("the account", () => {
  it("is that of the stack, or nothing counts as gone", async () => {
    mockConfig = {
      "tunnel-gateway:apiKey": { value: partnerKey },
      "tunnel-gateway:baseUrl": { value: partner.baseUrl },
    };
    const { code, stdout, stderr } = await expire();
    expect([code, stdout, stderr]).toEqual([
      1,
      expect.stringContaining("0 rules deleted"),
      expect.stringContaining("in the account, so the key may belong to another account: correct it"),
    ]);
    const env = { TUNNEL_GATEWAY_ACCEPT_DELETED: "true" };
    expect((await runCommandLine(["expire", "--stack", "dev"], env)).code).toBe(0);
  });

  it("is that of the stack where its policies are empty", async () => {
    mockResources = [];
    await own.reset();
    await set(own, "guests", "ipp_guests", { "192.0.2.1": until(past) });
    expect((await expire()).stdout).toContain("1 rule deleted");
    expect(await expire()).toMatchObject({ code: 0, stdout: "0 rules deleted, 1 rule was gone before\n" });
  });
});

describe("the time", () => {
  const soon = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const now = Date.now.bind(Date);
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [3, "behind"],
    [-3, "ahead of"],
  ])(
    "is the service's where the clock of the machine is %d hours ahead, and a line says so",
    async (hours, where) => {
      await set(own, "guests", "ipp_guests", {
        "192.0.2.1": until(soon(-1)),
        "192.0.2.2": until(soon(1)),
        "192.0.2.3": until(soon(-5)),
      });
      jest.spyOn(Date, "now").mockImplementation(() => now() + hours * 3_600_000);
      const { code, stderr } = await expire();
      expect(code).toBe(0);
      expect(stderr).toMatch(
        new RegExp(
          `^${own.baseUrl} says that it is \\S+Z, 3 hours ${where} the clock of this machine. ` +
            "Its time decides which rules have ended\n$",
        ),
      );
      expect(rules(own)).toEqual(["192.0.2.2/32", "198.51.100.8/32", "203.0.113.0/24"]);
    },
  );

  const silent = serverForTests((request, response) => {
    response.sendDate = false;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ip_policy_rules: [], uri: request.url, next_page_uri: null }));
  });
  it("is not known without a Date, so nothing is deleted", async () => {
    mockConfig = {
      "tunnel-gateway:apiKey": { value: "a-key" },
      "tunnel-gateway:baseUrl": { value: silent.baseUrl },
    };
    const { code, stdout, stderr } = await expire();
    expect([code, stdout, stderr]).toEqual([
      1,
      "0 rules deleted\n",
      `the answers of ${silent.baseUrl} have no Date, so the service's time is not known, and no rule is deleted. ` +
        "Let the proxies in front of the service keep this header\n",
    ]);
  });
});

it("needs a stack", async () => {
  const { code, stderr } = await runCommandLine(["expire"], {});
  expect([code, stderr]).toEqual([2, expect.stringContaining("expire needs --stack")]);
});
