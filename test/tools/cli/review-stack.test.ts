/** `review --stack` in process; the Pulumi CLI answers with a recorded preview and the account's settings. */
import { PulumiError } from "../../../src/tools/stack/pulumi";
import { runCommandLine } from "../../support/command-line";
import { previewText, tcpEdge, writtenPreview } from "../review/support";
import { readPreview, recorded } from "../../support/recorded";
import { sharedEmulator } from "../../support/emulators";

const text = previewText("credentials-replaced");
const credential = [...readPreview(text).resources.values()].find(
  ({ declaration }) => declaration.type === "SshCredential",
)!.before!.id!;

let mockConfig: Record<string, { value: string }>;
let mockPreview: string;
let mockState: object;
let mockFailure: Error | undefined;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: ([command]: readonly string[]) => {
    const printed = command === "stack" ? mockState && recorded(mockState) : mockConfig;
    if (command !== "preview") return Promise.resolve({ stdout: JSON.stringify(printed), stderr: "" });
    return mockFailure ? Promise.reject(mockFailure) : Promise.resolve({ stdout: mockPreview, stderr: "" });
  },
}));

const emulator = sharedEmulator();
beforeAll(async () => {
  await emulator.seed({
    tunnel_credentials: [{ id: credential }],
    tunnel_sessions: [{ id: "ts_1", credential_id: credential, os: "linux", ip: "203.0.113.9" }],
  });
});
beforeEach(() => {
  [mockPreview, mockFailure, mockState] = [text, undefined, {}];
  emulator.clearRequests();
  mockConfig = {
    "tunnel-gateway:apiKey": { value: emulator.apiKey },
    "tunnel-gateway:baseUrl": { value: emulator.baseUrl },
  };
});

const review = (...args: string[]) =>
  runCommandLine(["review", "--stack", "dev", "--fail-on", "never", ...args], {});
const requests = (): string[] => emulator.requests.map(({ method, path }) => `${method} ${path}`);

it("reports the online agents that use a credential that is replaced, with the requests that this needs", async () => {
  const { code, stdout, stderr } = await review();
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("replaced while 1 online agent uses it: ts_1 (linux, 203.0.113.9)");
  // The others are lists of objects that the plan changes or deletes.
  expect(requests().sort()).toEqual(
    ["api_keys", "bot_users", "ssh_credentials", "tunnel_sessions"].map((each) => `GET /${each}`),
  );
  expect(stdout).toContain(" to the service, run with the account's api_keys, bot_users and ssh_credentials");
});

it("reads each list once, though the facts and the run of the plan need it", async () => {
  mockPreview = writtenPreview([
    { type: "IpPolicy", name: "old", id: "ipp_old", before: {} },
    tcpEdge("new", undefined, { hostports: ["1.tcp.example.com:1"] }),
  ]);
  expect((await review()).code).toBe(0);
  const all = requests();
  expect(all).toContain("GET /edges/tcp");
  expect(all).toContain("GET /endpoints");
  expect(new Set(all).size).toBe(all.length);
});

it("compares the base URL of the configuration with that of the last deployment", async () => {
  const inputs = { "tunnel-gateway:baseUrl": "https://api.example.com" };
  const type = "pulumi:providers:pulumi-nodejs";
  const urn = `urn:pulumi:dev::shop::${type}::default`;
  mockState = { deployment: { resources: [{ urn, type, id: "1", inputs }] } };
  const withConfig = (baseUrl: string) =>
    JSON.stringify({ ...JSON.parse(text), config: { "tunnel-gateway:baseUrl": baseUrl } });
  mockPreview = withConfig("https://api.example.org");
  const changed = await review("--offline", "--fail-on", "error");
  expect(changed.code).toBe(3);
  expect(changed.stdout).toContain(
    "error   access/base-url-changed  Provider default: the base URL of the stack's configuration " +
      "(tunnel-gateway:baseUrl in Pulumi.test.yaml) changes from https://api.example.com to https://api.example.org: the API key and all requests go there\n",
  );
  mockPreview = withConfig("https://api.example.com");
  expect((await review("--offline")).stdout).not.toContain("base-url-changed");
});

it.each([
  ["to no base URL that changed since the last deployment", "https://api.example.com", true],
  ["to the base URL that the environment gave so far", undefined, false],
])("sends the key %s", async (_, before, isChanged) => {
  const type = "pulumi:providers:pulumi-nodejs";
  const inputs = before === undefined ? {} : { "tunnel-gateway:baseUrl": before };
  const urn = `urn:pulumi:dev::shop::${type}::default`;
  mockState = { deployment: { resources: [{ urn, type, id: "1", inputs }] } };
  mockPreview = JSON.stringify({
    ...JSON.parse(text),
    config: { "tunnel-gateway:baseUrl": emulator.baseUrl },
  });
  const { code, stdout, stderr } = await runCommandLine(
    ["review", "--stack", "dev", "--fail-on", "never"],
    isChanged ? {} : { TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl },
  );
  expect(code).toBe(0);
  expect(stdout.includes("access/base-url-changed")).toBe(isChanged);
  const notRead = "The account is not read, because its base URL changed since the last deployment";
  expect(stderr.includes(notRead)).toBe(isChanged);
  expect(requests().length === 0).toBe(isChanged);
});

it("fails when it cannot read the state", async () => {
  mockState = undefined as never;
  const { code, stderr } = await review("--offline");
  expect([code, stderr]).toEqual([1, expect.stringContaining("the stack dev could not be read")]);
});

it("sends no request with --offline", async () => {
  const { code, stdout } = await review("--offline");
  expect(code).toBe(0);
  expect(stdout).not.toContain("interruption/agents-online");
  expect(requests()).toEqual([]);
});

it("reviews without the account where it cannot be read, and says so", async () => {
  mockConfig = { "tunnel-gateway:baseUrl": { value: emulator.baseUrl } };
  const { code, stdout, stderr } = await review();
  expect(code).toBe(0);
  expect(stdout).toContain("interruption/credential-replaced");
  expect(stderr).toMatch(
    /could not be read, so its agents are not checked, and the plan runs on what the stack records .*apiKey/,
  );
});

it("reports an account that cannot be read although there is a key, because the program's author may cause that", async () => {
  mockConfig["tunnel-gateway:listObjects"] = { value: "1" };
  await emulator.seed({ ip_policies: [{ id: "ipp_1" }, { id: "ipp_2" }] });
  mockPreview = writtenPreview([
    tcpEdge("new", undefined, {
      hostports: ["1.tcp.example.com:1"],
      ipRestriction: { ipPolicyIds: ["ipp_1"] },
    }),
  ]);
  const { stdout } = await review();
  expect(stdout).toMatch(/warning access\/rules-outside.* the account could not be read, .* 1 object\./);
});

it("names of an account that cannot be read nothing that a new stack does not need", async () => {
  mockConfig = { "tunnel-gateway:baseUrl": { value: emulator.baseUrl } };
  const edge = { type: "TcpEdge", name: "new", after: { ipRestriction: { ipPolicyIds: ["ipp_1"] } } };
  mockPreview = writtenPreview([edge]);
  expect((await review()).stderr).toMatch(
    /The account could not be read, so the plan runs on what the stack records \(--offline does not read it\): .*apiKey/,
  );
});

it("shows the errors of a preview that failed, or why there is none", async () => {
  const stdout = JSON.stringify({ steps: [], diagnostics: [{ severity: "error", message: "wrong cidr" }] });
  mockFailure = new PulumiError("failed", 255, { stdout, stderr: "error: no stack" });
  const failed = await review();
  expect(failed).toMatchObject({ code: 1, stderr: "" });
  expect(failed.stdout).toContain("the preview failed: wrong cidr");
  mockFailure = new PulumiError("failed", 255, { stdout: "", stderr: "error: no stack" });
  const { code, stderr } = await review();
  expect(code).toBe(1);
  expect(stderr).toContain("the stack dev could not be previewed: error: no stack");

  mockFailure = new PulumiError("failed", 255, {
    stdout: "",
    stderr: "error: no\n::stop-commands::x\u001b[2J",
  });
  const hostile = await review();
  expect(hostile.stderr).toContain("stop-commands");
  expect(hostile.stderr).not.toMatch(/^\s*::/m);
  expect(hostile.stderr).not.toContain("\u001b");
});

it("fails where the Pulumi CLI does and its preview names no error, as for one that was stopped", async () => {
  const stderr = "error: a policy pack was killed";
  mockFailure = new PulumiError("failed", 255, { stdout: text, stderr });
  const { code, stdout } = await review();
  expect(code).toBe(1);
  expect(stdout).toContain(`the preview failed: the Pulumi CLI ended with exit code 255: ${stderr}`);
  mockFailure = new PulumiError("failed", 137, { stdout: text, stderr: "" });
  expect(await review()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("the preview failed: the Pulumi CLI ended with exit code 137") as string,
  });
});

it("masks a private key in what the Pulumi CLI prints", async () => {
  const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----";
  mockFailure = new PulumiError("failed", 255, {
    stdout: "",
    stderr: `error: cannot parse ${key} at line 1`,
  });
  mockPreview = "";
  const { code, stderr } = await review();
  expect([code, stderr]).toEqual([1, expect.stringContaining("error: cannot parse [secret] at line 1")]);
  expect(stderr).not.toContain("MIIEvQIBADANBg");
});

it("doctor says what comes from the stack's configuration and what from the environment", async () => {
  const { code, stdout } = await runCommandLine(["doctor", "--stack", "dev", "--json"], {
    TUNNEL_GATEWAY_BASE_URL: "https://api.example.com",
    TUNNEL_GATEWAY_RETRY_TIMEOUT: "7",
  });
  expect(code).toBe(0);
  const { settings } = JSON.parse(stdout) as { settings: { name: string; from: string }[] };
  expect(settings.filter(({ from }) => from !== "default")).toEqual([
    { name: "apiKey", from: "the stack dev" },
    { name: "baseUrl", value: emulator.baseUrl, from: "the stack dev" },
    { name: "retryTimeout", value: 7, from: "TUNNEL_GATEWAY_RETRY_TIMEOUT" },
  ]);
  expect(stdout).not.toContain(emulator.apiKey);
});
