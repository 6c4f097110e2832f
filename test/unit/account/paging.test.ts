import { listIpPolicies, listTunnelSessions } from "../../../src";
import { harness, lines } from "./support";

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
    expect(lines(emulator)[0]).toBe("GET /tunnel_sessions?limit=100");
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

  it("begins anew each time it is asked", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ ip_policies: [{ id: "ipp_a" }] });
    const listing = listIpPolicies({ settings });
    expect(await listing.toArray()).toHaveLength(1);
    await emulator.seed({ ip_policies: [{ id: "ipp_b" }] });
    expect(await listing.toArray()).toHaveLength(2);
  });
});
