import { z } from "zod";
import { timestamp } from "../clock";
import type { Context } from "../context";
import { ref } from "../context";
import { membersSet, refId, shownOf } from "../copied";
import { HttpError, notFound } from "../http/errors";
import { newId } from "../ids";
import { CREDENTIALS, SSH_CREDENTIALS, TUNNEL_SESSIONS } from "../paths";
import type { Operation } from "../http/operation";
import { paged } from "../http/paging";
import type { Fields, Stored } from "../store";
import { parse } from "../http/validation";

const UPDATE_MS = 5000;
const RECONNECT_MS = 1000;

/** Sessions that reconnect after a restart, each with its time `due`. */
const RECONNECTING = "/tunnel_sessions/returning";

const agent = z.strictObject({
  update_available: z.string().optional(),
  update_checks_disabled: z.boolean().optional(),
  updating: z.boolean().optional(),
  updated_to: z.string().optional(),
  update_ms: z.number().min(0).optional(),
  reconnect_ms: z.number().min(0).optional(),
  never_returns: z.boolean().optional(),
  ignores_restart: z.boolean().optional(),
  ignores_update: z.boolean().optional(),
  returns_with: z.strictObject({ ip: z.string().optional(), metadata: z.string().optional() }).optional(),
  returning_sessions: z.int().min(1).optional(),
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
  /** When the current update finishes, and its version. */
  update?: { done_at: number; version: string } | undefined;
  started_at: string;
};

export function seedSession(context: Context, id: string, body: unknown): object {
  const session = parse(seededSession, body);
  const fields = { ...session, started_at: session.started_at ?? context.clock.stamp() };
  const stored = context.store.create(TUNNEL_SESSIONS, id, fields.started_at, fields);
  return sessionResponse(context, stored);
}

/** The fields of a session that is copied from an answer: nothing is known of its agent. */
export function copiedSession(answer: Fields): Fields {
  const { credential, ...members } = membersSet(answer);
  return { ...members, credential_id: refId(credential), agent: {} };
}

export function sessionResponse(context: Context, session: Stored): object {
  return shownOf(session, (stored) => wholeResponse(context, stored));
}

function wholeResponse(context: Context, { id, fields }: Stored): object {
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

const command = (name: string, work: (context: Context, session: Stored) => void): Operation => ({
  method: "POST",
  path: `${TUNNEL_SESSIONS}/:id/${name}`,
  handle: ({ context, params, body }) => {
    const session = find(context, params.id);
    parse(z.strictObject({}), body);
    work(context, session);
  },
});

export const sessionOperations: Operation[] = [
  paged(TUNNEL_SESSIONS, ({ context }) => {
    reconnectAgents(context);
    return {
      ...{ kind: TUNNEL_SESSIONS, path: TUNNEL_SESSIONS, listKey: "tunnel_sessions", visible: online },
      response: (session) => sessionResponse(context, session),
    };
  }),
  {
    method: "GET",
    path: `${TUNNEL_SESSIONS}/:id`,
    handle: ({ context, params }) => sessionResponse(context, find(context, params.id)),
  },
  command("restart", restart),
  command("stop", ({ store }, { id }) => store.delete(TUNNEL_SESSIONS, id)),
  command("update", update),
];

function find(context: Context, id = ""): Stored {
  reconnectAgents(context);
  const session = context.store.get(TUNNEL_SESSIONS, id);
  if (session === undefined || !online(session)) throw notFound("tunnel session");
  return session;
}

/** Creates the sessions of agents whose time to reconnect has come. Every read calls it, because tests move the clock. */
export function reconnectAgents(context: Context): void {
  const { store, clock } = context;
  const now = clock.now().getTime();
  const due = store.all(RECONNECTING).filter(({ fields }) => (fields.due as number) <= now);
  for (const { id, fields } of due.sort((a, b) => (a.fields.due as number) - (b.fields.due as number))) {
    const started_at = timestamp(new Date(fields.due as number));
    store.delete(RECONNECTING, id);
    store.create(TUNNEL_SESSIONS, id, started_at, { ...(fields.session as object), started_at });
  }
}

/** The agent reconnects with a new session id. A finished update takes effect, an unfinished one is lost. */
function restart({ store, clock }: Context, { id, fields }: Stored): void {
  const session = fields as unknown as Session;
  if (/windows/i.test(session.os)) {
    throw new HttpError(400, "ERR_UNSUPPORTED", "restart is not supported by agents on Windows");
  }
  if (session.agent.ignores_restart) return;
  const { updated_to, ...agent } = withFinishedUpdate(session, clock.now()).agent;
  store.delete(TUNNEL_SESSIONS, id);
  if (agent.never_returns) return;
  const returning = {
    ...session,
    ...agent.returns_with,
    update: undefined,
    agent,
    agent_version: updated_to ?? session.agent_version,
  };
  const due = clock.now().getTime() + (agent.reconnect_ms ?? RECONNECT_MS);
  for (let i = 0; i < (agent.returning_sessions ?? 1); i++)
    store.create(RECONNECTING, newId("ts_"), clock.stamp(), { session: returning, due });
}

function update({ store, clock }: Context, stored: Stored): void {
  const session = withFinishedUpdate(stored.fields as unknown as Session, clock.now());
  const { agent, agent_version } = session;
  const version = agent.update_available;
  if (agent.updated_to !== undefined)
    throw updateError("UPDATED", "the agent already updated but has not restarted");
  if (agent.updating || session.update !== undefined)
    throw updateError("UPDATING", "the agent is currently updating");
  if (agent.update_checks_disabled)
    throw updateError("DISABLED", "the agent's configuration disabled update checks");
  if (version === undefined || version === agent_version || major(version) !== major(agent_version)) {
    throw updateError("NONE", "no update is available");
  }
  if (agent.ignores_update) return;
  const done_at = clock.now().getTime() + (agent.update_ms ?? UPDATE_MS);
  store.update(TUNNEL_SESSIONS, stored, { ...session, update: { done_at, version } });
}

/** The session, with its update applied if that is finished. */
function withFinishedUpdate(session: Session, now: Date): Session {
  const { update, ...rest } = session;
  if (update === undefined || update.done_at > now.getTime()) return session;
  return { ...rest, agent: { ...rest.agent, updated_to: update.version } };
}

/** The update operation never moves an agent to a new major version. */
const major = (version: string) => version.split(".")[0];

const updateError = (code: string, message: string) => new HttpError(400, `ERR_UPDATE_${code}`, message);
