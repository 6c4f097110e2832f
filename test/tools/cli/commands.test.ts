/** Every command of the command line, on an emulator in the same process. */
import { runCommandLine } from "../../support/command-line";
import type { Ended } from "../../support/command-line";
import { emulatorForTests } from "../../support/emulators";
import { servers } from "../../support/servers";

/** A pause passes at once, on the clock of the agents too. */
const mockPassed = jest.fn<undefined, [milliseconds: number]>();
jest.mock("node:timers/promises", () => ({
  ...jest.requireActual<typeof import("node:timers/promises")>("node:timers/promises"),
  setTimeout: (milliseconds: number) => {
    mockPassed(milliseconds);
    return new Promise((resolve) => setImmediate(resolve));
  },
}));

/** Somebody at the terminal. */
const mockAnswered = jest.fn<Promise<string>, [question: string]>();
jest.mock("node:readline/promises", () => ({
  createInterface: () => ({ question: mockAnswered, close: () => undefined }),
}));

const emulator = emulatorForTests();
let settings: Record<string, string>;

beforeAll(() => {
  settings = { TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl, TUNNEL_GATEWAY_API_KEY: emulator.apiKey };
  mockPassed.mockImplementation((milliseconds) => {
    emulator.advanceClock(milliseconds);
  });
});

function cli(args: string[], env: Record<string, string | undefined> = settings): Promise<Ended> {
  return runCommandLine(args, env);
}

const requestLines = (): string[] => emulator.requests.map(({ method, path }) => `${method} ${path}`);

const json = async (...args: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await cli([...args, "--json"]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

describe("list and get", () => {
  const account = {
    ip_policies: [
      { id: "ipp_office", description: "office \u001b[31mred", metadata: "m" },
      { id: "ipp_guests", description: "guests" },
    ],
    "backends/tunnel_group": [{ id: "bkdtg_a", labels: { service: "web" } }],
    event_subscriptions: [{ id: "esb_a", sources: [{ type: "ip_policy_created.v0" }] }],
    https_edges: [
      {
        id: "edge",
        routes: [
          {
            id: "route",
            oidc: { issuer: "https://id.example.com", client_id: "c", client_secret: "hidden-client-secret" },
          },
        ],
      },
    ],
  };

  it("print tables in which control characters are escaped", async () => {
    await emulator.seed(account);
    const { code, stdout, stderr } = await cli(["list", "ip-policies"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ID +DESCRIPTION +CREATED AT\n/);
    expect(stdout).toContain("office \\u001b[31mred");
    expect(stdout).not.toContain("\u001b");
    const chosen = await cli(["list", "tunnel-group-backends", "--columns", "labels.service,metadata"]);
    expect(chosen.stdout).toBe("ID       LABELS.SERVICE  METADATA\nbkdtg_a  web\n");
  });

  it("print JSON, filtered and limited", async () => {
    await emulator.seed(account);
    expect(await json("list", "ip-policies", "--filter", "description=off*")).toMatchObject([
      { id: "ipp_office", description: "office \u001b[31mred", metadata: "m" },
    ]);
    expect(await json("list", "tunnel-group-backends", "--filter", "labels.service=web")).toHaveLength(1);
    expect(await json("list", "IpPolicy", "--limit", "1")).toHaveLength(1);
    expect(await json("list", "event-sources", "esb_a")).toMatchObject([{ type: "ip_policy_created.v0" }]);
    expect(await json("get", "ip_policies", "ipp_guests")).toMatchObject({ description: "guests" });
  });

  it("ask for no more objects than --limit, unless a filter leaves some out", async () => {
    await emulator.seed(account);
    await json("list", "ip-policies", "--limit", "1");
    await json("list", "ip-policies", "--limit", "1", "--filter", "description=off*");
    const queries = emulator.requests.map(({ query }) => query);
    expect(queries).toEqual([{ limit: "1" }, { limit: "100" }]);
  });

  it("print secrets only with --show-secrets", async () => {
    await emulator.seed(account);
    const module = ["get", "https-edge-route-oidc", "edge/route"];
    for (const args of [module, [...module, "--json"]]) {
      const { stdout } = await cli(args);
      expect(stdout).toContain("[secret]");
      expect(stdout).not.toContain("hidden-client-secret");
    }
    expect((await cli([...module, "--show-secrets"])).stdout).toContain("hidden-client-secret");
  });

  it.each([
    [1, "get ip-policies ipp_none"],
    [0, "--help"],
    [0, "sessions update --help"],
    [0, "--version"],
  ])("end with exit code %d: %s", async (code, words) => {
    expect((await cli(words.split(" "))).code).toBe(code);
  });

  it("say which settings are missing, and that --stack takes those of a stack", async () => {
    const advice = "Add --stack <name> to take the settings of a stack";
    for (const words of ["list ip-policies", "access 203.0.113.7 --account"]) {
      const { code, stderr } = await cli(words.split(" "), {});
      expect([code, stderr.split("\n").length]).toEqual([1, 2]);
      for (const text of ["TUNNEL_GATEWAY_API_KEY", "TUNNEL_GATEWAY_BASE_URL", advice])
        expect(stderr).toContain(text);
    }
    expect((await cli(["doctor"], {})).stdout).toContain(advice);
    const invalid = { ...settings, TUNNEL_GATEWAY_RETRY_TIMEOUT: "soon" };
    const { stdout } = await cli(["doctor"], invalid);
    expect(stdout).toContain('must be a number of seconds, such as "60"');
    expect(stdout).not.toContain(advice);
  });
});

describe("sessions", () => {
  const sessions = {
    tunnel_sessions: [
      {
        ...{ id: "ts_a", os: "linux", ip: "203.0.113.9" },
        agent_version: "3.10.0",
        agent: { update_available: "3.11.0", reconnect_ms: 100 },
      },
      { id: "ts_b", os: "linux", agent_version: "3.9.0", region: "eu" },
      { id: "ts_w", os: "windows" },
    ],
  };

  it("are listed by filters, and shown", async () => {
    await emulator.seed(sessions);
    expect(await json("sessions", "list", "--os", "linux", "--agent-version", "3.9.*")).toMatchObject([
      { id: "ts_b" },
    ]);
    expect(await json("sessions", "show", "ts_w")).toMatchObject({ os: "windows" });
    expect((await cli(["sessions", "list"])).stdout).toMatch(/^ID +OS +REGION/);
  });

  it.each([
    ["stop ts_a", "Stop the agent of ts_a (linux, 203.0.113.9, version 3.10.0)? [y/N] "],
    ["restart ts_a", "Restart the agent of ts_a (linux, 203.0.113.9, version 3.10.0)? [y/N] "],
    ["update ts_a --restart", "Update and restart 1 agent? [y/N] "],
  ])("are asked about, and no other answer than yes counts: %s", async (words, question) => {
    for (const [answer, isYes] of [
      ["", false],
      ["yikes", false],
      ["nay", false],
      [" Y", true],
      ["yes", true],
    ] as const) {
      await emulator.reset();
      await emulator.seed(sessions);
      emulator.clearRequests();
      mockAnswered.mockReset().mockResolvedValue(answer);
      const ended = await runCommandLine(["sessions", ...words.split(" ")], settings, ["stdin", "stderr"]);
      const isSent = requestLines().some((line) => line.startsWith("POST"));
      expect([answer, mockAnswered.mock.calls, ended.code, isSent]).toEqual([
        answer,
        [[question]],
        isYes ? 0 : 1,
        isYes,
      ]);
      if (!isYes) expect(ended.stderr).toContain("canceled: nothing was done");
    }
  });

  it("are updated, stopped and restarted", async () => {
    await emulator.seed(sessions);
    emulator.clearRequests();
    expect((await cli(["sessions", "update", "ts_a"])).stdout).toMatch(
      /ts_a +sent +3\.10\.0 +restart it in 10 seconds or later/,
    );
    expect(await json("sessions", "stop", "ts_b", "--yes")).toEqual({ id: "ts_b", command: "stop" });
    expect((await cli(["sessions", "restart", "ts_a", "--yes"])).code).toBe(0);
    const refused = await cli(["sessions", "restart", "ts_w", "--yes"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("it runs on Windows");
    expect(requestLines()).toEqual([
      "GET /tunnel_sessions",
      "POST /tunnel_sessions/ts_a/update",
      "POST /tunnel_sessions/ts_b/stop",
      "GET /tunnel_sessions/ts_a",
      "POST /tunnel_sessions/ts_a/restart",
      "GET /tunnel_sessions/ts_w",
    ]);
  });

  it("are listed once for an update that chooses them by filters", async () => {
    await emulator.seed(sessions);
    emulator.clearRequests();
    expect((await cli(["sessions", "update", "--region", "eu"])).code).toBe(0);
    expect(requestLines()).toEqual(["GET /tunnel_sessions", "POST /tunnel_sessions/ts_b/update"]);
  });

  it("are updated and restarted, with the results on stdout and the progress on stderr", async () => {
    await emulator.seed(sessions);
    const run = await cli(["sessions", "update", "ts_a", "--restart", "--yes", "--json"]);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject([
      { outcome: "updated", session: { id: "ts_a" }, newSessions: [{ agentVersion: "3.11.0" }] },
    ]);
    expect(run.stderr).toBe("1 of 1: ts_a\n");
    const refused = await cli(["sessions", "update", "--region", "eu"]);
    expect(refused.code).toBe(0);
    expect(refused.stdout).toMatch(/ts_b +refused .*no update is available/);
    const failed = await cli(["sessions", "update", "ts_w", "--restart", "--yes"]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("it runs on Windows");
  });

  it("fail an update that was interrupted before the last of them", async () => {
    await emulator.seed(sessions);
    mockPassed.mockImplementationOnce((milliseconds) => {
      emulator.advanceClock(milliseconds);
      process.emit("SIGINT");
    });
    const { code, stdout } = await cli(["sessions", "update", "ts_a", "ts_b", "--restart", "--yes"]);
    expect(stdout).toMatch(/ts_a +updated .*\nts_b +notStarted /);
    expect(code).toBe(1);
  });
});

describe("doctor", () => {
  const start = servers();

  const checks = async (
    env: Record<string, string | undefined>,
  ): Promise<{ code: number; found: string; text: string }> => {
    const { code, stdout } = await cli(["doctor", "--json"], env);
    const { checks } = JSON.parse(stdout) as {
      checks: (Record<"name" | "status" | "message", string> & { advice?: string })[];
    };
    const text = checks.map(({ message, advice = "" }) => `${message}. ${advice}`).join("\n");
    expect(checks.map(({ name }) => name)).toEqual(["settings", "base URL", "key", "version", "clock"]);
    return { code, found: checks.map(({ status }) => status).join(" "), text };
  };

  it("finds no problem with a valid account", async () => {
    expect(await checks(settings)).toMatchObject({ code: 0, found: "ok ok ok ok ok" });
    const { stdout } = await cli(["doctor"]);
    expect(stdout.trim().split("\n\n")[0]!.split("\n")).toHaveLength(6);
    expect(stdout).not.toContain(emulator.apiKey);
  });

  it("says where each setting comes from, and never shows the key", async () => {
    const env = { ...settings, TUNNEL_GATEWAY_RETRY_TIMEOUT: "7", TUNNEL_GATEWAY_LIST_TIMEOUT: "" };
    const { stdout } = await cli(["doctor"], env);
    expect(
      stdout
        .trimEnd()
        .split("\n\n")[1]!
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["SETTING", "VALUE", "FROM"],
      ["apiKey", "TUNNEL_GATEWAY_API_KEY"],
      ["baseUrl", emulator.baseUrl, "TUNNEL_GATEWAY_BASE_URL"],
      ["patchUndocumented", "false", "default"],
      ["requestTimeout", "60", "default"],
      ["retryTimeout", "7", "TUNNEL_GATEWAY_RETRY_TIMEOUT"],
      ["listTimeout", "3600", "default"],
      ["listObjects", "250000", "default"],
      ["listMebibytes", "512", "default"],
      ["requestsPerMinute", "default"],
      ["stampMetadata", "false", "default"],
    ]);
    const wrong = await cli(["doctor", "--json"], { TUNNEL_GATEWAY_BASE_URL: "s3cret" });
    const { settings: origins } = JSON.parse(wrong.stdout) as { settings: object[] };
    expect(origins.slice(0, 3)).toEqual([
      { name: "apiKey", from: "not set" },
      { name: "baseUrl", from: "TUNNEL_GATEWAY_BASE_URL" },
      { name: "patchUndocumented", value: false, from: "default" },
    ]);
    expect(wrong.stdout).not.toContain("s3cret");
  });

  it("keeps the values of the other settings where one is wrong", async () => {
    const { code, stdout } = await cli(["doctor"], {
      ...{ ...settings, TUNNEL_GATEWAY_LIST_TIMEOUT: "9", TUNNEL_GATEWAY_RETRY_TIMEOUT: "soon" },
    });
    expect(code).toBe(1);
    expect(stdout.replace(/ {2,}/g, "  ")).toContain(`baseUrl  ${emulator.baseUrl}  TUNNEL_GATEWAY_BASE_URL`);
    expect(stdout).toMatch(/listTimeout +9 /);
    expect(stdout).toMatch(/retryTimeout +TUNNEL_GATEWAY_RETRY_TIMEOUT/);
  });

  it.each<[status: number, body: string | undefined, code: number, found: string, text: string]>([
    [
      429,
      undefined,
      0,
      "ok warning skipped skipped ok",
      "The rate limit is exhausted: run the command again",
    ],
    [429, "<html>", 0, "ok warning skipped skipped ok", "The rate limit is exhausted: run the command again"],
    [500, undefined, 1, "ok failed skipped skipped ok", "is down or overloaded: try again later"],
    [503, "<html>", 1, "ok failed skipped skipped ok", "is down or overloaded: try again later"],
    [404, undefined, 1, "ok failed skipped skipped ok", "Set the base URL to the address of the API"],
    [403, "<html>", 1, "ok failed skipped skipped ok", "Set the base URL to the address of the API"],
    [401, undefined, 1, "ok ok failed skipped ok", "401"],
    [403, undefined, 0, "ok ok warning skipped ok", "ask an administrator of the account"],
    // The plainest request has no other part that a service could refuse, whatever it says.
    [400, undefined, 1, "ok ok skipped failed ok", "the service must accept the header Service-Version: 2"],
  ])("knows what the answer %d means: %s", async (status, body, code, found, text) => {
    const own = { error_code: "ERR", status_code: status, msg: "la cabecera no es válida", details: {} };
    const { baseUrl } = await start((_, response) => {
      response.writeHead(status, {
        "content-type": body ? "text/html" : "application/json",
        "Retry-After": "600",
      });
      response.end(body ?? JSON.stringify(own));
    });
    const env = { ...settings, TUNNEL_GATEWAY_RETRY_TIMEOUT: "1", TUNNEL_GATEWAY_BASE_URL: baseUrl };
    expect(await checks(env)).toEqual({ code, found, text: expect.stringContaining(text) as string });
  });

  it("waits a short time for a service that is down, and says how long a deployment waits", async () => {
    let skipped = 0;
    mockPassed.mockImplementation((milliseconds) => void (skipped += milliseconds));
    const elapsed = performance.now.bind(performance);
    const clock = jest.spyOn(performance, "now").mockImplementation(() => elapsed() + skipped);
    try {
      const { baseUrl } = await start((_, response) => response.writeHead(503).end());
      const { text } = await checks({ ...settings, TUNNEL_GATEWAY_BASE_URL: baseUrl });
      expect(text).toMatch(
        /given up after \d attempts in \d seconds \(this command waits no longer; a deployment tries for up to 300 seconds, the setting retryTimeout\)/,
      );
    } finally {
      clock.mockRestore();
      mockPassed.mockImplementation((milliseconds) => {
        emulator.advanceClock(milliseconds);
      });
    }
  });

  it.each([
    [
      "no settings",
      { TUNNEL_GATEWAY_API_KEY: "", TUNNEL_GATEWAY_BASE_URL: "" },
      "failed skipped skipped skipped skipped",
    ],
    ["a wrong key", { TUNNEL_GATEWAY_API_KEY: "wrong-key-of-nobody" }, "ok ok failed skipped ok"],
    [
      "an unreachable host",
      { TUNNEL_GATEWAY_BASE_URL: "http://127.0.0.1:1" },
      "ok failed skipped skipped skipped",
    ],
  ])("finds %s", async (_, wrong, expected) => {
    const { code, found, text } = await checks({ ...settings, TUNNEL_GATEWAY_RETRY_TIMEOUT: "1", ...wrong });
    expect([code, found]).toEqual([1, expected]);
    expect(text).not.toContain("wrong-key-of-nobody");
  });

  it("notices that something other than the API answers, and that the clock is wrong", async () => {
    const { baseUrl } = await start((_request, response) => {
      response.setHeader("date", new Date(Date.now() + 3_600_000).toUTCString());
      response.end(JSON.stringify({ hello: "world" }));
    });
    const { code, found, text } = await checks({ ...settings, TUNNEL_GATEWAY_BASE_URL: baseUrl });
    expect([code, found]).toEqual([1, "ok failed skipped skipped failed"]);
    expect(text).toMatch(/this clock is 3,[56]\d\d seconds behind the service's clock/);
  });
});
