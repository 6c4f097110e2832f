import { sshAuthorities } from "./authorities";
import { COLLECTIONS } from "./collections";
import type { Collection } from "./collections/collection";
import { endpoints, seededEndpoint } from "./collections/endpoints";
import type { Context } from "./context";
import { answer, create, find } from "./crud";
import { Refusal, conflict, dangling, invalid } from "./errors";
import { newId } from "./ids";
import { MODULES, put } from "./modules";
import {
  BOT_USERS,
  CREDENTIALS,
  ENDPOINTS,
  EVENT_DESTINATIONS,
  HTTPS_EDGES,
  HTTPS_ROUTES,
  KUBERNETES_OPERATORS,
  SSH_AUTHORITIES,
  TLS_CERTIFICATES,
  TLS_EDGES,
  TUNNELS,
  TUNNEL_SESSIONS,
  USERS,
} from "./paths";
import { answer as showSession, arrive, seedSession } from "./sessions";
import type { Stored } from "./store";
import type { JsonObject, Seed, Snapshot } from "./types";

/** What stands under one key of a seed, and how it is made. */
interface Seeder {
  key: string;
  make: (context: Context, object: JsonObject) => object;
}

/** Owners and destinations come before what refers to them; else the specification's order does. */
const EARLY = [BOT_USERS, EVENT_DESTINATIONS];

const SEEDERS: Seeder[] = [
  { key: "users", make: plain(USERS, "usr_", ["admin"]) },
  { key: "tunnel_credentials", make: plain(CREDENTIALS, "cr_", []) },
  { key: "ssh_certificate_authorities", make: plain(SSH_AUTHORITIES, "sshca_", []) },
  { key: "tunnels", make: plain(TUNNELS, "tn_", ["labels"]) },
  ...COLLECTIONS.filter(({ path }) => EARLY.includes(path)).map(ordinary),
  ...COLLECTIONS.filter(({ path }) => !EARLY.includes(path)).map(ordinary),
  { key: "https_edges", make: httpsEdge },
  { key: "tls_edges", make: tlsEdge },
  { key: "tunnel_sessions", make: tunnelSession },
];

export function seed(context: Context, objects: Seed): Snapshot {
  const unknown = Object.keys(objects).filter((key) => !SEEDERS.some((seeder) => seeder.key === key));
  if (unknown.length > 0)
    throw new Refusal(400, "ERR_SEED", `${unknown.join(", ")}: nothing to seed by this name`);
  const made: Snapshot = {};
  for (const { key, make } of SEEDERS) {
    const wanted = objects[key];
    if (wanted !== undefined)
      made[key] = wanted.map((object) => make(context, object as JsonObject) as JsonObject);
  }
  return made;
}

/** The whole account, oldest first, in lenient answers. The built-in key's user is not part of it. */
export function snapshot(context: Context): Snapshot {
  const plainly = { ...context, normalise: false };
  const { store } = context;
  arrive(context);
  const account: Record<string, object[]> = {};
  for (const collection of COLLECTIONS) {
    account[collection.path.slice(1)] = store
      .all(collection.path)
      .map((each) => answer(collection, plainly, each));
  }
  account.tunnel_sessions = store.all(TUNNEL_SESSIONS).map((session) => showSession(plainly, session));
  account.https_edges = store.all(HTTPS_EDGES).map(({ id }) => ({
    id,
    routes: store
      .all(HTTPS_ROUTES)
      .filter((route) => route.fields.edge_id === id)
      .map((route) => ({ id: route.id, ...modulesOf(plainly, HTTPS_ROUTES, route) })),
  }));
  account.tls_edges = store
    .all(TLS_EDGES)
    .map((edge) => ({ id: edge.id, ...modulesOf(plainly, TLS_EDGES, edge) }));
  account.users = store
    .all(USERS)
    .filter(({ id }) => id !== context.principal.id)
    .map(({ id, fields }) => ({ id, admin: fields.admin === true }));
  account.ssh_certificate_authorities = sshAuthorities(context);
  return account as Snapshot;
}

function modulesOf(context: Context, kind: string, owner: Stored): JsonObject {
  const set = MODULES.filter((module) => module.kind === kind && owner.fields[module.name] !== undefined);
  return Object.fromEntries(
    set.map((module) => [module.name, module.answer(owner.fields[module.name] as JsonObject, context)]),
  );
}

function ordinary(collection: Collection): Seeder {
  return {
    key: collection.path.slice(1),
    make: (context, { id, created_at, ...body }) => {
      const newOne = given(context, collection.path, id, collection.prefix);
      const time = typeof created_at === "string" ? { created_at } : {};
      if (collection.path === ENDPOINTS && isForeignEndpoint(body)) {
        return endpoint(context, newOne, time.created_at, body);
      }
      if (collection.path === TLS_CERTIFICATES && typeof body.issued_at === "string") {
        return issuedCertificate(collection, context, body, { id: newOne, ...time });
      }
      return create(collection, context, body, { id: newOne, ...time });
    },
  };
}

/** A certificate that the service issued, which no create can request. */
function issuedCertificate(
  collection: Collection,
  context: Context,
  { issued_at, ...body }: JsonObject,
  given: { id: string; created_at?: string },
): object {
  create(collection, context, body, given);
  const stored = find(collection, context, given.id);
  const fields = { ...stored.fields, issued_at };
  return answer(collection, context, context.store.update(collection.path, stored, fields));
}

const isForeignEndpoint = ({ type, bound_to }: JsonObject) =>
  (type !== undefined && type !== "cloud") || bound_to !== undefined;

/** An endpoint that no create can make: one of another type, or one bound to an operator. */
function endpoint(context: Context, id: string, created_at: string | undefined, body: JsonObject): object {
  if (
    body.bound_to !== undefined &&
    context.store.get(KUBERNETES_OPERATORS, body.bound_to as string) === undefined
  ) {
    throw dangling("bound_to", "Kubernetes operator");
  }
  const time = created_at ?? context.clock.stamp();
  return answer(endpoints, context, context.store.create(ENDPOINTS, id, time, seededEndpoint(context, body)));
}

function plain(kind: string, prefix: string, known: string[]) {
  return (context: Context, { id, ...fields }: JsonObject): object => {
    refuseUnknown(fields, known);
    const newOne = given(context, kind, id, prefix);
    context.store.create(kind, newOne, context.clock.stamp(), fields);
    return { id: newOne, ...fields };
  };
}

function httpsEdge(context: Context, { id, routes, ...others }: JsonObject): object {
  refuseUnknown(others, []);
  const edge_id = given(context, HTTPS_EDGES, id, "edghts_");
  context.store.create(HTTPS_EDGES, edge_id, context.clock.stamp(), {});
  const made = ((routes ?? []) as JsonObject[]).map(({ id: routeId, ...modules }) =>
    owner(context, HTTPS_ROUTES, given(context, HTTPS_ROUTES, routeId, "edghtsrt_"), { edge_id }, modules),
  );
  return { id: edge_id, routes: made };
}

function tlsEdge(context: Context, { id, ...modules }: JsonObject): object {
  return owner(context, TLS_EDGES, given(context, TLS_EDGES, id, "edgtls_"), {}, modules);
}

function owner(context: Context, kind: string, id: string, fields: JsonObject, modules: JsonObject): object {
  const own = MODULES.filter((module) => module.kind === kind);
  refuseUnknown(
    modules,
    own.map(({ name }) => name),
  );
  const stored = context.store.create(kind, id, context.clock.stamp(), fields);
  for (const module of own) {
    if (modules[module.name] !== undefined) put(module, context, stored, modules[module.name]);
  }
  return { id, ...modulesOf(context, kind, stored) };
}

function tunnelSession(context: Context, { id, ...body }: JsonObject): object {
  return seedSession(context, given(context, TUNNEL_SESSIONS, id, "ts_"), body);
}

/** The id a seed gives, or a new one. */
function given(context: Context, kind: string, id: unknown, prefix: string): string {
  if (id === undefined) return newId(prefix);
  if (typeof id !== "string" || id === "") throw invalid("id", "must be a string that is not empty");
  if (context.store.get(kind, id) !== undefined) throw conflict("id", "stands already");
  return id;
}

function refuseUnknown(fields: JsonObject, known: string[]): void {
  const unknown = Object.keys(fields).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new Refusal(400, "ERR_SEED", `${unknown.join(", ")}: unknown field`);
}
