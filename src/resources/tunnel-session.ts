/** Tunnel sessions: the agents that are online. They are read and not managed. */
import { readOnly } from "../schema/declaration";
import * as time from "../schema/formats/time";
import { oneOf, ref, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { readersOf } from "../account/readers";
import { sessions } from "./groups";

/** An agent's connection to the service (`ts_…`). Specification: Tunnel session. */
export interface TunnelSession {
  id: string;
  /** The address of the session in the API. */
  uri: string;
  /** The version of the agent that started the session. */
  agentVersion: string;
  /** The tunnel credential (`cr_…`) or SSH credential (`sshcr_…`) that the agent used. */
  credential: Ref | undefined;
  /** The address that the agent connects from. */
  ip: string;
  /** What the agent's configuration file says of it; empty if it says nothing. */
  metadata: string | undefined;
  /** The operating system of the agent's host. */
  os: string;
  /** The region in which the session started. */
  region: string;
  /** When the session first connected, RFC 3339. */
  startedAt: string;
  /** How the agent speaks with the service. */
  transport: TunnelSessionTransport;
}

/** How an agent speaks with the service. Specification: Tunnel session. */
export const TunnelSessionTransport = { Service: "service/v2", Ssh: "ssh" } as const;
export type TunnelSessionTransport = "service/v2" | "ssh";

const tunnelSession = readOnly<TunnelSession>({
  type: "TunnelSession",
  noun: "tunnel session",
  group: sessions,
  path: "/tunnel_sessions",
  idPrefix: "ts_",
  columns: ["os", "region", "agentVersion", "ip", "startedAt", "metadata"],
  fields: {
    agentVersion: text().computed(),
    credential: ref("credential"),
    ip: text().computed(),
    os: text().computed(),
    region: text().computed(),
    transport: oneOf("service/v2", "ssh").computed(),
    metadata: text().computed(),
    startedAt: text(time).computed(),
    uri: text().computed(),
  },
});

const readers = readersOf<TunnelSession>(tunnelSession);
/** Reads a tunnel session that is online, by its id or the only one that a filter matches. Specification: Tunnel sessions. */
export const getTunnelSession = readers.get;
/** {@link getTunnelSession} with Outputs as arguments and an Output as result. */
export const getTunnelSessionOutput = readers.getOutput;
/** Lists all tunnel sessions that are online, such as `filter: { os: "linux", region: "eu" }`. Specification: Tunnel sessions. */
export const listTunnelSessions = readers.list;
/** {@link listTunnelSessions} with Outputs as arguments and an Output as result. */
export const listTunnelSessionsOutput = readers.listOutput;
