import { accessGaps, type AccessMoment, type EdgeAccess } from "../../src/emulator";
import { harness } from "./support";

const start = harness();

const edge = (allowed: string[], denied: string[] = [], more: Partial<EdgeAccess> = {}): EdgeAccess => ({
  ...{ id: "edgtcp_1", restricted: true, policyIds: ["ipp_1"], allowed, denied },
  ...more,
});
const open = edge([], [], { restricted: false });
const history = (...edges: (EdgeAccess | undefined)[]): AccessMoment[] =>
  edges.map((each, i) => ({
    ...(i === 0 ? {} : { request: { method: "POST", path: `/${i}` } }),
    edges: each === undefined ? [] : [each],
  }));
const gaps = (...edges: (EdgeAccess | undefined)[]): string[] =>
  accessGaps(history(...edges)).map(({ moment, problem, ranges }) => [moment, problem, ...ranges].join(" "));

describe("accessHistory", () => {
  it("lists who gets in at each edge after every write", async () => {
    const { emulator, call } = await start({ accessHistory: true, basePath: "/api" });
    await emulator.seed({
      ip_policies: [{ id: "ipp_1" }],
      ip_policy_rules: [{ ip_policy_id: "ipp_1", cidr: "10.0.0.0/8", action: "allow" }],
      "edges/tcp": [{ id: "edgtcp_1", ip_restriction: { ip_policy_ids: ["ipp_1"] } }, { id: "edgtcp_2" }],
      tls_edges: [{ id: "edgtls_1", ip_restriction: { ip_policy_ids: ["ipp_1"], enabled: false } }],
    });
    emulator.clearRequests();
    const rule = { ip_policy_id: "ipp_1", cidr: "2001:DB8:0::/48", action: "deny" };
    const created = await call("POST", "/ip_policy_rules", rule);
    await call("GET", "/ip_policy_rules");
    await call("POST", "/ip_policy_rules", rule); // refused: the range is taken
    await call("PUT", "/edges/tls/edgtls_1/ip_restriction", { ip_policy_ids: ["ipp_1", "ipp_1"] });
    await call("DELETE", `/ip_policy_rules/${(created.body as { id: string }).id}`);
    await call("DELETE", "/ip_policies/ipp_1");
    await call("PATCH", "/edges/tcp/edgtcp_1", { ip_restriction: { enabled: false } });

    const found = emulator.accessHistory();
    expect(found.map(({ request }) => request && `${request.method} ${request.path.split("/")[1]}`)).toEqual([
      undefined,
      "POST ip_policy_rules",
      "PUT edges",
      "DELETE ip_policy_rules",
      "DELETE ip_policies",
      "PATCH edges",
    ]);
    const of = (id: string) => found.map(({ edges }) => edges.find((each) => each.id === id));
    const ten = ["10.0.0.0/8"];
    expect(of("edgtcp_1").map((each) => [each!.restricted, each!.allowed, each!.denied])).toEqual([
      [true, ten, []],
      [true, ten, ["2001:db8::/48"]],
      [true, ten, ["2001:db8::/48"]],
      [true, ten, []],
      [true, [], []],
      [false, [], []],
    ]);
    expect(of("edgtls_1").map((each) => each!.restricted)).toEqual([false, false, true, true, true, true]);
    expect(new Set(of("edgtcp_2").map((each) => JSON.stringify(each))).size).toBe(1);
    expect(of("edgtcp_2")[0]).toEqual({ ...open, id: "edgtcp_2", policyIds: [] });
  });

  it("includes writes whose answer is lost, and no writes that were not carried out", async () => {
    const { emulator, call } = await start({ accessHistory: true });
    emulator.setFaults({
      rules: [
        { kind: "dropBefore", method: "POST", times: 1 },
        { kind: "dropAfter", method: "POST", times: 1 },
      ],
    });
    await expect(call("POST", "/ip_policies", {})).rejects.toThrow("fetch failed");
    await expect(call("POST", "/ip_policies", {})).rejects.toThrow("fetch failed");
    expect(emulator.snapshot().ip_policies).toHaveLength(1);
    expect(emulator.accessHistory()).toHaveLength(2);
    await emulator.reset();
    expect(emulator.accessHistory()).toEqual([{ edges: [] }]);
  });

  it("is there for tests in another process", async () => {
    const { emulator } = await start({ accessHistory: true });
    const url = new URL("/_emulator/access", emulator.baseUrl);
    const response = await fetch(url, { headers: { "Emulator-Control": "1" } });
    expect(await response.json()).toEqual(emulator.accessHistory());
  });

  it("must be asked for", async () => {
    const { emulator } = await start();
    expect(() => emulator.accessHistory()).toThrow("start the emulator with the option accessHistory: true");
    const url = new URL("/_emulator/access", emulator.baseUrl);
    expect((await fetch(url, { headers: { "Emulator-Control": "1" } })).status).toBe(400);
  });
});

describe("accessGaps", () => {
  const [a, b, both] = [edge(["10.0.0.0/9"]), edge(["10.128.0.0/9"]), edge(["10.0.0.0/8"])];

  it("finds nothing where each moment is one of the ends or in between", () => {
    expect(gaps()).toEqual([]);
    expect(gaps(a)).toEqual([]);
    expect(gaps(a, b)).toEqual([]);
    expect(gaps(a, both, b)).toEqual([]);
    expect(gaps(open, a, open)).toEqual([]);
    expect(gaps(open, edge([]), edge([]))).toEqual([]);
    expect(gaps(edge(["0.0.0.0/0", "::/0"]), open, open)).toEqual([]);
  });

  it("finds addresses that are allowed at neither end", () => {
    expect(gaps(a, edge(["10.0.0.0/7"]), b)).toEqual(["1 allowed 11.0.0.0 - 11.255.255.255"]);
    expect(gaps(a, edge(["2001:db8::1/128", "10.0.0.0/9"]), a)).toEqual(["1 allowed 2001:db8::1"]);
    expect(gaps(a, open, a)[0]).toBe(
      "1 allowed 0.0.0.0 - 9.255.255.255 10.128.0.0 - 255.255.255.255 " +
        ":: - ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    );
  });

  it("finds an allowed range whose denied part comes later or goes before", () => {
    const guests = edge(["10.0.0.0/8"], ["10.1.0.0/16"]);
    const none = edge(["192.0.2.0/24"]);
    expect(gaps(none, both, guests)).toEqual(["1 allowed 10.1.0.0 - 10.1.255.255"]);
    expect(gaps(guests, both, none)).toEqual(["1 allowed 10.1.0.0 - 10.1.255.255"]);
    expect(gaps(none, edge([], ["10.1.0.0/16"]), guests)).toEqual([]);
  });

  it("finds addresses that are no longer denied, and edges without rules", () => {
    const denied = edge([], ["10.0.0.0/8"]);
    expect(gaps(denied, edge(["192.0.2.0/24"]), edge(["192.0.2.0/24"], ["10.1.0.0/16"]))).toEqual([
      "1 not denied 10.1.0.0 - 10.1.255.255",
    ]);
    expect(gaps(a, edge([]), b)).toEqual(["1 no rules"]);
    expect(gaps(a, edge([]), edge([]))).toEqual([]);
  });

  it("takes an edge that does not exist as one that lets nobody in", () => {
    expect(gaps(undefined, a, a)).toEqual([]);
    expect(gaps(a, a, undefined)).toEqual([]);
    expect(gaps(undefined, edge([]), a)).toEqual(["1 no rules"]);
    expect(gaps(undefined, both, a)).toEqual(["1 allowed 10.128.0.0 - 10.255.255.255"]);
    expect(gaps(undefined, edge(["10.0.0.0/9"]), edge(["10.0.0.0/9"], ["192.0.2.0/24"]))).toEqual([
      "1 not denied 192.0.2.0 - 192.0.2.255",
    ]);
  });

  it("names the moment, the write and the edge", () => {
    expect(accessGaps(history(a, both, edge([]), a))).toEqual([
      {
        ...{ moment: 1, request: { method: "POST", path: "/1" }, edge: "edgtcp_1" },
        ...{ problem: "allowed", ranges: ["10.128.0.0 - 10.255.255.255"] },
      },
      {
        ...{ moment: 2, request: { method: "POST", path: "/2" }, edge: "edgtcp_1" },
        ...{ problem: "no rules", ranges: [] },
      },
    ]);
  });
});
