/** `map` in process: the account on an emulator, the stack from an export that stands in for the Pulumi CLI. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../../src/emulator";
import { state } from "./support";
import { runCommandLine } from "../../support/command-line";
import type { Ended } from "../../support/command-line";
import { recorded } from "../../support/recorded";
import { sharedEmulator } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";

const secret = "hidden-client-secret";

const account: Seed = {
  ip_policies: [
    { id: "ipp_office", description: "office" },
    { id: "ipp_old", description: "old" },
  ],
  ip_policy_rules: [
    { id: "ipr_berlin", ip_policy_id: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
    { id: "ipr_extra", ip_policy_id: "ipp_office", cidr: "198.51.100.7/32", action: "deny" },
  ],
  tunnels: [{ id: "tn_1", labels: { service: "web" } }],
  tunnel_credentials: [{ id: "cr_1" }],
  tunnel_sessions: [
    { id: "ts_1", credential_id: "cr_1", os: "linux", ip: "203.0.113.9" },
    { id: "ts_2", credential_id: "cr_1", os: "windows", ip: "203.0.113.10" },
  ],
  "backends/tunnel_group": [{ id: "bkdtg_web", description: "web", labels: { service: "web" } }],
  "backends/http_response": [{ id: "bkdhr_sorry", description: "sorry", status_code: 503, body: secret }],
  "backends/failover": [{ id: "bkdfo_app", description: "app", backends: ["bkdtg_web", "bkdhr_sorry"] }],
  "edges/tcp": [
    {
      id: "edgtcp_db",
      description: "database",
      hostports: ["1.tcp.example.com:5432"],
      backend: { backend_id: "bkdfo_app" },
      ip_restriction: { ip_policy_ids: ["ipp_office"] },
    },
    { id: "edgtcp_open", description: "open", hostports: ["2.tcp.example.com:22"] },
  ],
  https_edges: [
    {
      id: "edghts_1",
      routes: [
        {
          id: "edghtsrt_1",
          oidc: { issuer: "https://id.example.com", client_id: "c", client_secret: secret },
        },
      ],
    },
  ],
  tls_edges: [{ id: "edgtls_1", ip_restriction: { enabled: false, ip_policy_ids: ["ipp_office"] } }],
  endpoints: [
    { id: "ep_1", type: "edge", url: "https://app.example.com", edge: { id: "edghts_1", uri: "" } },
    { id: "ep_2", type: "edge", url: "tls://tls.example.com", edge: { id: "edgtls_1", uri: "" } },
    {
      ...{ id: "ep_3", type: "ephemeral" },
      url: "https://agent.example.com",
      tunnel: { id: "tn_1", uri: "" },
      tunnel_session: { id: "ts_1", uri: "" },
    },
    { id: "ep_4", type: "cloud", url: "https://hello.example.com", bindings: ["public"] },
  ],
};

const mockExport = {
  deployment: {
    resources: [
      state("IpPolicy", "berlin-office", "ipp_office", { description: "office" }),
      state("IpPolicyRule", "berlin", "ipr_berlin", {
        ...{ ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
      }),
      state("TcpEdge", "database", "edgtcp_db", {
        hostports: ["1.tcp.example.com:5432"],
        backend: { enabled: true, backendId: "bkdfo_app" },
        ipRestriction: { enabled: true, ipPolicyIds: ["ipp_office", "ipp_other"] },
      }),
      state("HttpsEdgeRouteOidc", "staff", "edghts_1/edghtsrt_1", {
        ...{ edgeId: "edghts_1", routeId: "edghtsrt_1", enabled: true, issuer: "https://id.example.com" },
        clientSecret: secret,
      }),
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

const emulator = sharedEmulator();
let settings: Record<string, string>;
beforeAll(async () => {
  await emulator.seed(account);
  settings = { TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl, TUNNEL_GATEWAY_API_KEY: emulator.apiKey };
  mockConfig = {
    "tunnel-gateway:apiKey": { value: emulator.apiKey },
    "tunnel-gateway:baseUrl": { value: emulator.baseUrl },
  };
});
beforeEach(() => emulator.clearRequests());

const map = (...args: string[]): Promise<Ended> => runCommandLine(["map", ...args], settings);

it("draws the account, with what the stack does not manage marked", async () => {
  const { code, stdout, stderr } = await map("--account", "--stack", "dev");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(`flowchart LR
  n0(["Clients"])
  n1[["IP policy<br/>berlin-office<br/>allows 203.0.113.0/24 (256 addresses)<br/>denies 198.51.100.7/32 (1 address)<br/>all others: not specified<br/>1 rule not in the stack"]]
  n2[["IP policy<br/>old<br/>no rules<br/>not in the stack"]]
  n3[["IP restriction module<br/>edgtls_1<br/>not in the stack"]]
  n4[["OIDC module<br/>staff<br/>https#58;//id.example.com"]]
  n5["Cloud endpoint<br/>ep_4<br/>https#58;//hello.example.com<br/>not in the stack"]
  n6["Endpoint<br/>ep_3<br/>ephemeral<br/>https#58;//agent.example.com<br/>global"]
  n7["HTTPS edge route<br/>edghts_1/edghtsrt_1<br/>https#58;//app.example.com"]
  n8["TCP edge<br/>database<br/>1.tcp.example.com:5432"]
  n9["TCP edge<br/>open<br/>2.tcp.example.com:22<br/>no backend<br/>not in the stack"]
  n10["TLS edge<br/>edgtls_1<br/>tls#58;//tls.example.com"]
  n11("Failover backend<br/>app<br/>not in the stack")
  n12("HTTP response backend<br/>sorry<br/>status code 503<br/>not in the stack")
  n13("Tunnel group backend<br/>web<br/>service=web<br/>1 tunnel online<br/>not in the stack")
  n14(["Agents online<br/>cr_1<br/>2 agents: linux 1, windows 1"])
  n0 --> n1
  n0 --> n4
  n0 ==>|"public, no traffic policy"| n5
  n0 --> n6
  n0 ==>|"no IP restriction"| n9
  n0 ==>|"guards off"| n10
  n1 -.->|"guard: off"| n3
  n1 --> n8
  n3 -.->|"guard: off"| n10
  n4 --> n7
  n6 --> n14
  n8 --> n11
  n11 -->|"2nd"| n12
  n11 -->|"1st"| n13
  n13 --> n14
  classDef open fill:#ffebe9,stroke:#cf222e,stroke-width:2px,color:#1f2328
  class n3,n5,n9,n10 open
  classDef unmanaged fill:#f6f8fa,stroke:#9a6700,stroke-dasharray:5 4,color:#1f2328
  class n2,n11,n12,n13 unmanaged
  linkStyle 2,4,5 stroke:#cf222e
`);
});

it("draws the account without marks where no stack is given, and reads a route that the user names", async () => {
  const { code, stdout } = await map("--account", "--https-route", "edghts_1/edghtsrt_1", "--output", "svg");
  expect(code).toBe(0);
  expect(stdout).toContain("https://id.example.com");
  expect(stdout).not.toContain("not in the stack");
});

it("draws a stack from its state alone, with what is outside of the program marked", async () => {
  const { code, stdout, stderr } = await map("--stack", "dev");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(`flowchart LR
  n0(["Clients"])
  n1[["IP policy<br/>berlin-office<br/>allows 203.0.113.0/24 (256 addresses)<br/>all others: not specified"]]
  n2[["IP policy<br/>ipp_other<br/>outside this program"]]
  n3[["OIDC module<br/>staff<br/>https#58;//id.example.com"]]
  n4["HTTPS edge route<br/>edghts_1/edghtsrt_1"]
  n5["TCP edge<br/>database<br/>1.tcp.example.com:5432"]
  n6("Failover backend<br/>bkdfo_app<br/>outside this program")
  n0 --> n1
  n0 --> n2
  n0 --> n3
  n1 --> n5
  n2 --> n5
  n3 --> n4
  n5 --> n6
  classDef unknown fill:#f6f8fa,stroke:#59636e,stroke-dasharray:5 4,color:#1f2328
  class n2,n6 unknown
`);
  expect(emulator.requests).toEqual([]);
});

it("writes several outputs, none with a secret and all the same the next time", async () => {
  const folder = temporaryFolder("map");
  const outputs = ["mermaid", "svg", "html"];
  const files = (round: number): string[] =>
    outputs.map((format) => join(folder, `round=${round}.${format}`));
  for (const round of [1, 2]) {
    const flags = outputs.flatMap((format, i) => ["--output", `${format}=${files(round)[i]}`]);
    const { code, stdout } = await map("--account", "--stack", "dev", ...flags);
    expect([code, stdout]).toEqual([0, ""]);
  }
  const texts = files(1).map(withoutTime);
  expect(files(2).map(withoutTime)).toEqual(texts);
  for (const text of texts) {
    expect(text).toContain("database");
    expect(text).not.toContain(secret);
    expect(text).not.toContain(emulator.apiKey);
  }
  expect(texts[2]).toMatch(/^<!doctype html>[^]*<svg [^]*<\/svg>/);
});

/** A file without the time, which the page alone has. */
function withoutTime(file: string): string {
  return readFileSync(file, "utf8").replace(/<p>\d{4}-\d\d-\d\dT[\d:]+Z\.<\/p>/, "");
}

it("names the stack, its project, the time, the commit and what is not guarded at the top of the page", async () => {
  const file = join(temporaryFolder("map"), "map.html");
  const { code } = await map("--stack", "dev", "--output", `html=${file}`, "--commit", "4f2a9c1");
  expect(code).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(
    /<h1>Map of the stack shop\/dev: everything is guarded<\/h1>\s*<p>\d{4}-\d\d-\d\dT[\d:]+Z, commit 4f2a9c1\.<\/p>/,
  );
});

it("takes what the specification leaves open from the configuration of the review", async () => {
  const folder = temporaryFolder("map");
  const config = join(folder, "review.json");
  writeFileSync(config, JSON.stringify({ semantics: { unmatched: "denied" } }));
  const { stdout } = await map("--stack", "dev", "--config", config);
  expect(stdout).toContain("allows 203.0.113.0/24 (256 addresses)<br/>all others: denied");
});
