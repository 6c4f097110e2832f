/** `access` in process: the account on an emulator, the stack from an export that stands in for the Pulumi CLI. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../../src/emulator";
import type { Emulator } from "../../../src/emulator";
import { state } from "./support";
import { runCommandLine } from "../../support/command-line";
import type { Ended } from "../../support/command-line";
import { previewOf } from "../review/access-preview";
import { recorded } from "../../support/recorded";
import { temporaryFolder } from "../../support/folders";

const office = { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" };
const mockExport = {
  deployment: {
    resources: [
      state("IpPolicy", "office", "ipp_office", {}),
      state("IpPolicyRule", "berlin", "ipr_1", office, { sourcePosition: "project:///index.ts#7,1" }),
      state("TcpEdge", "database", "edgtcp_1", { ipRestriction: { ipPolicyIds: ["ipp_office"] } }),
    ],
  },
};
let mockConfig: Record<string, { value: string }>;
jest.mock("../../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../../src/tools/stack/pulumi"),
  pulumi: ([command]: readonly string[]) =>
    Promise.resolve({
      stdout: JSON.stringify(command === "stack" ? recorded(mockExport) : mockConfig),
      stderr: "",
    }),
}));

let emulator: Emulator;
let settings: Record<string, string>;
const folder = temporaryFolder("access");
beforeAll(async () => {
  emulator = await startEmulator();
  await emulator.seed({
    ip_policies: [{ id: "ipp_office", description: "office" }],
    ip_policy_rules: [
      { id: "ipr_1", ip_policy_id: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
      {
        id: "ipr_2",
        ip_policy_id: "ipp_office",
        cidr: "203.0.113.64/26",
        action: "deny",
        description: "by hand",
      },
    ],
    "edges/tcp": [
      { id: "edgtcp_1", description: "db", ip_restriction: { ip_policy_ids: ["ipp_office"] } },
      { id: "edgtcp_2", description: "open" },
    ],
    https_edges: [
      {
        id: "edghts_1",
        routes: [
          {
            id: "edghtsrt_1",
            oidc: {
              issuer: "https://id.example.com",
              client_id: "c",
              client_secret: "s3cret",
              maximum_duration: 3600,
            },
          },
        ],
      },
    ],
    endpoints: [{ id: "ep_1", type: "cloud", url: "https://hello.example.com", bindings: ["public"] }],
  });
  settings = { TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl, TUNNEL_GATEWAY_API_KEY: emulator.apiKey };
  mockConfig = {
    "tunnel-gateway:apiKey": { value: emulator.apiKey },
    "tunnel-gateway:baseUrl": { value: emulator.baseUrl },
  };
});
afterAll(async () => {
  await emulator.close();
});
beforeEach(() => emulator.clearRequests());

const access = (...args: string[]): Promise<Ended> => runCommandLine(["access", ...args], settings);
const lines = ({ stdout }: Ended): string[] => stdout.trimEnd().split("\n");

it("shows the state of a stack without a request, with the places of the rules", async () => {
  const ended = await access("--stack", "dev");
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  expect(lines(ended)).toEqual([
    "RESOURCE          VERDICT    ADDRESSES            BY                                OTHER GATES",
    "TcpEdge database  allowed    203.0.113.0/24       IpPolicyRule berlin (index.ts:7)",
    "TcpEdge database  unmatched  all other addresses",
  ]);
  expect(emulator.requests).toEqual([]);
});

it("shows an account, with what was made by hand, the names of the stack and the other gates", async () => {
  const ended = await access("--account", "--stack", "dev", "--https-route", "edghts_1/edghtsrt_1");
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  const words = lines(ended).map((line) => line.split(/ {2,}/));
  expect(words).toEqual([
    ["RESOURCE", "VERDICT", "ADDRESSES", "BY", "OTHER GATES"],
    ["CloudEndpoint ep_1", "open", "every address"],
    ["HttpsEdgeRouteOidc edghts_1/edghtsrt_1", "open", "every address", expect.any(String)],
    ["TcpEdge database", "allowed", "203.0.113.0/26, 203.0.113.128/25", "IpPolicyRule berlin"],
    ["TcpEdge database", "undecided", "203.0.113.64/26", "IpPolicyRule berlin, IpPolicyRule by hand"],
    ["TcpEdge database", "unmatched", "all other addresses"],
    ["TcpEdge open", "open", "every address", "IP restriction (off)"],
  ]);
  expect(ended.stdout).toContain("sign-in by OIDC (https://id.example.com, sessions of 1 hour)");
  expect(ended.stdout).not.toContain("s3cret");
});

it("answers for one address as JSON", async () => {
  const { code, stdout } = await access("203.0.113.70", "--account", "--json");
  expect(code).toBe(0);
  const { query, resources } = JSON.parse(stdout) as { query: string; resources: Record<string, unknown>[] };
  expect(query).toBe("203.0.113.70/32");
  expect(resources.find(({ id }) => id === "edgtcp_1")).toMatchObject({
    ...{ type: "TcpEdge", name: "db" },
    pieces: [
      {
        verdict: "undecided",
        ranges: ["203.0.113.70/32"],
        by: ["IpPolicyRule by hand", "IpPolicyRule ipr_1"],
      },
    ],
  });
});

it("shows what a deployment leads to", async () => {
  const rule = { name: "berlin", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
  const before = { policies: ["office"], rules: [rule], edges: { database: ["office"] } };
  const wider = { ...before, rules: [{ ...rule, cidr: "203.0.112.0/22" }] };
  const file = join(folder, "preview.json");
  writeFileSync(file, previewOf(before, wider));
  expect(lines(await access("203.0.112.1", "--preview", file))[1]!.split(/ {2,}/)).toEqual([
    ...["TcpEdge database", "allowed", "203.0.112.1/32", "IpPolicyRule berlin"],
  ]);
});

describe("access --test", () => {
  const config = (...accessTests: object[]): string[] => {
    const file = join(folder, "tests.json");
    writeFileSync(file, JSON.stringify({ accessTests }));
    return ["--test", "--config", file];
  };
  const berlin = { resource: "TcpEdge database", allowed: ["203.0.113.70"] };

  it("says that every test of a stack holds", async () => {
    const ended = await access("--stack", "dev", ...config(berlin));
    expect([ended.code, ended.stderr, ended.stdout]).toEqual([0, "", "1 access test, 0 failures\n"]);
    expect(emulator.requests).toEqual([]);
  });

  it("fails with exit code 3 for what somebody changed in the account, and names the rule", async () => {
    const ended = await access("--account", "--stack", "dev", ...config(berlin));
    expect([ended.code, ended.stderr]).toEqual([3, ""]);
    expect(ended.stdout).toContain(
      "203.0.113.70/32 (1 address) must be allowed: allow and deny rules cover it",
    );
    expect(ended.stdout).toContain("IpPolicyRule by hand");
    expect(ended.stdout).toContain("1 access test, 1 failure\n");
  });

  it("prints JSON, with the number of the test", async () => {
    const gone = { resource: "TcpEdge gone*", onlyFrom: [] };
    const { code, stdout } = await access("--stack", "dev", "--json", ...config(berlin, gone));
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      tests: 2,
      semantics: { overlap: "unknown", unmatched: "unknown", empty: "unknown", policies: "unknown" },
      failures: [
        { test: 1, message: 'no edge, route or endpoint has the name "TcpEdge gone*" of an access test' },
      ],
    });
  });
});
