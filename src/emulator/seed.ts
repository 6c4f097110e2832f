import { z } from "zod";
import { COLLECTIONS } from "./collections";
import type { Collection } from "./collections/collection";
import { endpoints, seededEndpoint } from "./collections/endpoints";
import type { Context } from "./context";
import { create, responseOf } from "./http/crud";
import { HttpError, conflict, dangling, invalid } from "./http/errors";
import { isObject } from "./http/validation";
import { newId } from "./ids";
import { MODULES, put } from "./operations/edge-modules";
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
import { seedSession } from "./operations/sessions";
import { ownerWithModules } from "./snapshot";
import type { JsonObject, Seed, Snapshot } from "./types";

/** One key of a seed and the function that creates its objects. */
interface Seeder {
  key: string;
  /** The members of an object; undefined where `create` checks them. */
  fields?: string[];
  create: (context: Context, object: JsonObject) => object;
}

/** Owners and destinations come before the objects that refer to them, the others in the specification's order. */
const EARLY = [BOT_USERS, EVENT_DESTINATIONS];

const SEEDERS: Seeder[] = [
  { key: "users", create: simpleObject(USERS, "usr_", ["admin"]) },
  { key: "tunnel_credentials", create: simpleObject(CREDENTIALS, "cr_", []) },
  { key: "ssh_certificate_authorities", create: simpleObject(SSH_AUTHORITIES, "sshca_", []) },
  { key: "tunnels", create: simpleObject(TUNNELS, "tn_", ["labels"]) },
  ...COLLECTIONS.filter(({ path }) => EARLY.includes(path)).map(collectionSeeder),
  ...COLLECTIONS.filter(({ path }) => !EARLY.includes(path)).map(collectionSeeder),
  { key: "https_edges", create: httpsEdge },
  { key: "tls_edges", create: tlsEdge },
  { key: "tunnel_sessions", create: tunnelSession },
];

export function seed(context: Context, objects: Seed): Snapshot {
  if (!isObject(objects)) throw refused("must be an object with lists of objects");
  const unknown = Object.keys(objects).filter((key) => !SEEDERS.some((seeder) => seeder.key === key));
  if (unknown.length > 0) {
    const keys = SEEDERS.map(({ key }) => key).join(", ");
    throw refused(`${unknown.join(", ")}: unknown key; the keys are ${keys}`);
  }
  const created: Snapshot = {};
  for (const seeder of SEEDERS) {
    const wanted: unknown = objects[seeder.key];
    if (wanted === undefined) continue;
    if (!Array.isArray(wanted)) throw refused(`${seeder.key}: must be a list of objects`);
    created[seeder.key] = wanted.map((object, index) => createSeeded(seeder, context, object, index));
  }
  return created;
}

function createSeeded({ key, fields, create }: Seeder, context: Context, object: unknown, index: number) {
  const at = `${key}[${index}]`;
  if (!isObject(object)) throw refused(`${at}: must be an object`);
  try {
    if (fields !== undefined) rejectUnknownFields(object, fields);
    return create(context, object) as JsonObject;
  } catch (error) {
    if (error instanceof HttpError) throw new HttpError(error.status, error.code, `${at}: ${error.message}`);
    throw error;
  }
}

function refused(message: string): HttpError {
  return new HttpError(400, "ERR_SEED", message);
}

function collectionSeeder(collection: Collection): Seeder {
  return {
    key: collection.path.slice(1),
    fields: fieldsOf(collection),
    create: (context, { id, created_at, ...body }) => {
      const objectId = idOrNew(context, collection.path, id, collection.prefix);
      const time = typeof created_at === "string" ? { created_at } : {};
      if (collection.path === ENDPOINTS && needsSeed(body)) {
        return endpoint(context, objectId, time.created_at, body);
      }
      if (collection.path === TLS_CERTIFICATES && typeof body.issued_at === "string") {
        // A certificate that the service issued, which the API cannot create.
        const { issued_at, ...sent } = body;
        return create(collection, context, sent, { id: objectId, ...time, fields: { issued_at } });
      }
      return create(collection, context, body, { id: objectId, ...time });
    },
  };
}

/** What a collection's create body and a seed may hold. The seeds of some collections hold more. */
function fieldsOf({ path, create: body }: Collection): string[] | undefined {
  const hasMore = path === ENDPOINTS || path === TLS_CERTIFICATES;
  if (hasMore || !(body instanceof z.ZodObject)) return undefined;
  return [...new Set(["id", "created_at", ...Object.keys(body.shape)])];
}

const needsSeed = ({ type, bound_to }: JsonObject) =>
  (type !== undefined && type !== "cloud") || bound_to !== undefined;

/** An endpoint that the API cannot create: of another type or bound to an operator. */
function endpoint(context: Context, id: string, created_at: string | undefined, body: JsonObject): object {
  if (
    body.bound_to !== undefined &&
    context.store.get(KUBERNETES_OPERATORS, body.bound_to as string) === undefined
  ) {
    throw dangling("bound_to", "Kubernetes operator");
  }
  const time = created_at ?? context.clock.stamp();
  return responseOf(
    endpoints,
    context,
    context.store.create(ENDPOINTS, id, time, seededEndpoint(context, body)),
  );
}

function simpleObject(kind: string, prefix: string, known: string[]) {
  return (context: Context, { id, ...fields }: JsonObject): object => {
    rejectUnknownFields({ id, ...fields }, ["id", ...known]);
    const objectId = idOrNew(context, kind, id, prefix);
    context.store.create(kind, objectId, context.clock.stamp(), fields);
    return { id: objectId, ...fields };
  };
}

function httpsEdge(context: Context, { id, routes, ...others }: JsonObject): object {
  rejectUnknownFields(others, ["id", "routes"]);
  const edge_id = idOrNew(context, HTTPS_EDGES, id, "edghts_");
  context.store.create(HTTPS_EDGES, edge_id, context.clock.stamp(), {});
  const createdRoutes = ((routes ?? []) as JsonObject[]).map(({ id: routeId, ...modules }) =>
    owner(context, HTTPS_ROUTES, idOrNew(context, HTTPS_ROUTES, routeId, "edghtsrt_"), { edge_id }, modules),
  );
  return { id: edge_id, routes: createdRoutes };
}

function tlsEdge(context: Context, { id, ...modules }: JsonObject): object {
  return owner(context, TLS_EDGES, idOrNew(context, TLS_EDGES, id, "edgtls_"), {}, modules);
}

function owner(context: Context, kind: string, id: string, fields: JsonObject, modules: JsonObject): object {
  const own = MODULES.filter((module) => module.kind === kind);
  rejectUnknownFields(modules, ["id", ...own.map(({ name }) => name)]);
  const stored = context.store.create(kind, id, context.clock.stamp(), fields);
  for (const module of own) {
    if (modules[module.name] !== undefined) put(module, context, stored, modules[module.name]);
  }
  return ownerWithModules(context, kind, stored);
}

function tunnelSession(context: Context, { id, ...body }: JsonObject): object {
  return seedSession(context, idOrNew(context, TUNNEL_SESSIONS, id, "ts_"), body);
}

/** The id of the seed, or a new one. */
function idOrNew(context: Context, kind: string, id: unknown, prefix: string): string {
  if (id === undefined) return newId(prefix);
  if (typeof id !== "string" || id === "") throw invalid("id", "must be a non-empty string");
  if (context.store.get(kind, id) !== undefined) throw conflict("id", "already exists");
  return id;
}

function rejectUnknownFields(fields: JsonObject, known: string[]): void {
  const unknown = Object.keys(fields).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw refused(`${unknown.join(", ")}: unknown field; the fields are ${known.join(", ")}`);
}
