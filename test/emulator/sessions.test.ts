/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { harness } from "./support";

const start = harness();

describe("Tunnel sessions", () => {
  test("come from the seed and are listed and read", async () => {
    const { emulator, call } = await start();
    await emulator.seed({
      tunnel_sessions: [{ id: "ts_1", os: "darwin", metadata: "m", credential_id: "cr_1", transport: "ssh" }],
    });
    const { body } = await call("GET", "/tunnel_sessions");
    expect(body.tunnel_sessions).toEqual([
      {
        id: "ts_1",
        uri: `${emulator.baseUrl}/tunnel_sessions/ts_1`,
        agent_version: expect.any(String),
        credential: { id: "cr_1", uri: `${emulator.baseUrl}/credentials/cr_1` },
        ip: expect.any(String),
        metadata: "m",
        os: "darwin",
        region: expect.any(String),
        started_at: expect.stringMatching(/Z$/),
        transport: "ssh",
      },
    ]);
    expect((await call("GET", "/tunnel_sessions/ts_1")).body).toEqual(body.tunnel_sessions[0]);
    for (const method of ["POST", "PATCH", "DELETE"]) {
      expect(
        (
          await call(
            method,
            method === "POST" ? "/tunnel_sessions" : "/tunnel_sessions/ts_1",
            method === "DELETE" ? undefined : {},
          )
        ).status,
      ).toBe(405);
    }
  });

  test("a restarted agent comes back with a new id when its time has come", async () => {
    const { emulator, call } = await start();
    emulator.setClock("2030-01-01T00:00:00Z");
    await emulator.seed({
      tunnel_sessions: [
        { id: "ts_1", ip: "192.0.2.9", agent: { reconnect_ms: 60_000 } },
        { id: "ts_2", ip: "192.0.2.8", agent: { reconnect_ms: 30_000 } },
      ],
    });
    for (const id of ["ts_1", "ts_2"])
      expect((await call("POST", `/tunnel_sessions/${id}/restart`, {})).status).toBe(204);
    expect((await call("GET", "/tunnel_sessions/ts_1")).status).toBe(404);
    expect((await call("GET", "/tunnel_sessions")).body.tunnel_sessions).toEqual([]);
    emulator.advanceClock(61_000);
    const [session, earlier] = (await call("GET", "/tunnel_sessions")).body.tunnel_sessions;
    expect(earlier.ip).toBe("192.0.2.8");
    expect(session).toMatchObject({
      ip: "192.0.2.9",
      started_at: expect.stringMatching(/^2030-01-01T00:01:0/),
    });
    expect(session.id).not.toBe("ts_1");
  });

  test("an agent on Windows refuses to restart, one that never returns is gone, a stopped one too", async () => {
    const { emulator, call } = await start();
    await emulator.seed({
      tunnel_sessions: [
        { id: "ts_w", os: "Windows" },
        { id: "ts_n", agent: { never_returns: true } },
        { id: "ts_s" },
      ],
    });
    const refused = await call("POST", "/tunnel_sessions/ts_w/restart", {});
    expect(refused.body).toMatchObject({ status_code: 400, msg: expect.stringContaining("Windows") });
    expect((await call("POST", "/tunnel_sessions/ts_n/restart", {})).status).toBe(204);
    expect((await call("POST", "/tunnel_sessions/ts_s/stop", {})).status).toBe(204);
    emulator.advanceClock(3_600_000);
    expect((await call("GET", "/tunnel_sessions")).body.tunnel_sessions).toHaveLength(1);
    expect((await call("POST", "/tunnel_sessions/ts_s/stop", {})).status).toBe(404);
  });

  test.each([
    [{}, "no update is available"],
    [{ update_available: "4.0.0" }, "no update is available"],
    [
      { update_available: "3.11.0", update_checks_disabled: true },
      "the agent's configuration disabled update checks",
    ],
    [{ update_available: "3.11.0", updating: true }, "the agent is currently updating"],
    [{ update_available: "3.12.0", updated_to: "3.11.0" }, "the agent already updated but has not restarted"],
  ])("an agent with %j refuses to update: %s", async (agent, msg) => {
    const { emulator, call } = await start();
    await emulator.seed({ tunnel_sessions: [{ id: "ts_1", agent_version: "3.10.0", agent }] });
    expect((await call("POST", "/tunnel_sessions/ts_1/update", {})).body).toMatchObject({
      status_code: 400,
      msg,
    });
  });

  test("an update takes just its time, then a restart brings the new version", async () => {
    const still = new Date("2030-01-01T00:00:00Z");
    const { emulator, call } = await start({ now: () => still });
    await emulator.seed({
      tunnel_sessions: [
        { id: "ts_1", agent_version: "3.10.0", agent: { update_available: "3.11.0", update_ms: 8000 } },
      ],
    });
    const update = () => call("POST", "/tunnel_sessions/ts_1/update", {});
    expect((await update()).status).toBe(204);
    expect((await update()).body.error_code).toBe("ERR_UPDATE_UPDATING");
    emulator.advanceClock(8000);
    expect((await update()).body.error_code).toBe("ERR_UPDATE_UPDATED");
    expect((await call("GET", "/tunnel_sessions/ts_1")).body.agent_version).toBe("3.10.0");
    await call("POST", "/tunnel_sessions/ts_1/restart", {});
    emulator.advanceClock(1000);
    const [session] = (await call("GET", "/tunnel_sessions")).body.tunnel_sessions;
    expect(session.agent_version).toBe("3.11.0");
    expect((await call("POST", `/tunnel_sessions/${session.id}/update`, {})).body.error_code).toBe(
      "ERR_UPDATE_NONE",
    );
  });

  test("a restart before the update is done comes back with the old version", async () => {
    const { emulator, call } = await start();
    await emulator.seed({
      tunnel_sessions: [{ id: "ts_1", agent_version: "3.10.0", agent: { update_available: "3.11.0" } }],
    });
    await call("POST", "/tunnel_sessions/ts_1/update", {});
    await call("POST", "/tunnel_sessions/ts_1/restart", {});
    emulator.advanceClock(60_000);
    expect((await call("GET", "/tunnel_sessions")).body.tunnel_sessions).toMatchObject([
      { agent_version: "3.10.0" },
    ]);
  });

  test("commands take an empty JSON object and nothing else", async () => {
    const { emulator, call } = await start();
    await emulator.seed({ tunnel_sessions: [{ id: "ts_1" }] });
    expect((await call("POST", "/tunnel_sessions/ts_1/stop", { force: true })).status).toBe(400);
    expect((await call("POST", "/tunnel_sessions/ts_1/stop")).status).toBe(415);
    expect((await call("GET", "/tunnel_sessions/ts_1")).status).toBe(200);
  });

  test("offline ones are left out after the page was cut, so that an empty page may have a next one", async () => {
    const { emulator, call } = await start({ pageSize: 2 });
    const off = { agent: { online: false } };
    await emulator.seed({
      tunnel_sessions: [{ id: "ts_a" }, { id: "ts_b" }, off, off, { id: "ts_c" }, { id: "ts_d" }],
    });
    const pages: string[][] = [];
    for (let next = "/tunnel_sessions"; next;) {
      const { body } = await call("GET", next);
      pages.push(body.tunnel_sessions.map((each: { id: string }) => each.id));
      next = body.next_page_uri;
    }
    expect(pages).toEqual([["ts_d", "ts_c"], [], ["ts_b", "ts_a"]]);
  });
});
