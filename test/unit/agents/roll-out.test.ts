import type { RollOutOptions, RollOutProgress, RollOutReport, TunnelSession } from "../../../src";
import { ApiError, UndecidedError, rollOut } from "../../../src";
import type { AccountClient } from "../../../src/account/client";
import { SessionTracker } from "../../../src/agents/session-tracker";
import type { Fleet } from "../../../src/agents/roll-out";
import { RollOut, rollOutWith } from "../../../src/agents/roll-out";
import type { Emulator, FaultPlan, SeedAgent, SeedTunnelSession } from "../../../src/emulator";
import { connectionOver } from "../../../src/provider/connection";
import { realTiming } from "../../../src/provider/http/clock";
import { Http } from "../../../src/provider/http/http";
import { readSettings } from "../../../src/provider/settings";
import type { Settings } from "../../../src/settings";
import { harness } from "../account/support";
import { VirtualClock } from "./virtual-clock";

const second = 1000;

function session(id: string, more: Partial<TunnelSession> = {}): TunnelSession {
  return {
    ...{
      id,
      uri: id,
      agentVersion: "3.10.0",
      credential: { id: "cr_a", uri: "u" },
      ip: `ip of ${id}`,
      os: "linux",
    },
    ...{ region: "eu", metadata: "", startedAt: "2025-01-01T00:00:00Z", transport: "service/v2" as const },
    ...more,
  };
}

interface Agent extends Partial<TunnelSession> {
  /** What goes wrong. */
  refuses?: "update" | "restart";
  loses?: "update" | "restart";
  /** The service's code for an update that is not available. */
  current?: string;
  /** Seconds until it is back; undefined: never. */
  back?: number;
  /** Whether it ignores a restart. */
  ignores?: boolean;
  /** The version that it comes back with. */
  returnsAs?: string;
}

/** Agents in memory, on a clock that the test moves. */
class Agents implements Fleet {
  readonly clock = new VirtualClock();
  readonly log: string[] = [];
  readonly begun = this.clock.now();
  private online: { session: TunnelSession; agent: Agent; from: number; until: number }[];

  constructor(agents: Record<string, Agent>) {
    this.online = Object.entries(agents).map(
      ([id, { refuses: _r, loses: _l, back: _b, current: _c, returnsAs: _v, ignores: _i, ...more }]) => ({
        ...{ session: session(id, more), agent: { back: 1, ...agents[id] }, from: 0, until: Infinity },
      }),
    );
  }

  readonly now = this.clock.now;
  readonly serviceTime = this.now;
  readonly timing = this.clock;

  sessions(): Promise<TunnelSession[]> {
    const now = this.now();
    return Promise.resolve(
      this.online.filter(({ from, until }) => from <= now && now < until).map(({ session }) => session),
    );
  }

  update = (target: TunnelSession): Promise<void> => this.command("update", target);
  restart = (target: TunnelSession): Promise<void> => this.command("restart", target);

  /** Somebody else's agent begins. */
  joins(id: string, seconds: number, more: Partial<TunnelSession>): void {
    const from = this.begun + seconds * second;
    const startedAt = new Date(from).toISOString();
    this.online.push({ session: session(id, { startedAt, ...more }), agent: {}, from, until: Infinity });
  }

  private async command(name: "update" | "restart", { id }: TunnelSession): Promise<void> {
    this.log.push(`${(this.now() - this.begun) / second} ${name} ${id}`);
    await Promise.resolve();
    const found = this.online.find((each) => each.session.id === id)!;
    const { agent } = found;
    if (agent.refuses === name) throw new Error(`${name} refused`);
    if (agent.current && name === "update") {
      throw new ApiError("updating", 400, agent.current, "refused", undefined);
    }
    if (name === "restart" && !agent.ignores) {
      found.until = this.now();
      if (agent.back !== undefined) {
        const from = this.now() + agent.back * second;
        const startedAt = new Date(Math.floor(from / second) * second).toISOString();
        const next = { ...found.session, id: `${id}'`, agentVersion: agent.returnsAs ?? "3.11.0", startedAt };
        this.online.push({ session: next, agent, from, until: Infinity });
      }
    }
    if (agent.loses === name) throw new UndecidedError(`${name} lost`);
  }

  roll(which: Parameters<typeof rollOut>[0], options: RollOutOptions = {}): Promise<RollOutReport> {
    const plan = {
      ...{ concurrency: 1, stopAfterFailures: 1, waitSeconds: 10, followSeconds: 60, pollSeconds: 5 },
      ...(options as object),
    };
    return this.clock.run(new RollOut(this, plan).run(which));
  }
}

const outcomes = ({ sessions }: RollOutReport): string[] =>
  sessions.map(({ session, outcome, newSession }) => `${session.id} ${outcome} ${newSession?.id ?? "-"}`);

describe("a roll-out", () => {
  it("updates, waits, restarts and follows one agent after the other", async () => {
    const agents = new Agents({ a: {}, b: { back: 12 } });
    const report = await agents.roll({});
    expect(agents.log).toEqual(["0 update a", "10 restart a", "15 update b", "25 restart b"]);
    expect(outcomes(report)).toEqual(["a updated a'", "b updated b'"]);
    expect(report.ok).toBe(true);
    expect(report.sessions[0]!.newSession!.agentVersion).toBe("3.11.0");
  });

  it.each([
    ["none is available", "ERR_UPDATE_NONE"],
    ["its checks are off", "ERR_UPDATE_DISABLED"],
    ["a service with words of its own says so", "E42 nope"],
  ])(
    "reports an update that is refused because %s as refused, restarts nothing, and continues",
    async (_, code) => {
      const agents = new Agents({ a: { current: code }, b: {} });
      const report = await agents.roll({});
      expect(outcomes(report)).toEqual(["a refused -", "b updated b'"]);
      expect(report.ok).toBe(true);
      expect(report.sessions[0]!.message).toContain(code);
      expect(report.sessions[0]!.step).toBeUndefined();
      expect(agents.log.filter((line) => line.endsWith(" a"))).toEqual(["0 update a"]);
    },
  );

  it("counts a refused update as a failure where it is strict", async () => {
    const agents = new Agents({ a: { current: "ERR_UPDATE_NONE" }, b: {} });
    const report = await agents.roll({}, { strict: true });
    expect([outcomes(report), report.ok]).toEqual([["a refused -", "b notStarted -"], false]);
  });

  it("restarts an agent whose update is refused where it resumes an earlier roll-out", async () => {
    const agents = new Agents({ a: { current: "ERR_UPDATE_UPDATED" } });
    const report = await agents.roll({}, { resume: true });
    expect(agents.log).toEqual(["0 update a", "10 restart a"]);
    expect([outcomes(report), report.ok]).toEqual([["a updated a'"], true]);
  });

  it("counts an agent that comes back with its old version as a failure", async () => {
    const agents = new Agents({ a: { returnsAs: "3.10.0" }, b: {} });
    const report = await agents.roll({});
    expect([outcomes(report), report.ok]).toEqual([["a unchanged a'", "b notStarted -"], false]);
    expect(report.sessions[0]!.message).toBe("it came back with the version 3.10.0 again");
  });

  it("sends the update alone where it is asked to, also to an agent on Windows", async () => {
    const agents = new Agents({ a: { os: "windows" }, b: {}, c: { current: "ERR_UPDATE_NONE" } });
    const report = await agents.roll({}, { updateOnly: true });
    expect(agents.log).toEqual(["0 update a", "0 update b", "0 update c"]);
    expect([outcomes(report), report.ok]).toEqual([
      ["a updateSent -", "b updateSent -", "c refused -"],
      true,
    ]);
  });

  it("stops beginning at the first failure, and sees through what was begun", async () => {
    const agents = new Agents({ a: {}, b: { refuses: "update" }, c: {}, d: {} });
    const report = await agents.roll({}, { concurrency: 3 });
    expect(outcomes(report)).toEqual(["a updated a'", "b failed -", "c updated c'", "d notStarted -"]);
    expect(report).toMatchObject({ ok: false });
    expect(report.sessions[1]).toMatchObject({ step: "update", message: "update refused" });
  });

  it("goes on for as many failures as its option allows", async () => {
    const agents = new Agents({ a: { refuses: "update" }, b: { refuses: "restart" }, c: {} });
    const report = await agents.roll({}, { stopAfterFailures: 3 });
    expect(outcomes(report)).toEqual(["a failed -", "b failed -", "c updated c'"]);
    expect(report.sessions[1]!.step).toBe("restart");
  });

  it("fails where an agent does not come back in time", async () => {
    const agents = new Agents({ a: { back: undefined }, b: {} });
    const report = await agents.roll({}, { followSeconds: 30 });
    expect(outcomes(report)).toEqual(["a failed -", "b notStarted -"]);
    expect(report.sessions[0]).toMatchObject({
      step: "follow",
      message: /did not reconnect within 30 seconds/,
    });
  });

  it("leaves agents on Windows alone and says so", async () => {
    const agents = new Agents({ a: { os: "WINDOWS" }, b: {} });
    const report = await agents.roll({});
    expect(outcomes(report)).toEqual(["a unsupported -", "b updated b'"]);
    expect(agents.log.join()).not.toContain(" a");
    expect(report.ok).toBe(false);
  });

  it("learns from what becomes of an agent whether a restart with a lost answer was done", async () => {
    const agents = new Agents({ a: { loses: "restart" }, b: { loses: "restart", back: undefined }, c: {} });
    const report = await agents.roll({}, { followSeconds: 10 });
    expect(outcomes(report)).toEqual(["a updated a'", "b undecided -", "c notStarted -"]);
    expect(report.sessions[1]!.message).toBe("restart lost");
    expect(agents.log.filter((line) => line.endsWith("restart a"))).toHaveLength(1);
  });

  it("does not restart an agent of which nobody knows whether it updates", async () => {
    const agents = new Agents({ a: { loses: "update" } });
    expect(outcomes(await agents.roll({}))).toEqual(["a undecided -"]);
    expect(agents.log).toEqual(["0 update a"]);
  });

  it("begins no further agent once it is aborted", async () => {
    const agents = new Agents({ a: {}, b: {} });
    const stop = new AbortController();
    const onProgress = ({ event }: RollOutProgress): void => {
      if (event === "restart") stop.abort();
    };
    expect(outcomes(await agents.roll({}, { signal: stop.signal, onProgress }))).toEqual([
      "a updated a'",
      "b notStarted -",
    ]);
  });

  it("refuses what it cannot do before any command", async () => {
    const agents = new Agents({ a: {} });
    await expect(agents.roll(["a", "ts_gone"])).rejects.toThrow(
      "these tunnel sessions are not online: ts_gone",
    );
    await expect(agents.roll({ os: "plan9" })).rejects.toThrow(/no tunnel session that is online matches/);
    const { settings } = await start();
    for (const options of [{ waitSeconds: 9 }, { concurrency: 0 }, { stopAfterFailures: NaN }]) {
      await expect(rollOut({}, { settings, ...options })).rejects.toThrow(/must be a number from 1/);
    }
    expect(agents.log).toEqual([]);
  });
});

describe("agents with the same credential, ip, os and metadata", () => {
  const alike = { ip: "192.0.2.1" };

  it("are distinguished where they restart one after the other", async () => {
    const agents = new Agents({ a: alike, b: alike, c: alike });
    expect(outcomes(await agents.roll({}))).toEqual(["a updated a'", "b updated b'", "c updated c'"]);
  });

  it("are not identified where they restart together", async () => {
    const agents = new Agents({ a: alike, b: alike, c: {} });
    const report = await agents.roll({}, { concurrency: 3 });
    expect(outcomes(report)).toEqual(["a notIdentified -", "b notIdentified -", "c updated c'"]);
    expect(report.ok).toBe(true);
    expect(report.sessions[0]!.message).toMatch(/2 new sessions may be its own/);
  });

  it("are not mistaken for a stranger who came meanwhile", async () => {
    const agents = new Agents({ a: { ...alike, back: 3 } });
    agents.joins("stranger", 12, alike);
    expect(outcomes(await agents.roll({}))).toEqual(["a notIdentified -"]);
  });

  it("are not mistaken for a stranger with another version while their own session is online", async () => {
    const agents = new Agents({ a: { ...alike, ignores: true } });
    agents.joins("stranger", 12, { ...alike, agentVersion: "3.11.0" });
    const report = await agents.roll({});
    expect([outcomes(report), report.ok]).toEqual([["a failed -"], false]);
    expect(report.sessions[0]!.message).toContain("its session is still online");
  });

  it("are not mistaken for one that was there before the restart", async () => {
    const agents = new Agents({ a: { ...alike, back: 3 } });
    agents.joins("stranger", 5, alike);
    expect(outcomes(await agents.roll({}))).toEqual(["a updated a'"]);
  });
});

describe("the tracker", () => {
  const time = Date.parse("2026-01-01T00:01:00Z");
  const at = (seconds: number): string => new Date(time + seconds * second).toISOString();

  it("takes no session for a successor that began before the restart", () => {
    const tracker = new SessionTracker();
    tracker.observe([session("a", { ip: "x" })]);
    tracker.commanded(session("a", { ip: "x" }), time);
    tracker.observe([session("old", { ip: "x", startedAt: at(-60) })]);
    expect(tracker.successorOf("a")).toMatchObject({ isOnline: false, candidates: [] });
    tracker.observe([session("new", { ip: "x", startedAt: at(0) })]);
    // "old" came and left too, so "new" may be its successor just as well.
    expect(tracker.successorOf("a").session).toBeUndefined();
  });

  it("gives each of two agents its own by their times", () => {
    const tracker = new SessionTracker();
    const [a, b] = [session("a", { ip: "x" }), session("b", { ip: "x" })];
    tracker.observe([a, b]);
    tracker.commanded(a, time);
    tracker.observe([b]);
    tracker.commanded(b, time + 30 * second);
    const [first, last] = [
      session("first", { ip: "x", startedAt: at(10) }),
      session("last", { ip: "x", startedAt: at(40) }),
    ];
    tracker.observe([last]);
    expect(tracker.successorOf("b")).toMatchObject({ candidates: [last], areAllAlikeBack: false });
    expect(tracker.successorOf("b").session).toBeUndefined();
    tracker.observe([last, first]);
    expect(tracker.successorOf("a")).toMatchObject({ session: first, isAlike: true });
    expect(tracker.successorOf("b")).toMatchObject({ session: last, isAlike: true });
  });
});

const start = harness();

describe("a roll-out over 20 emulated agents, one failing, at most 3 at once", () => {
  it("keeps order, waits and limit, and reports each agent", async () => {
    const clock = new VirtualClock();
    const { emulator, settings } = await start({ now: () => new Date(clock.now()) });
    await emulator.seed({
      tunnel_sessions: [...Array(20).keys()].map((i) => ({
        ...{ id: `ts_${String(i).padStart(2, "0")}`, ip: `192.0.2.${i}`, started_at: "2025-01-01T00:00:00Z" },
        agent: i === 10 ? { update_checks_disabled: true } : { update_available: "3.11.0", update_ms: 8000 },
      })),
    });
    emulator.clearRequests();
    const ids = [...Array(20).keys()].map((i) => `ts_${String(i).padStart(2, "0")}`);
    let [running, most] = [0, 0];
    const onProgress = ({ event }: RollOutProgress): void => {
      if (event === "update") most = Math.max(most, ++running);
      if (event === "updated" || event === "refused") running -= 1;
    };
    const options = { concurrency: 3, strict: true, onProgress };
    const work = rollOutWith(clientOn(clock, settings), ids, options);
    const report = await clock.run(work, () => quiet(emulator));

    expect(most).toBe(3);
    const done = report.sessions.map(({ outcome }) => outcome);
    const failed = done.indexOf("refused");
    expect(failed).toBe(10);
    expect(done.slice(0, 10)).toEqual(Array(10).fill("updated"));
    // Two others were under way and are seen through.
    const last = done.lastIndexOf("updated");
    expect(done.slice(11, last + 1).every((outcome) => outcome === "updated")).toBe(true);
    expect(done.slice(last + 1).every((outcome) => outcome === "notStarted")).toBe(true);
    expect(last).toBeLessThanOrEqual(12);
    expect(report.sessions[10]!.message).toContain("disabled update checks");
    expect(report.ok).toBe(false);
    for (const { newSession, session, outcome } of report.sessions) {
      if (outcome !== "updated") continue;
      expect(newSession).toMatchObject({ ip: session.ip, agentVersion: "3.11.0" });
      expect(newSession!.id).not.toBe(session.id);
    }
    const commands = emulator.requests.filter(({ method }) => method === "POST");
    const updates = commands
      .filter(({ path }) => path.endsWith("/update"))
      .map(({ path }) => path.split("/")[2]);
    expect(updates).toEqual(ids.slice(0, updates.length));
    for (const id of updates) {
      const times = commands.filter(({ path }) => path.includes(`/${id}/`)).map(({ at }) => Date.parse(at));
      expect(times).toHaveLength(id === "ts_10" ? 1 : 2);
      if (times.length === 2) expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(10 * second);
    }
  });
});

const roll = async (
  agents: Record<string, SeedTunnelSession>,
  options: RollOutOptions = {},
  faults?: FaultPlan,
): Promise<{ report: RollOutReport; found: string[]; emulator: Emulator; seconds: number }> => {
  const clock = new VirtualClock();
  const begun = clock.now();
  const { emulator, settings } = await start({ now: () => new Date(clock.now()) });
  await emulator.seed({
    tunnel_sessions: Object.entries(agents).map(([id, { agent, ...more }], i) => ({
      ...{ id, ip: `192.0.2.${i}`, started_at: "2025-01-01T00:00:00Z", ...more },
      agent: { update_available: "3.11.0", ...agent },
    })),
  });
  emulator.clearRequests();
  if (faults) emulator.setFaults(faults);
  const client = clientOn(clock, settings);
  const work = rollOutWith(client, Object.keys(agents), { followSeconds: 30, ...options });
  const report = await clock.run(work, () => quiet(emulator));
  const found = report.sessions.map(({ session, outcome }) => `${session.id} ${outcome}`);
  return { report, found, emulator, seconds: (clock.now() - begun) / second };
};

describe("a roll-out over emulated agents", () => {
  it("fails where an agent ignores the restart, also where a new session like it comes meanwhile", async () => {
    const { report, found } = await roll({ a: { agent: { ignores_restart: true } }, b: {} });
    expect(found).toEqual(["a failed", "b notStarted"]);
    expect(report.sessions[0]).toMatchObject({
      step: "follow",
      message: "its session is still online after 30 seconds",
    });
    expect(report.sessions[0]!.newSession).toBeUndefined();
    const twin = { ip: "192.0.2.9", metadata: "web" };
    const both = await roll(
      { a: { ...twin, agent: { ignores_restart: true } }, b: twin },
      { concurrency: 2, stopAfterFailures: 2 },
    );
    expect(both.found[0]).toBe("a failed");
    expect(both.report.ok).toBe(false);
  });

  it("reports an agent that ignores the update and comes back with the old version as unchanged", async () => {
    const { report, found } = await roll({ a: { agent: { ignores_update: true } }, b: {} });
    expect(found).toEqual(["a unchanged", "b notStarted"]);
    expect(report.ok).toBe(false);
    expect(report.sessions[0]).toMatchObject({ newSession: { agentVersion: "3.10.0" } });
  });

  it.each([
    ["another address", { ip: "198.51.100.7" }, "ip"],
    ["other metadata", { metadata: "moved" }, "metadata"],
    ["both", { ip: "198.51.100.7", metadata: "moved" }, "ip and metadata"],
  ])(
    "identifies an agent that comes back with %s, once no better session can come",
    async (_, now, words) => {
      const { report, found, seconds } = await roll({ a: { metadata: "web", agent: { returns_with: now } } });
      expect(found).toEqual(["a updated"]);
      expect(report.ok).toBe(true);
      expect(report.sessions[0]).toMatchObject({
        newSession: { ...now, agentVersion: "3.11.0" },
        message: `it came back with another ${words}, as the only new session like it`,
      });
      expect(seconds).toBe(40);
    },
  );

  it("gives the session with the same metadata to its agent, and the other to the one that moved", async () => {
    const moved = { ip: "198.51.100.7", metadata: "new" };
    const { report } = await roll(
      {
        a: { metadata: "a", agent: { returns_with: moved } },
        b: { metadata: "b", agent: { returns_with: { ip: "198.51.100.8" } } },
        c: { metadata: "c" },
      },
      { concurrency: 3 },
    );
    expect(report.sessions.map(({ newSession }) => newSession?.metadata)).toEqual(["new", "b", "c"]);
    expect(report.ok).toBe(true);
  });

  it("waits for an agent that comes late, and fails where it comes too late or never", async () => {
    const late = (agent: SeedAgent) => roll({ a: { agent } });
    expect((await late({ reconnect_ms: 29_000 })).found).toEqual(["a updated"]);
    for (const agent of [{ reconnect_ms: 31_000 }, { never_returns: true }]) {
      const { report, found } = await late(agent);
      expect([found, report.ok]).toEqual([["a failed"], false]);
      expect(report.sessions[0]!.message).toBe("the agent of a did not reconnect within 30 seconds");
    }
  });

  it("identifies none of two sessions of an agent that comes back twice, and does not count on either", async () => {
    const twice = await roll({ a: { agent: { returning_sessions: 2 } } });
    expect([twice.found, twice.report.ok]).toEqual([["a notIdentified"], true]);
    expect(twice.report.sessions[0]!.message).toContain("2 new sessions may be its own");
    const old = await roll({ a: { agent: { returning_sessions: 2, ignores_update: true } } });
    expect([old.found, old.report.ok]).toEqual([["a notIdentified"], false]);
    expect(old.report.sessions[0]!.message).toContain("2 of them with the version 3.10.0 that it had");
  });

  it.each([
    ["dropAfter", {}, "updated"],
    ["dropAfter", { ignores_update: true }, "unchanged"],
    ["dropAfter", { never_returns: true }, "undecided"],
    ["dropBefore", {}, "undecided"],
  ] as const)("follows a restart whose answer is lost (%s, %j) to %s", async (kind, agent, outcome) => {
    const faults = { rules: [{ kind, method: "POST", path: "/tunnel_sessions/a/restart" }] };
    const { report, found, emulator } = await roll({ a: { agent } }, {}, faults);
    expect([found, report.ok]).toEqual([[`a ${outcome}`], outcome === "updated"]);
    expect(emulator.requests.filter(({ path }) => path.endsWith("/restart"))).toHaveLength(1);
  });
});

/** Resolves once no request came for a while. */
async function quiet({ requests }: { requests: unknown[] }): Promise<void> {
  for (let before = -1; before !== requests.length;) {
    before = requests.length;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

function clientOn(
  { now, elapsed, sleep }: VirtualClock,
  { baseUrl, apiKey }: Partial<Settings>,
): AccountClient {
  const timing = { ...realTiming, now, elapsed, sleep };
  const environment = { TUNNEL_GATEWAY_BASE_URL: baseUrl, TUNNEL_GATEWAY_API_KEY: apiKey };
  const settings = readSettings({ get: () => undefined }, environment);
  const http = new Http(settings, { timing, report: () => undefined });
  // The Date of the answers is that of Node's server, and not of the emulator's clock.
  jest.spyOn(http, "serverTime").mockImplementation((ours) => ours);
  return connectionOver(http);
}
