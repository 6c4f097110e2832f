/** Tunnel sessions: the agents that are online. They are read and not managed. */
import * as time from "../schema/formats/time";
import { oneOf, ref, text } from "../schema/words";
import type { ReadOf } from "../schema/words";
import { declarationFor, getOf, listOf, sessions } from "./collection";

/** How an agent speaks with the service. Specification: Tunnel session. */
export const TunnelSessionTransport = { Service: "service/v2", Ssh: "ssh" } as const;
export type TunnelSessionTransport = "service/v2" | "ssh";

const fields = {
  /** The version of the agent that started the session. */
  agentVersion: text().computed(),
  /** The tunnel credential (`cr_…`) or SSH credential (`sshcr_…`) that the agent used. */
  credential: ref("credential").maybe(),
  /** The address that the agent connects from. */
  ip: text().computed(),
  /** The operating system of the agent's host. */
  os: text().computed(),
  /** The region in which the session started. */
  region: text().computed(),
  /** How the agent speaks with the service. */
  transport: oneOf<TunnelSessionTransport>("service/v2", "ssh").computed(),
  /** What the agent's configuration file says of it; empty if it says nothing. */
  metadata: text().computed().maybe(),
  /** When the session first connected, RFC 3339. */
  startedAt: text(time).computed(),
  /** The address of the session in the API. */
  uri: text().computed(),
};

/** An agent's connection to the service (`ts_…`). Specification: Tunnel session. */
export interface TunnelSession extends ReadOf<typeof fields> {
  id: string;
}

const tunnelSession = declarationFor({
  type: "TunnelSession",
  group: sessions,
  path: "/tunnel_sessions",
  idPrefix: "ts_",
  columns: ["os", "region", "agentVersion", "ip", "startedAt", "metadata"],
  fields,
});

export const [getTunnelSession, getTunnelSessionOutput] = getOf<unknown, TunnelSession>(tunnelSession);
export const [listTunnelSessions, listTunnelSessionsOutput] = listOf<unknown, TunnelSession>(tunnelSession);
