/** Commands on the account of an explicit provider; an export stands in for the Pulumi CLI, the accounts are emulators. */
import { runCommandLine } from "../../support/command-line";
import type { Ended } from "../../support/command-line";
import { emulatorForTests } from "../../support/emulators";
import { secretSignature } from "../../../src/schema/secrets";
import { temporaryFolder } from "../../support/folders";
import { recorded } from "../../support/recorded";
import {
  decryptedConfig as mockDecryptedConfig,
  encrypted as mockEncrypted,
  partnerKey,
  provider,
  providerUrn,
} from "./support";

let mockResources: object[];
let mockPending: object[];
let mockHistory: object[];
let mockPlanned: object[];
let mockCalls: string[];
let mockConfig: object;
/** What Pulumi decrypted. */
let mockDecrypted: string[];
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: (args: readonly string[]) => {
    mockCalls.push(args.join(" "));
    const decrypted = mockDecryptedConfig(args);
    if (decrypted !== undefined) {
      mockDecrypted.push(decrypted);
      return Promise.resolve({ stdout: decrypted, stderr: "" });
    }
    if (args[0] === "config") return Promise.resolve({ stdout: JSON.stringify(mockConfig), stderr: "" });
    if (args[1] === "history") return Promise.resolve({ stdout: JSON.stringify(mockHistory), stderr: "" });
    if (args[0] === "preview")
      return Promise.resolve({ stdout: JSON.stringify(recorded({ steps: mockPlanned })), stderr: "" });
    const deployment = { resources: mockResources, pending_operations: mockPending };
    const text = mockEncrypted(JSON.stringify(recorded({ deployment })));
    return Promise.resolve({ stdout: text, stderr: "" });
  },
}));

const own = emulatorForTests();
const partner = emulatorForTests({ apiKey: partnerKey });
beforeEach(async () => {
  await own.seed({ ip_policies: [{ id: "ipp_own", description: "own" }] });
  await partner.seed({
    ip_policies: [
      { id: "ipp_partner", description: "partner" },
      { id: "ipp_hand", description: "by hand" },
    ],
    ip_policy_rules: [
      { id: "ipr_lan", ip_policy_id: "ipp_partner", cidr: "203.0.113.0/24", action: "allow" },
    ],
    "edges/tcp": [{ id: "edgtcp_db", ip_restriction: { ip_policy_ids: ["ipp_partner"] } }],
  });
  for (const emulator of [own, partner]) emulator.clearRequests();
  mockCalls = [];
  mockDecrypted = [];
  mockConfig = {
    "tunnel-gateway:apiKey": { value: own.apiKey },
    "tunnel-gateway:baseUrl": { value: own.baseUrl },
  };
  [mockPending, mockHistory, mockPlanned] = [[], [], []];
  mockResources = [
    provider("default", { baseUrl: own.baseUrl }),
    provider("partner", { apiKey: partnerKey, baseUrl: partner.baseUrl }),
    // Its key is the environment's.
    provider("bare", { baseUrl: `${partner.baseUrl}/` }),
    resource("IpPolicy", "office", "ipp_own"),
    resource("IpPolicy", "partners", "ipp_partner", providerUrn("partner")),
  ];
});

function resource(
  type: string,
  name: string,
  id: string | undefined,
  owner = providerUrn("default"),
): object {
  return {
    urn: `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`,
    ...{ id, custom: true, provider: `${owner}::some-id`, inputs: {}, outputs: {} },
  };
}

const cli = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCommandLine([...args, "--stack", "dev"], env);
const json = async (args: string[], env?: Record<string, string>): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await cli([...args, "--json"], env);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
};
const pendingCreate = (name: string, description: string, owner?: string): object => ({
  resource: { ...resource("IpPolicy", name, undefined, owner), inputs: { description } },
  type: "creating",
});
const idsIn = (objects: unknown): string[] => (objects as { id: string }[]).map(({ id }) => id).sort();

describe("list and get", () => {
  it("read the account of the provider, and send nothing to that of the stack's configuration", async () => {
    expect(idsIn(await json(["list", "ip-policies", "--provider", "partner"]))).toEqual([
      "ipp_hand",
      "ipp_partner",
    ]);
    expect(
      await json(["get", "ip-policies", "ipp_partner", "--provider", providerUrn("partner")]),
    ).toMatchObject({
      description: "partner",
    });
    expect(own.requests).toEqual([]);
    const isOfStack = (call: string): boolean => call.startsWith("config") && !call.includes("--config-file");
    expect(mockCalls.filter(isOfStack)).toEqual([]);
    expect(idsIn(await json(["list", "ip-policies"]))).toEqual(["ipp_own"]);
  });

  it("take a key that the provider does not store from the environment, and never from the stack", async () => {
    const words = ["list", "ip-policies", "--provider", "bare"];
    const { code, stderr } = await cli(words);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'the argument apiKey of the Provider "bare" (or TUNNEL_GATEWAY_API_KEY) is not set',
      ),
    ]);
    expect(stderr).not.toContain("Add --stack");
    expect(await json(words, { TUNNEL_GATEWAY_API_KEY: partnerKey })).toHaveLength(2);
    expect(own.requests).toEqual([]);
  });

  it("name the provider whose key the service refuses, and never the key", async () => {
    mockResources[1] = provider("partner", { apiKey: "wrong-key-of-the-partner", baseUrl: partner.baseUrl });
    const { code, stderr } = await cli(["list", "ip-policies", "--provider", "partner"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'does not accept the key of the Provider "partner": check the argument apiKey of the Provider "partner"',
    );
    expect(stderr).not.toContain("wrong-key-of-the-partner");
  });

  it("say of an unknown name which explicit providers the stack has", async () => {
    for (const name of ["nobody", "default"]) {
      const { code, stderr } = await cli(["list", "ip-policies", "--provider", name]);
      expect(code).toBe(1);
      expect(stderr).toContain(
        `the stack dev has no provider "${name}"; it has "partner" (${providerUrn("partner")}), ` +
          `"bare" (${providerUrn("bare")})`,
      );
    }
  });

  it("ask for the URN where two providers have one name", async () => {
    const inComponent = {
      ...provider("partner", { baseUrl: own.baseUrl }),
      urn: providerUrn("partner", "shop:Area$"),
    };
    mockResources.push(inComponent);
    const { code, stderr } = await cli(["list", "ip-policies", "--provider", "partner"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('more than one provider "partner": name it by its URN'),
    ]);
    expect(await json(["list", "ip-policies", "--provider", providerUrn("partner")])).toHaveLength(2);
  });
});

describe("doctor", () => {
  it("checks the provider's own settings and says where each comes from", async () => {
    const { ok, settings } = await json(["doctor", "--provider", "partner"]);
    expect(ok).toBe(true);
    expect(settings).toContainEqual({ name: "apiKey", from: 'the Provider "partner" of the stack dev' });
    expect(own.requests).toEqual([]);
    const env = { TUNNEL_GATEWAY_API_KEY: partnerKey };
    expect((await json(["doctor", "--provider", "bare"], env)).settings).toEqual(
      expect.arrayContaining([
        { name: "apiKey", from: "TUNNEL_GATEWAY_API_KEY" },
        { name: "baseUrl", from: 'the Provider "bare" of the stack dev', value: partner.baseUrl },
      ]),
    );
  });

  it("warns of keys in the stack's configuration that no setting has, without their values", async () => {
    mockConfig = { ...mockConfig, "tunnel-gateway:retryTimout": { value: "s3cret", secret: true } };
    const { ok, checks } = await json(["doctor"]);
    expect(ok).toBe(true);
    expect(checks).toContainEqual({
      ...{ name: "unknown settings", status: "warning" },
      message: expect.stringMatching(
        /^tunnel-gateway:retryTimout is not a setting .* did you mean tunnel-gateway:retryTimeout\?/,
      ) as unknown,
    });
    const { stdout } = await cli(["doctor"]);
    expect(stdout).toMatch(/warning {2,}unknown settings {2,}tunnel-gateway:retryTimout is not a setting/);
    expect(JSON.stringify(checks) + stdout).not.toContain("s3cret");
    // An explicit provider does not read the configuration.
    const { checks: ofProvider } = await json(["doctor", "--provider", "partner"]);
    expect(JSON.stringify(ofProvider)).not.toContain("retryTimout");
  });

  it("warns of them beside settings that are missing", async () => {
    mockConfig = { "tunnel-gateway:baseURL": { value: own.baseUrl } };
    const { stdout } = await cli(["doctor"]);
    expect(stdout).toMatch(/failed {2,}settings {2,}.*tunnel-gateway:baseUrl .* is not set/);
    expect(stdout).toMatch(
      /warning {2,}unknown settings {2,}tunnel-gateway:baseURL .* mean tunnel-gateway:baseUrl\?/,
    );
  });

  it("warns of the pending creates of a stack, with the commands that find their objects", async () => {
    const { checks: without } = await json(["doctor"]);
    expect(without).toContainEqual({ name: "pending creates", status: "ok", message: "the stack has none" });
    const theirs = providerUrn("partner");
    mockPending = [
      pendingCreate("mine", "m"),
      pendingCreate("more", "m"),
      pendingCreate("theirs", "by hand", theirs),
    ];
    const { ok, checks } = await json(["doctor"]);
    expect(ok).toBe(true);
    expect(checks).toContainEqual({
      ...{ name: "pending creates", status: "warning" },
      message: "pulumi was ended during 3 creates, and the next update creates the objects again",
      advice:
        'Before the next pulumi up, run "npx pulumi-tunnel-gateway orphans --stack dev --write import.json" and ' +
        `"npx pulumi-tunnel-gateway orphans --stack dev --provider ${theirs} --write import.json"`,
    });
    mockPending = [pendingCreate("mine", "m")];
    expect((await json(["doctor"])).checks).toContainEqual(
      expect.objectContaining({
        message: "pulumi was ended during 1 create, and the next update creates the object again",
      }),
    );
  });

  it("does not say of a create whose resource is in the state that the next update repeats it", async () => {
    mockResources.push(resource("IpPolicy", "mine", "ipp_mine"));
    mockPending = [pendingCreate("mine", "m")];
    expect((await json(["doctor"])).checks).toContainEqual({
      ...{ name: "pending creates", status: "warning" },
      message: "pulumi was ended during 1 create, and the state has the resource",
      advice: 'To end the warnings of pulumi up, run "pulumi refresh --stack dev --clear-pending-creates"',
    });
    mockPending = [pendingCreate("mine", "m"), pendingCreate("more", "m")];
    expect((await json(["doctor"])).checks).toContainEqual(
      expect.objectContaining({
        message: "pulumi was ended during 1 create, and the next update creates the object again",
      }),
    );
  });
});

describe("access --account", () => {
  it("answers for the provider's account, with the names of its resources", async () => {
    mockResources.push(resource("IpPolicyRule", "berlin", "ipr_lan", providerUrn("partner")));
    const { resources } = (await json(["access", "--account", "--provider", "partner"])) as {
      resources: object[];
    };
    expect(JSON.stringify(resources)).toContain("edgtcp_db");
    expect(JSON.stringify(resources)).toContain("IpPolicyRule berlin");
    expect(own.requests).toEqual([]);
  });
});

it("map --account marks what the stack does not manage in the provider's account", async () => {
  mockResources.push(resource("TcpEdge", "database", "edgtcp_db", providerUrn("partner")));
  const words = ["map", "--account", "--provider"];
  const marked = async (name: string): Promise<number> => {
    const { stdout } = await cli([...words, name]);
    return stdout.match(/not in the stack/g)!.length;
  };
  const before = await marked("partner");
  mockResources.pop();
  expect(await marked("partner")).toBe(before + 1);
  expect(own.requests).toEqual([]);
});

describe("of the secrets of a stack", () => {
  const secret = (value: unknown): object => ({ ...secretSignature, plaintext: JSON.stringify(value) });
  const sources = (text: string): unknown[] =>
    Object.values(JSON.parse(text) as Record<string, { value: string }>).map(({ value }): unknown =>
      JSON.parse(value),
    );

  beforeEach(() => {
    mockResources.push(provider("other", { apiKey: "OTHER-KEY", baseUrl: partner.baseUrl }), {
      ...resource("ApiKey", "robot", "ak_1"),
      outputs: { token: secret("ROBOT-TOKEN") },
    });
  });

  it.each([["list", "ip-policies"], ["orphans"], ["import", "--only", "TcpEdge", "--format", "pulumi"]])(
    "%s decrypts the key of the provider alone",
    async (...command) => {
      const named = command[0] === "import" ? `partner=${providerUrn("partner")}` : "partner";
      const out = command[0] === "import" ? ["--out", temporaryFolder("secrets")] : [];
      const { code, stderr } = await cli([...command, "--provider", named, ...out]);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      expect(mockDecrypted.map(sources)).toEqual([[partnerKey]]);
      expect(mockCalls.filter((call) => call.startsWith("stack export") && call.includes("secrets"))).toEqual(
        [],
      );
    },
  );

  it("decrypts none where the command needs none", async () => {
    await json(["orphans"]);
    expect(mockDecrypted).toEqual([]);
  });

  it("decrypts what was being created, with which orphans searches the account", async () => {
    const create = pendingCreate("mine", "not there") as { resource: object };
    mockPending = [
      { ...create, resource: { ...create.resource, inputs: { description: secret("hidden") } } },
    ];
    await json(["orphans"]);
    expect(mockDecrypted.map(sources)).toEqual([["hidden"]]);
  });
});

describe("orphans", () => {
  it("compares the provider's account with what the stack manages there", async () => {
    expect(idsIn((await json(["orphans", "--provider", "partner"])).orphans)).toEqual(
      ["ipp_hand", "ipr_lan", "edgtcp_db"].sort(),
    );
    expect(own.requests).toEqual([]);
  });

  it("takes an object of another account with an equal id for unmanaged", async () => {
    mockResources.push(resource("IpPolicy", "twin", "ipp_hand"));
    expect(idsIn((await json(["orphans", "--provider", "partner"])).orphans)).toContain("ipp_hand");
    await own.seed({ ip_policies: [{ id: "ipp_partner" }] });
    expect(idsIn((await json(["orphans"])).orphans)).toEqual(["ipp_partner"]);
  });

  it("takes what a provider with the same base URL manages for managed: they may share the account", async () => {
    mockResources.push(resource("IpPolicy", "by-bare", "ipp_hand", providerUrn("bare")));
    expect(idsIn((await json(["orphans", "--provider", "partner"])).orphans)).not.toContain("ipp_hand");
  });

  it("names what --exclude left out, by class", async () => {
    const words = ["orphans", "--provider", "partner", "--exclude", "id=ip*"];
    const left = await json(words);
    expect(idsIn(left.orphans)).toEqual(["edgtcp_db"]);
    expect(left).toMatchObject({ excluded: { IpPolicy: 1, IpPolicyRule: 1 } });
    const { stdout } = await cli([...words, "--exclude", "id=edg*"]);
    expect(stdout).toContain("The stack manages all other objects that the account lists.");
    expect(stdout).toContain("Left out by --exclude: 1 IpPolicy, 1 IpPolicyRule, 1 TcpEdge.");
    const none = await cli(["orphans", "--provider", "partner", "--exclude", "id=zzz"]);
    expect(none.stdout).toContain("--exclude left out nothing: no object matches.");
  });

  const times = { startTime: "2020-01-01T00:00:00Z", endTime: "2100-01-01T00:00:00Z" };

  it.each([
    ["succeeded", "", "no"],
    ["succeeded", "--planned", "The last update succeeded, so it has no unrecorded creates"],
    [
      "failed",
      "",
      "The last update failed: --planned also compares the creates of the program's next update",
    ],
    ["failed", "--planned", "no"],
    // Pulumi has recorded what was being created.
    ["failed, with a pending create", "", "no"],
  ])("advises --planned where creates may be unrecorded: %s %s", async (update, flag, note) => {
    const [result, pending] = update.split(", ");
    mockHistory = [{ kind: "update", result, ...times }];
    if (pending !== undefined) mockPending = [pendingCreate("mine", "not there")];
    const { code, stderr } = await cli(["orphans", ...(flag === "" ? [] : [flag])]);
    expect([code, /^The last update .*$/m.exec(stderr)?.[0] ?? "no"]).toEqual([0, note]);
  });

  it("looks for the planned creates of the provider alone", async () => {
    mockHistory = [{ kind: "update", result: "failed", ...times }];
    mockPlanned = [
      resource("IpPolicy", "mine", ""),
      resource("IpPolicy", "theirs", "", providerUrn("partner")),
    ].map((state) => ({
      op: "create",
      urn: (state as { urn: string }).urn,
      newState: { ...state, inputs: { description: "by hand" } },
    }));
    expect((await json(["orphans", "--provider", "partner", "--planned"])).pending).toMatchObject([
      { name: "theirs", outcome: "created", ids: ["ipp_hand"] },
    ]);
  });

  it("looks for the interrupted creates of the provider alone, and names the commands for the others", async () => {
    mockPending = [
      pendingCreate("mine", "not there"),
      pendingCreate("theirs", "by hand", providerUrn("partner")),
      pendingCreate("in their account", "by hand", providerUrn("bare")),
    ];
    const theirs = await cli(["orphans", "--provider", "partner", "--json"]);
    expect((JSON.parse(theirs.stdout) as { pending: object }).pending).toMatchObject([
      { name: "theirs", outcome: "created", ids: ["ipp_hand"] },
    ]);
    expect(theirs.stderr).toContain(
      "interrupted creates of other providers: run orphans without --provider, and with --provider bare",
    );
    const mine = await cli(["orphans", "--json"]);
    expect((JSON.parse(mine.stdout) as { pending: object }).pending).toMatchObject([
      { name: "mine", outcome: "not created" },
    ]);
    expect(mine.stderr).toContain(
      "run orphans with --provider partner, and with --provider bare, before pulumi refresh",
    );
  });
});
