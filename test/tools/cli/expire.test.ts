/** `expire` in process: an export stands in for the Pulumi CLI, the accounts are emulators. */
import type { Emulator } from "../../../src/emulator";
import { temporaryMark } from "../../../src/provider/rule-set/rule-plan";
import { isUnfinished } from "../../../src/tools/expire/expire";
import type { ExpiryOutcome } from "../../../src/tools/expire/expire";
import type { EndedRule } from "../../../src/tools/expire/stack-rules";
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
let mockOnExport: (number: number) => void | Promise<void>;
let mockForm: (text: string) => string;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: async (args: readonly string[]) => {
    mockCalls.push(args.join(" "));
    const decrypted = mockDecryptedConfig(args);
    if (decrypted !== undefined) return { stdout: decrypted, stderr: "" };
    if (args[0] === "config" && mockConfig instanceof Error) throw mockConfig;
    if (args[0] === "config") return { stdout: JSON.stringify(mockConfig), stderr: "" };
    await mockOnExport(mockCalls.filter((call) => call.startsWith("stack export")).length);
    const text = mockEncrypted(
      JSON.stringify(recorded({ deployment: { resources: mockResources, pending_operations: mockPending } })),
    );
    return { stdout: mockForm(text), stderr: "" };
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

const range = "198.51.100.7/32";
const officeRule = { id: "ipr_office1", ip_policy_id: "ipp_office", cidr: range, action: "allow" };
const guests = { ipPolicyId: "ipp_office", rules: { [range]: "allow" }, exclusive: false };
const single = (more: object = {}) =>
  state("IpPolicyRule", "single", "ipr_1", { ipPolicyId: "ipp_office", cidr: range, action: "allow" }, more);
/** The state of a set, with the entries of its inputs or of its outputs alone. */
const half = (inputs: object, outputs: object) =>
  state("IpPolicyRuleSet", "guests", "ipp_office", outputs, {
    inputs: { ...guests, ...inputs },
    outputs: { ...guests, ...outputs, __args: [] },
  });
it.each<[string, boolean, object[], object[]]>([
  ["is deleted", true, [], [{ type: "deleting", resource: single() }]],
  ["is created", false, [], [{ type: "creating", resource: single() }]],
  ["a resource has", false, [single()], []],
  ["a program only reads", true, [single({ external: true })], []],
  ["is in the inputs of a set", false, [half({}, { rules: {} })], []],
  ["is in the outputs of a set", false, [half({ rules: {} }, { __partial: true })], []],
])("deletes what has ended beside a rule of its range that %s: %j", async (_, isGone, resources, pending) => {
  mockResources.push(...resources);
  mockPending = pending;
  const before = rules(own);
  expect((await expire()).code).toBe(0);
  expect(rules(own)).toEqual(before.filter((cidr) => !isGone || cidr !== range));
});

it("deletes an ended entry that an update failed to remove", async () => {
  const [, office] = mockResources as [object, { inputs: object; outputs: object }];
  const { inputs, outputs } = office;
  mockResources[1] = {
    ...office,
    inputs: { ...inputs, rules: {} },
    outputs: { ...outputs, __partial: true },
  };
  await expire();
  expect(rules(own)).toEqual(["198.51.100.8/32", "203.0.113.0/24"]);
});

it("says once which resources of the state it leaves out, however often it reads the state", async () => {
  mockResources.push(state("IpPolicy", "odd", "../ipp_1", {}));
  const { code, stderr } = await expire();
  expect(mockCalls.filter((call) => call.startsWith("stack export")).length).toBeGreaterThan(1);
  expect([code, stderr.match(/is left out/g)]).toEqual([0, ["is left out"]]);
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
  await set(own, "lab", "ipp_lab", { "192.0.2.1": until(past), "192.0.2.2": "deny" });
  const [dry, done] = [await expire("--dry-run"), await expire()];
  const advice = "Check that a policy without rules lets no client in: the specification does not say so";
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

it("has something left to do where a rule may go later", () => {
  const done = { ended: false, deleted: false, gone: false, restored: false, claimed: false };
  const all: Record<ExpiryOutcome, boolean> = { ...done, shared: true, waits: true, failed: true };
  const isLeft = (outcome: ExpiryOutcome): boolean =>
    isUnfinished({ rules: [{ rule: {} as EndedRule, outcome }], emptied: [], errors: [] });
  const outcomes = Object.keys(all) as ExpiryOutcome[];
  expect(Object.fromEntries(outcomes.map((each) => [each, isLeft(each)]))).toEqual(all);
});

it("deletes of a summarized set what stands for ended entries alone, and names what stays", async () => {
  const entries = {
    "10.0.0.0/25": "allow",
    "10.0.0.0/24": "deny",
    "10.0.0.128/25": until(past),
    "10.0.1.0/24": until(past),
    "10.0.1.7": until("2026-02-01T00:00:00Z", "deny"),
    "10.1.0.0/24": until(past),
  };
  const held = {
    ...{ "10.0.0.0/23": "allow", "10.0.0.0/24": "deny", "10.0.1.7/32": "deny" },
    "10.1.0.0/24": "allow",
  };
  await set(own, "sum", "ipp_sum", entries, { summarize: true, held });
  const { code, stdout } = await expire();
  expect(code).toBe(1);
  expect(words(stdout)).toContain(
    `IpPolicyRuleSet sum  ipp_sum  10.0.0.0/23  allow  ${past}  stays: other entries need the rule until the next ` +
      "pulumi up replaces it\n",
  );
  expect(words(stdout)).toContain("deny  2026-02-01T00:00:00Z  stays: an expired allow rule for some of its");
  expect(stdout).toContain("\n2 rules deleted, 2 rules stay\n");
  expect(rules(own)).toEqual([
    ...["10.0.0.0/23", "10.0.0.0/24", "10.0.1.7/32", "198.51.100.8/32", "203.0.113.0/24"],
  ]);
});

/** A set whose ended entries one rule stands for. */
const joined = async (): Promise<object> => {
  await own.reset();
  mockResources.length = 1;
  const entries = { "10.0.0.0/24": until(past), "10.0.1.0/24": until(past) };
  await set(own, "sum", "ipp_sum", entries, { summarize: true, held: { "10.0.0.0/23": "allow" } });
  return mockResources[1]!;
};

it.each([
  ["a rule of the stack has", "deny", undefined],
  ["an update of the set is about to have", "allow", "updating"],
])("keeps a rule of a summarized set whose range %s", async (_, action, type) => {
  const before = await joined();
  const inputs = { ipPolicyId: "ipp_sum", cidr: "10.0.0.0/23", action };
  if (type === undefined) mockResources.push(state("IpPolicyRule", "lan", "ipr_lan", inputs));
  else
    mockPending = [
      { type, resource: { ...before, inputs: { ...inputs, rules: { [inputs.cidr]: action } } } },
    ];
  const { code, stdout } = await expire();
  expect([code, stdout]).toEqual([0, expect.stringContaining("stays: the stack has an entry")]);
  expect(rules(own)).toEqual(["10.0.0.0/23"]);
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

/** A deployment has changed texts of the state when it is read for this time, from 1. */
function replaceAtReading(reading: number, from: string, to: string): void {
  mockOnExport = (number) => {
    if (number !== reading) return;
    mockResources = JSON.parse(JSON.stringify(mockResources).replaceAll(from, to)) as object[];
  };
}

/** A deployment has extended everything when the state is read for this time. */
const extendAtReading = (reading: number): void => replaceAtReading(reading, past, future);

it.each<[string, boolean, () => void]>([
  ["extends", false, () => extendAtReading(2)],
  ["extends in a summarized set", true, () => extendAtReading(2)],
  ["makes deny", false, () => replaceAtReading(2, '"allow"', '"deny"')],
])("leaves what a deployment %s before the deletion", async (_, isSummarized, change) => {
  if (isSummarized) await joined();
  const before = rules(own);
  change();
  const { code, stdout } = await expire();
  expect([code, stdout]).toEqual([0, expect.stringContaining("\n0 rules deleted, 1 rule stays\n")]);
  expect(rules(own)).toEqual(before);
});

it("reads the state again for a rule whose turn comes long after the last reading began", async () => {
  await set(own, "branch", "ipp_branch", { "192.0.2.1": until(past) });
  const elapsed = performance.now.bind(performance);
  const spy = jest.spyOn(performance, "now");
  mockOnExport = (number) => {
    if (number === 2) spy.mockImplementation(() => elapsed() + 11_000);
    if (number === 3)
      mockResources = JSON.parse(JSON.stringify(mockResources).replaceAll(past, future)) as object[];
  };
  await expire();
  spy.mockRestore();
  expect(own.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
});

const post = { kind: "status", method: "POST" } as const;
it.each([
  ["again", false, undefined, 0, "created again: a deployment has extended it meanwhile\n"],
  ["of a summarized set again", true, undefined, 0, "created again: a deployment has extended it"],
  [
    "again, which the service says exists,",
    false,
    { ...post, status: 409 },
    0,
    "stays: the stack has an entry",
  ],
  [
    "again, or says why it cannot,",
    false,
    { ...post, status: 400 },
    1,
    "meanwhile, and it could not be created again: ",
  ],
])(
  "creates a rule %s that a deployment has extended meanwhile",
  async (_, isSummarized, fault, exit, text) => {
    if (isSummarized) await joined();
    const before = rules(own);
    extendAtReading(3);
    own.setFaults({ rules: fault ? [fault] : [] });
    const { code, stdout } = await expire();
    expect([code, stdout]).toEqual([exit, expect.stringContaining(text)]);
    expect(stdout).toMatch(/\n0 rules deleted, 1 rule stays\n$/);
    expect(rules(own)).toEqual(fault ? before.filter((cidr) => cidr !== range) : before);
  },
);

it("does not create a rule again that the deployment has created", async () => {
  const before = rules(own);
  mockOnExport = async (number) => {
    if (number !== 3) return;
    mockResources = JSON.parse(JSON.stringify(mockResources).replaceAll(past, future)) as object[];
    await own.seed({ ip_policy_rules: [{ ...officeRule, id: "ipr_new" }] });
  };
  expect((await expire()).stdout).toContain("stays: the stack has an entry");
  expect(own.requests.filter(({ method }) => method === "POST")).toEqual([]);
  expect(rules(own)).toEqual(before);
});

it.each([
  ["extended only a part of a merged rule", true, { "10.0.1.0/24": until(future) }],
  ["made a deny rule of a merged one", true, { "10.0.0.0/23": "deny" }],
  ["made a deny rule of it", false, { [range]: "deny" }],
])("does not create a rule again where a deployment has %s", async (_, isSummarized, next) => {
  if (isSummarized) await joined();
  const before = rules(own);
  mockOnExport = (number) => {
    if (number !== 3) return;
    const [first, resource] = mockResources as [object, { inputs: object; outputs: object }];
    mockResources = [first, { ...resource, inputs: { ...resource.inputs, rules: next } }];
  };
  const { code } = await expire();
  expect(code).toBe(0);
  expect(rules(own)).toEqual(before.filter((cidr) => cidr !== range && cidr !== "10.0.0.0/23"));
});

it.each([
  ["another range", { cidr: "192.0.2.0/24" }],
  ["another action", { action: "deny" }],
  ["another policy", { ip_policy_id: "ipp_other" }],
  ["the metadata of a stand-in", { metadata: temporaryMark }],
])("leaves a rule that has %s since it was listed", async (_, change) => {
  mockOnExport = async (number) => {
    if (number !== 2) return;
    await own.reset();
    const policies = [{ id: "ipp_office" }, { id: "ipp_other" }];
    await own.seed({ ip_policies: policies, ip_policy_rules: [{ ...officeRule, ...change }] });
  };
  const { code, stdout } = await expire();
  expect([code, stdout]).toEqual([0, "0 rules deleted, 1 rule was gone before\n"]);
  expect(rules(own)).toHaveLength(1);
});

describe("a deletion that the service refuses", () => {
  const entries = { "192.0.2.0/24": until(past), "192.0.2.9": until(past, "deny"), "10.0.0.9": until(past) };
  const refuse = (status: number) =>
    own.setFaults({ rules: [{ kind: "status", method: "DELETE", status, times: 1 }] });
  beforeEach(async () => {
    mockResources.length = 1;
    await own.reset();
    await set(own, "lab", "ipp_lab", entries);
  });

  it("leaves the rules that deny its addresses, and no others", async () => {
    refuse(400);
    const { code, stdout } = await expire();
    expect([code, words(stdout)]).toEqual([
      1,
      expect.stringMatching(/192\.0\.2\.0\/24\s+allow\s+\S+\s+failed: /),
    ]);
    expect(stdout).toContain("stays: an expired allow rule for some of its addresses");
    expect(rules(own)).toEqual(["192.0.2.0/24", "192.0.2.9/32"]);
  });

  it("has another run delete what waits, even where a deployment extends the rule meanwhile", async () => {
    refuse(400);
    mockOnExport = (number) => {
      if (number !== 3) return;
      const extended = { ...entries, "192.0.2.0/24": until(future) };
      const [first, lab] = mockResources as [object, { inputs: object; outputs: object }];
      mockResources = [first, { ...lab, inputs: { ...lab.inputs, rules: extended } }];
    };
    const { code, stdout } = await expire();
    expect([code, stdout]).toEqual([1, expect.stringContaining("\n1 rule deleted, 2 rules stay\n")]);
  });

  it("is the last one where the key is the reason", async () => {
    refuse(401);
    const { code } = await expire();
    expect(code).toBe(1);
    expect(own.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
    expect(rules(own)).toHaveLength(3);
  });
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
