import { listCloudEndpoints, listIpPolicies, listTunnelSessions } from "../../../src";
import { clientFor } from "../../../src/account/account-client";
import { readAccount } from "../../../src/tools/inventory/account-contents";
import type { Declaration } from "../../../src/schema/declaration";
import { harness } from "./support";
import { requestsTo } from "../../support/plugin";

const start = harness();

/** 1,000 sessions that are online, with a page of 100 in between that are not. */
const sessions = [...Array(1100).keys()].map((i) => ({
  id: `ts_${i}`,
  ...(i >= 500 && i < 600 ? { agent: { online: false } } : {}),
}));

describe("a listing", () => {
  it("goes over all pages, and does not stop at an empty one that has a next one", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ tunnel_sessions: sessions });
    const found = await listTunnelSessions({ settings }).toArray();
    expect(new Set(found.map(({ id }) => id)).size).toBe(1000);
    expect(emulator.requests).toHaveLength(11);
    expect(requestsTo(emulator)[0]).toBe("GET /tunnel_sessions?limit=100");
  });

  it("reads no page that nobody asks for", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ tunnel_sessions: sessions });
    for await (const session of listTunnelSessions({ settings })) {
      if (session.id === "ts_950") break;
    }
    expect(emulator.requests).toHaveLength(2);
    emulator.clearRequests();
    expect(await listTunnelSessions({ settings, limit: 100 }).toArray()).toHaveLength(100);
    expect(emulator.requests).toHaveLength(1);
    expect(await listTunnelSessions({ settings, limit: 0 }).toArray()).toEqual([]);
    expect(emulator.requests).toHaveLength(1);
  });

  it("asks for no more objects than its limit, unless a filter leaves some out", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ tunnel_sessions: sessions.slice(0, 300) });
    expect(await listTunnelSessions({ settings, limit: 5 }).toArray()).toHaveLength(5);
    expect(requestsTo(emulator)).toEqual(["GET /tunnel_sessions?limit=5"]);

    emulator.clearRequests();
    const filter = ({ id }: { id: string }): boolean => id.endsWith("0");
    expect(await listTunnelSessions({ settings, filter, limit: 12 }).toArray()).toHaveLength(12);
    expect(requestsTo(emulator)[0]).toBe("GET /tunnel_sessions?limit=100");
    expect(emulator.requests).toHaveLength(2);

    emulator.clearRequests();
    expect(await listTunnelSessions({ settings, limit: 150 }).toArray()).toHaveLength(150);
    expect(requestsTo(emulator)[0]).toBe("GET /tunnel_sessions?limit=100");
  });

  it("asks for a full page where only some objects of the list belong to the collection", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({
      endpoints: [
        { id: "ep_cloud", type: "cloud", url: "https://one.example.com" },
        { id: "ep_agent", type: "ephemeral", url: "https://two.example.com" },
      ],
    });
    const found = await listCloudEndpoints({ settings, limit: 1 }).toArray();
    expect(found.map(({ id }) => id)).toEqual(["ep_cloud"]);
    expect(requestsTo(emulator)).toEqual(["GET /endpoints?limit=100"]);
  });

  it("asks for limit once where the lists of all subscriptions' sources refuse it", async () => {
    const { emulator, settings } = await start();
    const sources = [{ type: "ip_policy_created.v0" }];
    await emulator.seed({ event_subscriptions: ["esb_1", "esb_2"].map((id) => ({ id, sources })) });
    emulator.setFaults({
      rules: [
        { kind: "status", method: "GET", path: "/event_subscriptions/*/sources", status: 400, times: 1 },
      ],
    });
    const client = clientFor({
      get: (key) => settings[key.replace("tunnel-gateway:", "") as "apiKey" | "baseUrl"],
    });
    const isChosen = ({ type }: Declaration): boolean => type === "EventSource";
    const { objects } = await readAccount({ client, isChosen, members: true });
    expect(objects.map(({ id }) => id).sort()).toEqual([
      "esb_1/ip_policy_created.v0",
      "esb_2/ip_policy_created.v0",
    ]);
    expect(requestsTo(emulator).filter((line) => line.includes("sources?limit"))).toHaveLength(1);
  });

  it("reads whole pages where the service takes no limit, and returns no more than its own", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ tunnel_sessions: sessions.slice(0, 300) });
    emulator.setFaults({
      rules: [{ kind: "status", method: "GET", status: 400, body: { msg: "limit is unknown" }, times: 1 }],
    });
    expect(await listTunnelSessions({ settings, limit: 5 }).toArray()).toHaveLength(5);
    expect(requestsTo(emulator)).toEqual(["GET /tunnel_sessions?limit=5", "GET /tunnel_sessions"]);
  });

  it("begins anew each time it is asked", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ ip_policies: [{ id: "ipp_a" }] });
    const listing = listIpPolicies({ settings });
    expect(await listing.toArray()).toHaveLength(1);
    await emulator.seed({ ip_policies: [{ id: "ipp_b" }] });
    expect(await listing.toArray()).toHaveLength(2);
  });
});
