import { z } from "zod";
import type { Operation } from "./app";
import { timestamp } from "./clock";
import type { Context } from "./context";
import { ref } from "./context";
import { Refusal, notFound } from "./errors";
import { newId } from "./ids";
import { CREDENTIALS, SSH_CREDENTIALS, TUNNEL_SESSIONS } from "./paths";
import { PAGING, page } from "./paging";
import type { Stored } from "./store";
import { parse } from "./wire";

const UPDATE_MS = 5000;
const RECONNECT_MS = 1000;

/** Sessions on their way back after a restart; their time of return is in started_at. */
const RETURNING = "/tunnel_sessions/returning";

const agent = z.strictObject({
  update_available: z.string().optional(),
  update_checks_disabled: z.boolean().optional(),
  updating: z.boolean().optional(),
  updated_to: z.string().optional(),
  update_ms: z.number().min(0).optional(),
  reconnect_ms: z.number().min(0).optional(),
  never_returns: z.boolean().optional(),
  online: z.boolean().optional(),
});

/** See SeedTunnelSession. */
const seededSession = z.strictObject({
  agent_version: z.string().default("3.10.0"),
  credential_id: z.string().default("cr_emulated"),
  ip: z.string().default("192.0.2.1"),
  metadata: z.string().optional(),
  os: z.string().default("linux"),
  region: z.string().default("us"),
  started_at: z.string().optional(),
  transport: z.enum(["service/v2", "ssh"]).default("service/v2"),
  agent: agent.default({}),
});

type Session = z.output<typeof seededSession> & {
  /** When the update under way ends, and what it brings. */
  update?: { done_at: number; version: string } | undefined;
  started_at: string;
};

export function seedSession(context: Context, id: string, body: unknown): object {
  const session = parse(seededSession, body);
  const fields = { ...session, started_at: session.started_at ?? context.clock.stamp() };
  const stored = context.store.create(TUNNEL_SESSIONS, id, fields.started_at, fields);
  return answer(context, stored);
}

export function answer(context: Context, { id, fields }: Stored): object {
  const { agent_version, credential_id, ip, metadata, os, region, started_at, transport } =
    fields as unknown as Session;
  const credential = ref(
    context,
    credential_id.startsWith("sshcr_") ? SSH_CREDENTIALS : CREDENTIALS,
    credential_id,
  );
  const uri = `${context.baseUrl}${TUNNEL_SESSIONS}/${id}`;
  return {
    id,
    uri,
    agent_version,
    credential,
    ip,
    metadata: metadata ?? "",
    os,
    region,
    started_at,
    transport,
  };
}

const online = ({ fields }: Stored) => (fields as unknown as Session).agent.online !== false;

export function sessionOperations(): Operation[] {
  const path = TUNNEL_SESSIONS;
  const command = (name: string, work: (context: Context, session: Stored) => void): Operation => ({
    method: "POST",
    path: `${path}/:id/${name}`,
    status: 204,
    handle: (hop) => {
      const session = find(hop.get("context"), hop.req.param("id"));
      parse(z.strictObject({}), hop.get("body"));
      work(hop.get("context"), session);
      return null;
    },
  });
  return [
    {
      method: "GET",
      path,
      status: 200,
      query: PAGING,
      handle: (hop) => {
        const context = hop.get("context");
        arrive(context);
        const list = { kind: path, path, listKey: "tunnel_sessions", shows: online };
        return page(context, { ...list, answer: (session) => answer(context, session) }, hop.req.query());
      },
    },
    {
      method: "GET",
      path: `${path}/:id`,
      status: 200,
      handle: (hop) => answer(hop.get("context"), find(hop.get("context"), hop.req.param("id"))),
    },
    command("restart", restart),
    command("stop", ({ store }, { id }) => store.delete(path, id)),
    command("update", update),
  ];
}

function find(context: Context, id = ""): Stored {
  arrive(context);
  const session = context.store.get(TUNNEL_SESSIONS, id);
  if (session === undefined || !online(session)) throw notFound("tunnel session");
  return session;
}

/** Agents come back by the clock, which tests move: looked at whenever somebody looks. */
export function arrive(context: Context): void {
  const { store, clock } = context;
  const now = clock.now().getTime();
  const due = store.all(RETURNING).filter(({ fields }) => (fields.due as number) <= now);
  for (const { id, fields } of due.sort((a, b) => (a.fields.due as number) - (b.fields.due as number))) {
    const started_at = timestamp(new Date(fields.due as number));
    store.delete(RETURNING, id);
    store.create(TUNNEL_SESSIONS, id, started_at, { ...(fields.session as object), started_at });
  }
}

/** The agent reconnects with a new session id; an update that is done takes effect, one under way is lost. */
function restart({ store, clock }: Context, { id, fields }: Stored): void {
  const session = fields as unknown as Session;
  if (/windows/i.test(session.os)) {
    throw new Refusal(400, "ERR_UNSUPPORTED", "restart is not supported by agents on Windows");
  }
  const { updated_to, ...agent } = settled(session, clock.now()).agent;
  store.delete(TUNNEL_SESSIONS, id);
  if (agent.never_returns) return;
  const returning = {
    ...session,
    update: undefined,
    agent,
    agent_version: updated_to ?? session.agent_version,
  };
  const due = clock.now().getTime() + (agent.reconnect_ms ?? RECONNECT_MS);
  store.create(RETURNING, newId("ts_"), clock.stamp(), { session: returning, due });
}

function update({ store, clock }: Context, stored: Stored): void {
  const session = settled(stored.fields as unknown as Session, clock.now());
  const { agent, agent_version } = session;
  const version = agent.update_available;
  if (agent.updated_to !== undefined)
    throw refuse("UPDATED", "the agent already updated but has not restarted");
  if (agent.updating || session.update !== undefined)
    throw refuse("UPDATING", "the agent is currently updating");
  if (agent.update_checks_disabled)
    throw refuse("DISABLED", "the agent's configuration disabled update checks");
  if (version === undefined || version === agent_version || major(version) !== major(agent_version)) {
    throw refuse("NONE", "no update is available");
  }
  const done_at = clock.now().getTime() + (agent.update_ms ?? UPDATE_MS);
  store.update(TUNNEL_SESSIONS, stored, { ...session, update: { done_at, version } });
}

/** The session as it is now: an update whose time has come is done. */
function settled(session: Session, now: Date): Session {
  const { update, ...rest } = session;
  if (update === undefined || update.done_at > now.getTime()) return session;
  return { ...rest, agent: { ...rest.agent, updated_to: update.version } };
}

/** The update operation never moves an agent to a new major version. */
const major = (version: string) => version.split(".")[0];

const refuse = (code: string, message: string) => new Refusal(400, `ERR_UPDATE_${code}`, message);
