/** Updates agents, one after another, and reports the outcome for each. */
import { GatewayError, UndecidedError } from "../../provider/errors";
import { atLeast } from "../account-client";
import type { AccountClient, AccountOptions } from "../account-client";
import { objectReads, withClient } from "../readers";
import type { TunnelSession } from "../../resources";
import { declarationOf } from "../../resources/registry";
import { sendCommand, isOffline, isRefusal, isWindows, onWindows, restart } from "./commands";
import { durationText, second } from "../../schema/text/phrase";

/** The options of {@link updateTunnelSessions}. */
export interface UpdateOptions extends AccountOptions {
  /** Whether to restart each agent after its update, and to wait for its new session. Default: false. */
  restart?: boolean;
  /** Seconds between an agent's update and its restart, from 10. Default: 10. Specification: Limits. */
  waitSeconds?: number;
  /** Seconds to wait for an agent's new session after its restart. Default: 120. */
  followSeconds?: number;
  /** Called before each agent, with its number from 1 and the number of all agents. */
  onProgress?: (session: TunnelSession, index: number, total: number) => void;
  /** Once aborted, no further agent is updated; the current one is finished. */
  signal?: AbortSignal;
}

/**
 * What was seen of an agent. "sent": the service accepted the update, and no restart was requested. "updated": its session
 * ended, and all new sessions that may be its own have another version. "refused": the service refused the update, for example
 * because none is available. "gone": its session ended before the command, so the agent is offline or has another session.
 * "failed": anything else; the message says what was seen. "notStarted": an agent before it failed, or the work was aborted.
 */
export const UpdateOutcome = {
  Sent: "sent",
  Updated: "updated",
  Refused: "refused",
  Gone: "gone",
  Failed: "failed",
  NotStarted: "notStarted",
} as const;
export type UpdateOutcome = (typeof UpdateOutcome)[keyof typeof UpdateOutcome];

/** What was seen of one agent. */
export interface AgentUpdate {
  /** The agent's session before the update. */
  session: TunnelSession;
  outcome: UpdateOutcome;
  /** The sessions with its credential and operating system that came after the restart. */
  newSessions: TunnelSession[];
  /** What was seen, or why the update was refused. */
  message: string;
}

type Seen = Omit<AgentUpdate, "session">;

/**
 * Updates agents, never to a new major version, one after another. With `restart`, each agent is restarted at least 10 seconds
 * later, and its new session is awaited. An agent whose update is refused, or whose session ends before its command, is not
 * restarted, and the next one follows. After a failure no further agent is updated. No command is sent twice.
 *
 * ## Example: all agents on Linux
 *
 * ```typescript
 * import { listTunnelSessions, updateTunnelSessions } from "pulumi-tunnel-gateway";
 *
 * const ids: string[] = [];
 * for await (const { id } of listTunnelSessions({ filter: { os: "linux" } })) ids.push(id);
 * for (const { session, outcome, message } of await updateTunnelSessions(ids, { restart: true })) {
 *   console.log(session.id, outcome, message);
 * }
 * ```
 *
 * Specification: Tunnel sessions; States and transitions; Limits.
 *
 * @param ids the sessions (`ts_…`).
 * @param options whether to restart, the waiting, and whose account.
 * @returns what was seen, in the order of the ids.
 * @throws GatewayError before any command if a session is not online, an agent to restart runs on Windows, or an option is
 *   wrong.
 */
export function updateTunnelSessions(
  ids: readonly string[],
  options: UpdateOptions = {},
): Promise<AgentUpdate[]> {
  return withClient(options, (client) => updateByIds(client, ids, options));
}

export async function updateByIds(
  client: AccountClient,
  ids: readonly string[],
  options: UpdateOptions,
): Promise<AgentUpdate[]> {
  if (ids.length === 0) throw new GatewayError("give at least one tunnel session to update");
  const byId = new Map((await online(client)).map((session) => [session.id, session]));
  const missing = ids.filter((id) => !byId.has(id));
  if (missing.length > 0)
    throw new GatewayError(`these tunnel sessions are not online: ${missing.join(", ")}`);
  return updateSessions(
    client,
    [...new Set(ids)].map((id) => byId.get(id)!),
    options,
  );
}
/** Seconds between two requests for the list of sessions. */
const pollSeconds = 5;

/** Updates the agents of sessions that the caller has read. */
export async function updateSessions(
  client: AccountClient,
  sessions: readonly TunnelSession[],
  options: UpdateOptions,
): Promise<AgentUpdate[]> {
  const updater = new Updater(client, sessions, options);
  const results: AgentUpdate[] = [];
  for (const session of sessions) {
    const mayStart = options.signal?.aborted !== true && results.every(({ outcome }) => outcome !== "failed");
    if (mayStart) options.onProgress?.(session, results.length + 1, sessions.length);
    const seen = mayStart ? await updater.update(session) : result("notStarted", "it was not started");
    results.push({ session, ...seen });
  }
  return results;
}

class Updater {
  private readonly restarts: boolean;
  private readonly waitSeconds: number;
  private readonly followSeconds: number;

  /** Throws a GatewayError if an option is wrong, or an agent to restart runs on Windows. */
  constructor(
    private readonly client: AccountClient,
    sessions: readonly TunnelSession[],
    { restart: restarts = false, waitSeconds = 10, followSeconds = 120 }: UpdateOptions,
  ) {
    this.restarts = restarts;
    this.waitSeconds = atLeast(10, { waitSeconds });
    this.followSeconds = atLeast(0, { followSeconds });
    const windows = sessions.filter(({ os }) => restarts && isWindows(os)).map(({ id }) => id);
    if (windows.length > 0)
      throw new GatewayError(`restarting the agent of ${windows.join(", ")} is not supported: ${onWindows}`);
  }

  async update(session: TunnelSession): Promise<Seen> {
    try {
      await sendCommand(this.client, session.id, "update");
      if (!this.restarts) return result("sent", "restart it in 10 seconds or later");
    } catch (error) {
      const { message } = error as Error;
      if (isOffline(error)) return result("gone", `the session ended before its update: ${message}`);
      return result(isRefusal(error) ? "refused" : "failed", message);
    }
    try {
      return await this.restart(session);
    } catch (error) {
      const { message } = error as Error;
      if (!isOffline(error)) return result("failed", `the update was accepted; ${message}`);
      return result("gone", `the update was accepted, and the session ended before its restart: ${message}`);
    }
  }

  /** The agent reconnects with the same credential and operating system; its address and metadata may differ. */
  private async restart(session: TunnelSession): Promise<Seen> {
    const { timing } = this.client.http;
    await timing.sleep(this.waitSeconds * 1000);
    const known = new Set((await online(this.client)).map(({ id }) => id));
    if (!known.has(session.id))
      return result("gone", "the update was accepted, and the session ended before its restart");
    // A lost answer does not show the outcome; the sessions seen afterwards may.
    const lost = await restart(this.client, session).catch((error: unknown) => {
      if (error instanceof UndecidedError) return error;
      throw error;
    });
    const end = timing.elapsed() + this.followSeconds * 1000;
    for (;;) {
      await timing.sleep(pollSeconds * 1000);
      const sessions = await online(this.client);
      const hasEnded = sessions.every(({ id }) => id !== session.id);
      const newSessions = sessions.filter((each) => !known.has(each.id) && isLike(each, session));
      if (hasEnded && newSessions.length > 0) return returned(session, newSessions);
      if (timing.elapsed() < end) continue;
      const seen = hasEnded
        ? "ended, and no new session of its credential and operating system came"
        : "did not end";
      const time = durationText(this.followSeconds * second, "second");
      return result("failed", lost?.message ?? `its session ${seen} within ${time}`);
    }
  }
}

function online(client: AccountClient): Promise<TunnelSession[]> {
  const { collected: all, readEach } = objectReads();
  return all(readEach<TunnelSession>(client, declarationOf("TunnelSession"), undefined, {}));
}

function isLike(a: TunnelSession, b: TunnelSession): boolean {
  return a.os === b.os && a.credential?.id === b.credential?.id;
}

function returned({ agentVersion }: TunnelSession, newSessions: TunnelSession[]): Seen {
  const isUpdated = newSessions.every((each) => each.agentVersion !== agentVersion);
  const seen = newSessions.map((each) => `${each.id} with the version ${each.agentVersion}`).join(", ");
  return {
    outcome: isUpdated ? "updated" : "failed",
    newSessions,
    message: `its session ended, and ${seen} began; it had the version ${agentVersion}`,
  };
}

function result(outcome: UpdateOutcome, message: string): Seen {
  return { outcome, newSessions: [], message };
}
