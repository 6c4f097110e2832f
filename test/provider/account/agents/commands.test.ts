import {
  ApiError,
  UndecidedError,
  restartTunnelSession,
  stopTunnelSession,
  updateTunnelSession,
} from "../../../../src";
import { harness } from "../support";
import { requestsTo } from "../../../support/plugin";
import { failureOf } from "../../../support/failure";

const start = harness();

const agents = {
  tunnel_sessions: [
    { id: "ts_linux", os: "linux", agent: { update_available: "3.11.0" } },
    { id: "ts_windows", os: "Windows Server 2025" },
    { id: "ts_new", os: "darwin" },
  ],
};

describe("commands to agents", () => {
  it("send an empty object and nothing else", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(agents);
    await updateTunnelSession("ts_linux", { settings });
    await stopTunnelSession("ts_new", { settings });
    await restartTunnelSession("ts_linux", { settings });
    expect(requestsTo(emulator)).toEqual([
      "POST /tunnel_sessions/ts_linux/update",
      "POST /tunnel_sessions/ts_new/stop",
      "GET /tunnel_sessions/ts_linux",
      "POST /tunnel_sessions/ts_linux/restart",
    ]);
    expect(emulator.requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      {},
      {},
      {},
    ]);
  });

  it("refuse to restart an agent on Windows before the call", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(agents);
    const refused = restartTunnelSession("ts_windows", { settings });
    await expect(refused).rejects.toThrow(/not supported: it runs on Windows.*restart it on its host/);
    expect(requestsTo(emulator)).toEqual(["GET /tunnel_sessions/ts_windows"]);
  });

  it("report a refused update in one error, with the service's words and the four stated causes", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(agents);
    const error = await failureOf(updateTunnelSession("ts_new", { settings }));
    expect(error).toBeInstanceOf(ApiError);
    const { message } = error as ApiError;
    expect(message).toContain("ERR_UPDATE_NONE: no update is available");
    for (const cause of [
      /no update is available \(/,
      /update checks are off in the agent's configuration/,
      /already updating/,
      /waits for a restart/,
    ]) {
      expect(message).toMatch(cause);
    }
    expect(emulator.requests).toHaveLength(1);
  });

  it("report that a session is offline", async () => {
    const { settings } = await start();
    await expect(stopTunnelSession("ts_gone", { settings })).rejects.toThrow(
      /The session is offline. List the sessions/,
    );
  });

  it("take no session for offline under a base URL with a wrong path, where everything is answered 404", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(agents);
    const wrong = { ...settings, baseUrl: `${emulator.baseUrl}/v9` };
    const { message } = await failureOf(stopTunnelSession("ts_linux", { settings: wrong }));
    expect(message).toContain(`${wrong.baseUrl}, probably has a wrong path`);
    expect(message).not.toContain("offline");
  });

  it.each(["dropAfter", "dropBefore", "truncate"] as const)(
    "are never repeated after a lost answer (%s)",
    async (kind) => {
      const { emulator, settings } = await start();
      await emulator.seed(agents);
      emulator.setFaults({ rules: [{ kind, method: "POST" }] });
      // A truncated answer without a body is a whole one.
      const sent = updateTunnelSession("ts_linux", { settings });
      if (kind === "truncate") await sent.catch(() => undefined);
      else await expect(sent).rejects.toThrow(UndecidedError);
      expect(emulator.requests).toHaveLength(1);
    },
  );

  it.each([
    ["html", 502],
    ["html", 504],
    ["status", 502],
    ["status", 503],
    ["status", 504],
  ] as const)("are sent once where they are answered %s %d, and are undecided", async (kind, status) => {
    const { emulator, settings } = await start();
    await emulator.seed(agents);
    emulator.setFaults({ rules: [{ kind, status, method: "POST" }] });
    for (const command of [stopTunnelSession, updateTunnelSession]) {
      emulator.clearRequests();
      const failure = await failureOf<unknown>(command("ts_linux", { settings }));
      expect(failure).toBeInstanceOf(UndecidedError);
      expect((failure as Error).message).toMatch(
        /It is unknown whether the agent received the command, so it is not sent again/,
      );
      expect(emulator.requests).toHaveLength(1);
    }
  });
});
