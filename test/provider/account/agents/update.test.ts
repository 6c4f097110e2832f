import type { AgentUpdate, UpdateOptions } from "../../../../src";
import { updateTunnelSessions } from "../../../../src";
import { updateByIds } from "../../../../src/account/agents/update";
import type { Emulator, FaultPlan, FaultRule, SeedTunnelSession } from "../../../../src/emulator";
import { connectionOver } from "../../../../src/provider/life-cycle/connection";
import { Http } from "../../../../src/provider/http/http";
import { readSettings } from "../../../../src/provider/settings/read-settings";
import { harness } from "../support";
import { requestsTo } from "../../../support/plugin";
import { VirtualTime } from "../../../support/virtual-time";

const start = harness();

/** The list of the sessions, each a new one of the agent with these members, from the request `after` on. */
function listed(sessions: readonly object[], after: number, times?: number): FaultRule {
  const common = { agent_version: "3.11.0", credential: { id: "cr_emulated", uri: "" }, os: "linux" };
  const body = { tunnel_sessions: sessions.map((more, i) => ({ id: `ts_${i}`, ...common, ...more })) };
  return {
    kind: "status",
    status: 200,
    path: "/tunnel_sessions",
    exact: true,
    after,
    body,
    ...(times && { times }),
  };
}

interface Updated {
  readonly results: AgentUpdate[];
  readonly found: string[];
  readonly commands: string[];
  readonly emulator: Emulator;
  readonly seconds: number;
}

/** Updates emulated agents on a clock that goes on by itself. */
async function updated(
  agents: Record<string, SeedTunnelSession>,
  options: UpdateOptions = { restart: true },
  faults?: FaultPlan,
): Promise<Updated> {
  const clock = new VirtualTime("2026-01-01T00:00:00Z");
  const begun = clock.now();
  const { emulator, settings } = await start({ now: () => new Date(clock.now()) });
  await emulator.seed({
    tunnel_sessions: Object.entries(agents).map(([id, { agent, ...more }]) => ({
      ...{ id, started_at: "2025-01-01T00:00:00Z", ...more },
      agent: { update_available: "3.11.0", ...agent },
    })),
  });
  emulator.clearRequests();
  if (faults) emulator.setFaults(faults);
  const environment = { TUNNEL_GATEWAY_BASE_URL: settings.baseUrl, TUNNEL_GATEWAY_API_KEY: settings.apiKey };
  const http = new Http(readSettings({ get: () => undefined }, environment), {
    timing: clock,
    report: () => undefined,
  });
  const ids = [...Object.keys(agents), ...Object.keys(agents)];
  const work = updateByIds(connectionOver(http), ids, { followSeconds: 30, ...options });
  const results = await clock.run(work, 200);
  return {
    results,
    found: results.map(({ session, outcome }) => `${session.id} ${outcome}`),
    commands: requestsTo(emulator).filter((line) => line.startsWith("POST")),
    emulator,
    seconds: (clock.now() - begun) / 1000,
  };
}

describe("an update of several agents", () => {
  it("updates, waits, restarts and follows one after another", async () => {
    const { results, commands, emulator } = await updated({ a: {}, b: { agent: { reconnect_ms: 12_000 } } });
    expect(commands).toEqual([
      "POST /tunnel_sessions/a/update",
      "POST /tunnel_sessions/a/restart",
      "POST /tunnel_sessions/b/update",
      "POST /tunnel_sessions/b/restart",
    ]);
    const [update, restart] = emulator.requests.filter(({ path }) => path.includes("/a/"));
    expect(Date.parse(restart!.at) - Date.parse(update!.at)).toBeGreaterThanOrEqual(10_000);
    expect(results).toMatchObject([
      { session: { id: "a" }, outcome: "updated", newSessions: [{ agentVersion: "3.11.0" }] },
      { session: { id: "b" }, outcome: "updated", newSessions: [{ agentVersion: "3.11.0" }] },
    ]);
    expect(results[0]!.message).toMatch(
      /^its session ended, and ts_\w+ with the version 3\.11\.0 began; it had the version 3\.10\.0$/,
    );
  });

  it("sends the update alone where no restart is asked for, also to an agent on Windows", async () => {
    const { found, commands } = await updated({ a: { os: "windows" }, b: {} }, {});
    expect(found).toEqual(["a sent", "b sent"]);
    expect(commands).toEqual(["POST /tunnel_sessions/a/update", "POST /tunnel_sessions/b/update"]);
  });

  it("does not restart an agent whose update is refused, and goes on", async () => {
    const { found, results, commands } = await updated({
      a: { agent: { update_checks_disabled: true } },
      b: {},
    });
    expect(found).toEqual(["a refused", "b updated"]);
    expect(results[0]!.message).toContain("disabled update checks");
    expect(commands.filter((line) => line.includes("/a/"))).toEqual(["POST /tunnel_sessions/a/update"]);
  });

  it.each([401, 403, 408, 500])(
    "starts no further agent after %i, which is no refusal of the update, and names no reasons for one",
    async (status) => {
      const faults: FaultPlan = {
        rules: [{ kind: "status", status, method: "POST", path: "/tunnel_sessions/a/update" }],
      };
      const { found, results } = await updated({ a: {}, b: {} }, {}, faults);
      expect(found).toEqual(["a failed", "b notStarted"]);
      expect(results[0]!.message).not.toContain("four reasons");
    },
  );

  it.each([
    ["update", {}, /the session ended before its update.*404/s],
    ["update", { restart: true }, /the session ended before its update.*404/s],
    ["restart", { restart: true }, /the update was accepted, and the session ended before its restart.*404/s],
  ])("reports a session that ended before its %s (%j), and goes on", async (verb, options, message) => {
    const faults = {
      rules: [{ kind: "status" as const, status: 404, method: "POST", path: `/tunnel_sessions/a/${verb}` }],
    };
    const { found, results } = await updated({ a: {}, b: {} }, options, faults);
    expect(found).toEqual(["a gone", `b ${"restart" in options ? "updated" : "sent"}`]);
    expect(results[0]!.message).toMatch(message);
  });

  it("takes no session for the agent's that another agent began during the wait", async () => {
    const restart = { method: "POST", path: "/tunnel_sessions/a/restart", afterWork: true };
    const { found } = await updated(
      { a: { agent: { reconnect_ms: 5_000 } }, b: { agent: { never_returns: true } } },
      { restart: true },
      { rules: [{ kind: "status", status: 404, ...restart }] },
    );
    expect(found).toEqual(["a gone", "b failed"]);
  });

  it("restarts no agent whose session ended during the wait, though another of its kind is online", async () => {
    const faults = { rules: [listed([{}], 1, 1)] };
    const { found, commands } = await updated({ a: {}, b: {} }, { restart: true }, faults);
    expect(found).toEqual(["a gone", "b updated"]);
    expect(commands).not.toContain("POST /tunnel_sessions/a/restart");
  });

  it.each([
    [{ ignores_restart: true }, "its session did not end within 30 seconds"],
    [{ never_returns: true }, "its session ended, and no new session of its credential and operating system"],
    [{ reconnect_ms: 31_000 }, "came within 30 seconds"],
    [{ ignores_update: true }, "with the version 3.10.0 began"],
    [{ returning_sessions: 2, ignores_update: true }, "with the version 3.10.0 began"],
  ])("fails at an agent that %j, and starts no further one", async (agent, words) => {
    const { found, results, commands } = await updated({ a: { agent }, b: {} });
    expect(found).toEqual(["a failed", "b notStarted"]);
    expect(results[0]!.message).toContain(words);
    expect(commands.some((line) => line.includes("/b/"))).toBe(false);
  });

  it.each([
    ["one of several may have the old version", [{}, { agent_version: "3.10.0" }]],
    ["they come while the old one is online", [{ id: "a" }, {}]],
    ["they have another operating system", [{ os: "darwin" }]],
    ["they have another credential", [{ credential: { id: "cr_other", uri: "" } }]],
  ])("fails at new sessions where %s", async (_, sessions) => {
    const faults = { rules: [listed(sessions, 2)] };
    expect((await updated({ a: {} }, { restart: true }, faults)).found).toEqual(["a failed"]);
  });

  it("follows an agent whose session is listed for a while after its restart", async () => {
    const faults = { rules: [listed([{ id: "a" }], 2, 2)] };
    expect((await updated({ a: {} }, { restart: true }, faults)).found).toEqual(["a updated"]);
  });

  it("shows every new session that may be the agent's, whatever its address and metadata", async () => {
    const { results } = await updated({
      a: {
        metadata: "web",
        agent: { returning_sessions: 2, returns_with: { ip: "198.51.100.7", metadata: "moved" } },
      },
    });
    expect(results[0]).toMatchObject({ outcome: "updated", newSessions: [{ metadata: "moved" }, {}] });
  });

  it.each([
    ["dropAfter", {}, "updated", "with the version 3.11.0 began"],
    ["dropAfter", { reconnect_ms: 12_000 }, "updated", "with the version 3.11.0 began"],
    ["dropAfter", { ignores_update: true }, "failed", "with the version 3.10.0 began"],
    ["dropAfter", { never_returns: true }, "failed", "It is unknown whether the agent"],
    ["dropBefore", {}, "failed", "It is unknown whether the agent"],
  ] as const)(
    "looks whether a restart was done whose answer is lost (%s, %j): %s",
    async (kind, agent, outcome, words) => {
      const faults = { rules: [{ kind, method: "POST", path: "/tunnel_sessions/a/restart" }] };
      const { found, commands, results } = await updated({ a: { agent } }, { restart: true }, faults);
      expect(found).toEqual([`a ${outcome}`]);
      expect(results[0]!.message).toContain(words);
      expect(commands.filter((line) => line.endsWith("/restart"))).toHaveLength(1);
    },
  );

  it("fails at an agent whose restart is refused after its update", async () => {
    const refused = {
      kind: "status" as const,
      status: 400,
      method: "POST",
      path: "/tunnel_sessions/a/restart",
    };
    const { found } = await updated({ a: {}, b: {} }, { restart: true }, { rules: [refused] });
    expect(found).toEqual(["a failed", "b notStarted"]);
  });

  it("does not restart an agent of which nobody knows whether it updates", async () => {
    const faults = {
      rules: [{ kind: "dropAfter" as const, method: "POST", path: "/tunnel_sessions/a/update" }],
    };
    const { results, commands } = await updated({ a: {} }, { restart: true }, faults);
    expect(results[0]).toMatchObject({ outcome: "failed" });
    expect(results[0]!.message).toContain("It is unknown whether the agent received the command");
    expect(commands).toEqual(["POST /tunnel_sessions/a/update"]);
  });

  it("starts no further agent once it is aborted", async () => {
    const stop = new AbortController();
    const begun: string[] = [];
    const onProgress = ({ id }: { id: string }): void => {
      begun.push(id);
      stop.abort();
    };
    const { found } = await updated({ a: {}, b: {} }, { restart: true, signal: stop.signal, onProgress });
    expect([found, begun]).toEqual([["a updated", "b notStarted"], ["a"]]);
  });

  it("refuses before any command what it cannot do", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ tunnel_sessions: [{ id: "ts_w", os: "WINDOWS" }, { id: "ts_a" }] });
    const refused = (ids: string[], options: UpdateOptions) =>
      expect(updateTunnelSessions(ids, { settings, ...options })).rejects;
    await refused(["ts_a", "ts_gone"], {}).toThrow("these tunnel sessions are not online: ts_gone");
    await refused([], {}).toThrow("give at least one tunnel session");
    await refused(["ts_a", "ts_w"], { restart: true }).toThrow(
      /agent of ts_w is not supported: it runs on Windows/,
    );
    await refused(["ts_a"], { waitSeconds: 9 }).toThrow("waitSeconds: must be a number from 10, not 9");
    await refused(["ts_a"], { followSeconds: NaN }).toThrow(
      "followSeconds: must be a number from 0, not NaN",
    );
    expect(requestsTo(emulator).filter((line) => line.startsWith("POST"))).toEqual([]);
  });
});
