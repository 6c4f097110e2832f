/** Commands to agents. A command with a lost answer is not repeated. */
import { ApiError, GatewayError, isLost, UndecidedError } from "../../provider/errors";
import { path } from "../../provider/http/path";
import type { AccountClient, AccountOptions } from "../account-client";
import { objectReads, withClient } from "../readers";
import type { TunnelSession } from "../../resources";
import { declarationOf } from "../../resources/registry";
import { bodyFrom } from "../../schema/values";

/**
 * Restarts the agent of a tunnel session. The agent reconnects with a new session. An agent on Windows cannot
 * restart itself, so the session is read first.
 *
 * Specification: Tunnel sessions; States and transitions.
 *
 * @param id the session (`ts_…`).
 * @param options whose account; default: the stack's configuration, else the environment.
 * @throws ApiError if the service refuses the command, UndecidedError if it is unknown whether the agent received the command.
 */
export function restartTunnelSession(id: string, options: AccountOptions = {}): Promise<void> {
  return withClient(options, async (client) =>
    restart(client, await objectReads().readOne<TunnelSession>(client, declarationOf("TunnelSession"), id)),
  );
}

/**
 * Stops the agent of a tunnel session. The agent exits; it can only be started again on its host.
 *
 * Specification: Tunnel sessions; States and transitions.
 *
 * @param id the session (`ts_…`).
 * @param options whose account; default: the stack's configuration, else the environment.
 * @throws ApiError if the service refuses the command, UndecidedError if it is unknown whether the agent received the command.
 */
export function stopTunnelSession(id: string, options: AccountOptions = {}): Promise<void> {
  return withClient(options, (client) => sendCommand(client, id, "stop"));
}

/**
 * Updates the agent of a tunnel session, never to a new major version. The agent runs the new version after a
 * restart, at least 10 seconds later; `updateTunnelSessions` does both.
 *
 * Specification: Tunnel sessions; States and transitions; Errors.
 *
 * @param id the session (`ts_…`).
 * @param options whose account; default: the stack's configuration, else the environment.
 * @throws ApiError if the service refuses the command, with the stated causes; UndecidedError if it is unknown whether the agent
 *   received the command.
 */
export function updateTunnelSession(id: string, options: AccountOptions = {}): Promise<void> {
  return withClient(options, (client) => sendCommand(client, id, "update"));
}

/** Restarts the agent of a session that the caller has read. */
export async function restart(client: AccountClient, { id, os }: TunnelSession): Promise<void> {
  if (isWindows(os)) throw new GatewayError(`restarting the agent of ${id} is not supported: ${onWindows}`);
  await sendCommand(client, id, "restart");
}

/** Whether the agent's platform has no exec, so the agent cannot restart itself. */
export function isWindows(os: string): boolean {
  return /windows/i.test(os);
}

export const onWindows = "it runs on Windows, where an agent cannot restart itself; restart it on its host";

const verbs = { restart: "restarting", stop: "stopping", update: "updating" } as const;
type Command = keyof typeof verbs;

/** Sends the command. Repeats it only if the service certainly did not receive it. */
export async function sendCommand(client: AccountClient, id: string, name: Command): Promise<void> {
  const operation = `${verbs[name]} the agent of the tunnel session ${id}`;
  try {
    await client.http.send({
      method: "POST",
      path: path`/tunnel_sessions/${id}/${name}`,
      body: bodyFrom({}),
      operation,
    });
  } catch (error) {
    // With a wrong base URL, every request gets a 404: reading the session reveals that.
    const isThere = isOffline(error) && (await client.read(declarationOf("TunnelSession"), id)) !== undefined;
    throw isThere ? error : explained(error, name);
  }
}

const advice: Readonly<Record<Command, string | undefined>> = {
  restart: `The specification states one reason: ${onWindows}`,
  stop: undefined,
  // The specification shows no error codes for these reasons.
  update:
    "The specification states four reasons: no update is available (install a new major version on the host); " +
    "update checks are off in the agent's configuration (turn them on, or update the agent on its host); the " +
    "agent is already updating (wait, then restart it); the agent has updated and waits for a restart (restart it)",
};

/** The status codes that concern the key or the time, and not the command. */
const otherReasons = [401, 403, 408, 429];

/** Whether the service itself refused the command to a session that is online. The specification shows no codes for its reasons. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && !otherReasons.includes(error.status);
}

/** Whether the service no longer knows the session of the command. */
export function isOffline(error: unknown): error is ApiError {
  return error instanceof ApiError && error.isGone;
}

function explained(error: unknown, name: Command): unknown {
  if (isLost(error)) {
    const { message } = error as Error;
    return new UndecidedError(
      `${message}. It is unknown whether the agent received the command, so it is not sent again. Check the session first`,
    );
  }
  if (isOffline(error))
    return error.advised("The session is offline. List the sessions to find the agent's current session");
  const words = advice[name];
  return words !== undefined && isRefusal(error) ? error.advised(words) : error;
}
