import { clientWith } from "../../../src/account/account-client";
import { readSettings } from "../../../src/provider/settings/read-settings";
import { readFacts } from "../../../src/tools/review/account-facts";
import type { AccountFacts } from "../../../src/tools/review/account-facts";
import { previewText, reviewText, urnOf, writtenPreview, type Written } from "./support";
import { readPreview } from "../../support/recorded";
import { sharedEmulator } from "../../support/emulators";

/** The id of a resource of a recorded preview. */
function idIn(preview: string, type: string): string {
  const { resources } = readPreview(previewText(preview));
  return [...resources.values()].find(({ declaration }) => declaration.type === type)!.before!.id!;
}

function findingsOf(preview: string, account?: Partial<AccountFacts>): string[] {
  const facts = account && { agents: new Map(), withoutTunnels: new Set<string>(), outside: [], ...account };
  const { findings } = reviewText(previewText(preview), { account: facts });
  return findings
    .filter(({ rule }) => ["interruption/agents-online", "hygiene/no-tunnels"].includes(rule))
    .map(({ severity, rule, type, name, message }) => `${severity} ${rule} ${type} ${name}: ${message}`);
}

describe("online agents that use a credential", () => {
  const credential = idIn("credentials-replaced", "SshCredential");
  const agent = (i: number) => ({ id: `ts_${i}`, os: "linux", ip: `203.0.113.${i}` });

  it("are reported where it is replaced", () => {
    expect(findingsOf("credentials-replaced", { agents: new Map([[credential, [agent(1)]]]) })).toEqual([
      "warning interruption/agents-online SshCredential builder: replaced while 1 online agent uses it: ts_1 (linux, 203.0.113.1)",
    ]);
  });

  it("are counted where there are many", () => {
    const agents = new Map([[credential, [1, 2, 3, 4, 5, 6, 7].map(agent)]]);
    const [finding] = findingsOf("credentials-replaced", { agents });
    expect(finding).toMatch(
      /while 7 online agents use it: ts_1 .*ts_5 \(linux, 203\.0\.113\.5\) and 2 more$/,
    );
  });

  it("are not reported where it stays, where others use it, or where the account was not read", () => {
    expect(findingsOf("key-of-nobody", { agents: new Map([[credential, [agent(1)]]]) })).toEqual([]);
    expect(findingsOf("credentials-replaced", { agents: new Map([["sshcr_other", [agent(1)]]]) })).toEqual(
      [],
    );
    expect(findingsOf("credentials-replaced")).toEqual([]);
  });
});

describe("a create that was interrupted", () => {
  const text = writtenPreview([
    { type: "IpPolicy", name: "lost", after: {} },
    { type: "IpPolicy", name: "new", after: {} },
    { type: "IpPolicy", name: "old", id: "ipp_1", before: {}, after: { description: "other" } },
  ]);
  const found = (...names: string[]): string[] => {
    const { findings } = reviewText(text, { pending: new Set(names.map((name) => urnOf("IpPolicy", name))) });
    return findings
      .filter(({ rule }) => rule === "hygiene/pending-create")
      .map(({ severity, name, message }) => `${severity} ${name}: ${message}`);
  };

  it("is a warning where the deployment repeats it", () => {
    expect(found("lost", "old")).toEqual([
      "warning lost: its create was interrupted, so it may exist already, and this deployment creates another one",
    ]);
    expect(found()).toEqual([]);
  });
});

describe("a tunnel group backend without tunnels", () => {
  const backend = idIn("nothing-changed", "TunnelGroupBackend");

  it("is a note while an edge uses it, and never fails a review", () => {
    expect(findingsOf("nothing-changed", { withoutTunnels: new Set([backend]) })).toEqual([
      'note hygiene/no-tunnels TunnelGroupBackend web: it has no tunnels, and TcpEdge "db" sends traffic to it',
    ]);
    expect(findingsOf("nothing-changed", { withoutTunnels: new Set(["bkdtg_other"]) })).toEqual([]);
  });

  it("is one behind weighted and failover backends, also where these name each other", () => {
    const of = (type: string, name: string, id: string, args: object): Written => {
      return { type, name, id, before: { ...args }, after: { ...args } };
    };
    const behind = [
      of("TunnelGroupBackend", "web", "bkdtg_1", { labels: { app: "web" } }),
      of("FailoverBackend", "any", "bkdfo_1", { backends: ["bkdtg_1", "bkdwd_1"] }),
      of("WeightedBackend", "all", "bkdwd_1", { backends: { bkdfo_1: 1 } }),
    ];
    const edge = of("TcpEdge", "db", "edgtcp_1", { backend: { backendId: "bkdwd_1" } });
    const account = { agents: new Map(), withoutTunnels: new Set(["bkdtg_1"]), outside: [] };
    const found = (...resources: Written[]): string[] =>
      reviewText(writtenPreview(resources), { account })
        .findings.filter(({ rule }) => rule === "hygiene/no-tunnels")
        .map(({ message }) => message);
    expect(found(...behind, edge)).toEqual(['it has no tunnels, and TcpEdge "db" sends traffic to it']);
    expect(found(...behind)).toEqual([]);
  });

  it("is not reported where the edge goes", () => {
    expect(findingsOf("destroy", { withoutTunnels: new Set([backend]) })).toEqual([]);
  });
});

describe("reading the account for a review", () => {
  const web = { labels: { app: "web" } };
  const emulator = sharedEmulator();
  beforeAll(async () => {
    await emulator.seed({
      tunnel_credentials: [{ id: "cr_1" }],
      ssh_credentials: [],
      tunnel_sessions: [
        { id: "ts_1", credential_id: "cr_1", os: "linux" },
        { id: "ts_2", credential_id: "cr_1" },
      ],
      tunnels: [{ labels: { app: "web" } }],
      "backends/tunnel_group": [
        { id: "bkdtg_web", labels: { app: "web" } },
        { id: "bkdtg_lost", labels: { app: "lost" } },
      ],
    });
  });
  beforeEach(() => emulator.clearRequests());

  const facts = (preview: string): Promise<AccountFacts> => factsOf(previewText(preview));
  const factsOf = (text: string): Promise<AccountFacts> =>
    readFacts(readPreview(text), () => {
      const environment = {
        TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
        TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
      };
      return Promise.resolve(
        clientWith(readSettings({ get: () => undefined }, environment), () => undefined),
      );
    });
  const requests = (): string[] => emulator.requests.map(({ method, path }) => `${method} ${path}`);

  it("takes one list for the agents where a credential is replaced or deleted", async () => {
    const { agents } = await facts("credentials-replaced");
    expect([...agents].map(([id, found]) => [id, found.map((agent) => agent.id).sort()])).toEqual([
      ["cr_1", ["ts_1", "ts_2"]],
    ]);
    expect(requests()).toEqual(["GET /tunnel_sessions"]);
  });

  it("takes one list for the backends where the stack has tunnel groups", async () => {
    expect([...(await facts("nothing-changed")).withoutTunnels]).toEqual(["bkdtg_lost"]);
    expect(requests()).toEqual(["GET /backends/tunnel_group"]);
  });

  it("sends no request and needs no settings where the preview has neither", async () => {
    const none = await readFacts(readPreview(previewText("key-of-nobody")), () =>
      Promise.reject(new Error("connected")),
    );
    expect(none).toEqual({ agents: new Map(), withoutTunnels: new Set(), outside: [] });
  });

  describe("where a policy and a backend are deleted", () => {
    const deleted = [
      { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: undefined },
      { type: "TunnelGroupBackend", name: "web", id: "bkdtg_gone", before: web, after: undefined },
    ];
    const own = { hostports: ["1.tcp.example.com:22"], ipRestriction: { ipPolicyIds: ["ipp_office"] } };
    const edge = { type: "TcpEdge", name: "own", id: "edgtcp_own", before: own, after: undefined };
    const written = writtenPreview([...deleted, edge]);

    beforeAll(() =>
      emulator.seed({
        ip_policies: [{ id: "ipp_office" }, { id: "ipp_other" }],
        "backends/tunnel_group": [{ id: "bkdtg_gone", ...web }],
        "backends/weighted": [{ id: "bkdwd_all", description: "all", backends: { bkdtg_gone: 1 } }],
        "edges/tcp": [
          { id: "edgtcp_own", hostports: own.hostports, ip_restriction: { ip_policy_ids: ["ipp_office"] } },
          {
            ...{ id: "edgtcp_theirs", description: "theirs", hostports: ["1.tcp.example.com:23"] },
            ...{ backend: { backend_id: "bkdtg_gone" }, ip_restriction: { ip_policy_ids: ["ipp_office"] } },
          },
          { id: "edgtcp_else", hostports: [], ip_restriction: { ip_policy_ids: ["ipp_other"] } },
        ],
      }),
    );

    it("reads the lists that may use them, and no rules", async () => {
      const { outside } = await factsOf(written);
      expect(outside.map(({ from, id }) => `${from.id} ${id}`).sort()).toEqual([
        "bkdwd_all bkdtg_gone",
        "edgtcp_theirs bkdtg_gone",
        "edgtcp_theirs ipp_office",
      ]);
      expect(requests()).not.toContain("GET /ip_policy_rules");
    });

    it("names what uses them outside the stack, and nothing of the stack that goes too", async () => {
      const { findings } = reviewText(written, { account: await factsOf(written) });
      const said = findings.map((each) => `${each.severity} ${each.rule} ${each.name}: ${each.message}`);
      expect(said.filter((text) => text.includes("deleted-in-use"))).toEqual([
        'error access/policy-deleted-in-use office: deleted, while TcpEdge "theirs" (edgtcp_theirs, not in the stack) still refers to it: it counts as a policy with zero rules',
        'error interruption/deleted-in-use web: deleted, while WeightedBackend "all" (bkdwd_all, not in the stack), TcpEdge "theirs" (edgtcp_theirs, not in the stack) still refer to it by its id',
      ]);
    });
  });
});
