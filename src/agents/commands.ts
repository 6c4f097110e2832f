/** Commands to agents. A command is never sent again where its answer was lost. */
import { ApiError, GatewayError, UndecidedError } from "../provider/errors";
import { path } from "../provider/path";
import { isLost } from "../provider/retry";
import { clientFor } from "../account/client";
import type { Client } from "../account/client";
import { one } from "../account/objects";
import { inProgram } from "../account/readers";
import { sourceOf } from "../account/settings";
import type { AccountOptions } from "../account/settings";
import type { TunnelSession } from "../resources";
import { declarationOf } from "../resources/registry";

/**
 * Restarts the agent of a tunnel session, which comes back with a new session. An agent on Windows cannot be
 * restarted, so the session is read first.
 *
 * Specification: Tunnel sessions; States and transitions.
 *
 * @param id the session (`ts_…`).
 * @param options whose account; default: the stack's configuration, else the environment.
 * @throws ApiError where the service refuses, UndecidedError where it is not known whether the agent was told.
 */
export function restartTunnelSession(id: string, options: AccountOptions = {}): Promise<void> {
  return inProgram(async () => {
    const client = clientFor(await sourceOf(options));
    await restart(client, await one<TunnelSession>(client, declarationOf("TunnelSession"), id));
  });
}

/**
 * Stops the agent of a tunnel session. It exits, and only whoever runs it can start it again.
 *
 * Specification: Tunnel sessions; States and transitions.
 *
 * @param id the session (`ts_…`).
 * @param options whose account; default: the stack's configuration, else the environment.
 * @throws ApiError where the service refuses, UndecidedError where it is not known whether the agent was told.
 */
export function stopTunnelSession(id: string, options: AccountOptions = {}): Promise<void> {
  return inProgram(async () => command(clientFor(await sourceOf(options)), id, "stop"));
}

/**
 * Has the agent of a tunnel session update itself, never to a new major version. The new code runs after a
 * restart at least 10 seconds later; `rollOut` does both.
 *
 * Specification: Tunnel sessions; States and transitions; Errors.
 *
 * @param id the session (`ts_…`).
 * @param options whose account; default: the stack's configuration, else the environment.
 * @throws ApiError where the service refuses, with the stated causes; UndecidedError where it is not known
 *   whether the agent was told.
 */
export function updateTunnelSession(id: string, options: AccountOptions = {}): Promise<void> {
  return inProgram(async () => command(clientFor(await sourceOf(options)), id, "update"));
}

/** Restarts the agent of a session that was read already. */
export async function restart(client: Client, { id, os }: TunnelSession): Promise<void> {
  if (isWindows(os)) throw new GatewayError(`restarting the agent of ${id} is not supported: ${onWindows}`);
  await command(client, id, "restart");
}

/** Whether the agent's platform has no exec, so that it cannot restart itself. */
export function isWindows(os: string): boolean {
  return /windows/i.test(os);
}

export const onWindows = "it runs on Windows, where an agent cannot restart itself; restart it on its host";

const verbs = { restart: "restarting", stop: "stopping", update: "updating" } as const;
type Command = keyof typeof verbs;

/** Sends the command. Only what the service certainly did not get is sent again. */
export async function command(client: Client, id: string, name: Command): Promise<void> {
  const operation = `${verbs[name]} the agent of the tunnel session ${id}`;
  try {
    await client.http.send({
      method: "POST",
      path: path`/tunnel_sessions/${id}/${name}`,
      body: {},
      operation,
    });
  } catch (error) {
    throw explained(error, name);
  }
}

const advice: Readonly<Record<Command, string | undefined>> = {
  restart: `The specification states one reason: ${onWindows}`,
  stop: undefined,
  // The specification shows no codes that tell these apart.
  update:
    "The specification states four reasons: no update is available (nothing is to be done; a new major version " +
    "must be installed on the host); the agent's configuration switched update checks off (switch them on, or " +
    "update it on its host); it is updating already (wait, then restart it); it has updated already and awaits " +
    "its restart (restart it)",
};

function explained(error: unknown, name: Command): unknown {
  if (isLost(error)) {
    const { message } = error as Error;
    return new UndecidedError(
      `${message}. Nobody knows whether the agent was told, so the command is not sent again; look at its session first`,
    );
  }
  if (!(error instanceof ApiError) || error.status >= 500) return error;
  if (error.status === 404 || error.status === 410) {
    return error.advised(
      "The session is not online any more; list the sessions to find the agent's present one",
    );
  }
  const words = [401, 403, 429].includes(error.status) ? undefined : advice[name];
  return words === undefined ? error : error.advised(words);
}
