import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import type { Hono, Context as HonoContext, MiddlewareHandler } from "hono";
import type { AccessHistory } from "../access-history";
import { COLLECTIONS } from "../collections";
import type { Context, Principal } from "../context";
import { create, find, listOf, remove, responseOf, update, updateBody } from "./crud";
import { HttpError, errorBody } from "./errors";
import type { Faults } from "./faults";
import type { RateLimit } from "./rate-limit";
import type { Operation } from "./operation";
import { paged } from "./paging";
import type { EmulatorOptions, FaultKind, RecordedRequest } from "../types";
import { isObject, withoutNulls } from "./validation";
import { hashToken } from "../collections/api-keys";
import { API_KEYS, BOT_USERS, USERS } from "../paths";

/** What Hono's context holds for a handler besides the request. */
export interface Env {
  Bindings: HttpBindings & { respond?: Respond };
  Variables: { raw: string; body: unknown; context: Context };
}

/** Makes a response; without a connection, a lighter one than `new Response`. */
type Respond = (body: string | null, init: ResponseInit) => Response;

const respond: Respond = (body, init) => new Response(body, init);

export interface ServiceState {
  context: Omit<Context, "principal" | "seeding">;
  apiKey: string;
  userId: string;
  requests: RecordedRequest[];
  faults: Faults;
  rateLimit: RateLimit;
  access: AccessHistory | undefined;
}

/** Serves the operations under the base path. Requests outside of it are recorded too and get a 404. */
export function serve(app: Hono<Env>, state: ServiceState, basePath: string, operations: Operation[]): void {
  app.use(dated(state), record(state, basePath), checkRequest(state));
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const path = basePath + operation.path;
    methods.set(path, [...(methods.get(path) ?? []), operation.method]);
    app.on(operation.method, path, async (c) => {
      const query = c.req.query();
      rejectUnknownQuery(query, operation.query ?? []);
      const request = { context: c.get("context"), body: c.get("body"), params: c.req.param(), query };
      const result = operation.handle(request);
      if (operation.method !== "GET") {
        state.access?.note({ method: operation.method, path: c.req.path.slice(basePath.length) });
        await state.context.store.saved();
      }
      const make = c.env.respond ?? respond;
      if (result === undefined) return make(null, { status: 204, headers: {} });
      const status = operation.method === "POST" ? 201 : 200;
      return make(JSON.stringify(result), { status, headers: jsonHeaders });
    });
  }
  for (const [path, allowed] of methods) {
    app.all(path, (c) => {
      throw new HttpError(405, "ERR_METHOD", `${c.req.method} is not allowed here`, {
        Allow: allowed.join(", "),
      });
    });
  }
  app.notFound((c) =>
    errorResponse(new HttpError(404, "ERR_NOT_FOUND", "no operation has this path"), c.env.respond),
  );
  app.onError((error, c) => errorResponse(error, c.env.respond));
}

const jsonHeaders = { "content-type": "application/json" };

export function errorResponse(error: Error, make = respond): Response {
  const known =
    error instanceof HttpError
      ? error
      : new HttpError(500, "ERR_INTERNAL", "the emulator failed; its console shows the error");
  if (known !== error) console.error(error);
  return make(JSON.stringify(errorBody(known.status, known.code, known.message)), {
    status: known.status,
    headers: { ...jsonHeaders, ...known.headers },
  });
}

/** Sets the Date header of answers by the emulator's clock, by which clients decide what has expired. */
function dated({ context }: ServiceState): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    c.res.headers.set("date", context.clock.now().toUTCString());
  };
}

/** Records requests, delays responses and injects faults. */
function record({ context, requests, faults }: ServiceState, basePath: string): MiddlewareHandler<Env> {
  return async (c, next) => {
    const incoming: IncomingMessage = c.env.incoming;
    const outgoing = c.env.outgoing;
    const raw = await c.req.text();
    c.set("raw", raw);
    const entry = requestRecord(c, incoming, raw, context, basePath);
    requests.push(entry);
    if (context.options.latencyMs) await sleep(context.options.latencyMs);
    const fault = faults.next(entry.method, entry.path);
    if (fault !== undefined) entry.fault = fault.kind;
    if (fault === undefined || fault.afterWork) await next();
    if (fault === undefined) {
      entry.status = c.res.status;
      return;
    }
    // Loaded with the first fault: it makes a Response, for which Node.js loads its HTTP client.
    const { inject } = await import("./inject.js");
    const injected = await inject(fault, outgoing, fault.afterWork ? c.res : undefined);
    entry.status = WITHOUT_RESPONSE.includes(fault.kind)
      ? 0
      : outgoing.headersSent
        ? outgoing.statusCode
        : injected.status;
    // Hono keeps the headers of a response that is replaced directly.
    c.res = undefined;
    c.res = injected;
  };
}

const WITHOUT_RESPONSE: FaultKind[] = ["dropBefore", "dropAfter", "hang"];

function requestRecord(
  c: HonoContext<Env>,
  incoming: IncomingMessage,
  raw: string,
  context: ServiceState["context"],
  basePath: string,
): RecordedRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name !== "authorization" && value !== undefined) headers[name] = String(value);
  }
  const path = c.req.path;
  return {
    method: c.req.method,
    path: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path,
    query: c.req.query(),
    headers,
    body: raw === "" ? undefined : json(raw),
    status: 0,
    at: context.clock.now().toISOString(),
  };
}

function json(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

/** Checks what every request must have: Authentication 1, Versioning 1, and the body's type. */
function checkRequest({ context, apiKey, userId, rateLimit }: ServiceState): MiddlewareHandler<Env> {
  return async (c, next) => {
    // Hono would serve HEAD as GET; the specification has no HEAD.
    if (c.req.method === "HEAD") throw new HttpError(405, "ERR_METHOD", "HEAD is not allowed here");
    const principal = authenticate(context, c.req.header("authorization"), apiKey, userId);
    rateLimit.admit();
    if (c.req.header("service-version") !== "2") {
      throw new HttpError(400, "ERR_VERSION", "the header Service-Version must be 2");
    }
    c.set("context", { ...context, principal, seeding: false });
    c.set("body", body(c, context.options.lenient === true));
    await next();
  };
}

function body(c: HonoContext<Env>, lenient: boolean): unknown {
  const raw = c.get("raw");
  if (!["POST", "PUT", "PATCH"].includes(c.req.method)) {
    if (raw !== "") throw new HttpError(400, "ERR_BODY", `${c.req.method} takes no body`);
    return undefined;
  }
  const type = c.req.header("content-type")?.replace(/;.*/, "").trim().toLowerCase();
  if (type !== "application/json") {
    throw new HttpError(415, "ERR_CONTENT_TYPE", "the header Content-Type must be application/json");
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    throw new HttpError(400, "ERR_BODY", "the body must be JSON");
  }
  if (!isObject(parsed)) {
    throw new HttpError(400, "ERR_BODY", "the body must be a JSON object");
  }
  return lenient ? withoutNulls(parsed) : parsed;
}

function rejectUnknownQuery(query: Record<string, string>, known: string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new HttpError(
      400,
      "ERR_UNKNOWN_QUERY",
      unknown.map((name) => `${name}: unknown query parameter`).join("; "),
    );
  }
}

/** The standard operations of every collection. */
export function collectionOperations(options: EmulatorOptions): Operation[] {
  return COLLECTIONS.flatMap((collection): Operation[] => {
    const { path } = collection;
    const one = `${path}/:id`;
    const operations: Operation[] = [
      { method: "POST", path, handle: ({ context, body }) => create(collection, context, body) },
      paged(path, ({ context }) => listOf(collection, context)),
      {
        method: "GET",
        path: one,
        handle: ({ context, params }) =>
          responseOf(collection, context, find(collection, context, params.id)),
      },
      {
        method: "DELETE",
        path: one,
        handle: ({ context, params }) => remove(collection, context, params.id),
      },
      {
        method: "PATCH",
        path: one,
        handle: ({ context, params, body }) => update(collection, context, params.id, body),
      },
    ];
    return operations.filter(({ method }) => method !== "PATCH" || updateBody(collection, options));
  });
}

/** Authentication 1: the bearer token is that of an API key or the built-in one. */
function authenticate(
  { store }: Pick<Context, "store">,
  header: string | undefined,
  apiKey: string,
  userId: string,
): Principal {
  const token = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
  if (token === undefined) throw unauthorized("the header Authorization must be a bearer token");
  if (token === apiKey) return { id: userId, admin: isAdmin(store, userId) };
  const keyId = store.findUnique(API_KEYS, "token", hashToken(token));
  const key = keyId === undefined ? undefined : store.get(API_KEYS, keyId);
  if (key === undefined) throw unauthorized("the bearer token does not belong to an API key");
  const owner = key.fields.owner_id as string;
  if (owner.startsWith("bot_")) {
    // Authentication 4: the keys of a deactivated or deleted bot user are invalid.
    if (store.get(BOT_USERS, owner)?.fields.active !== true)
      throw unauthorized("the API key's bot user is not active");
    return { id: owner, admin: false };
  }
  return { id: owner, admin: isAdmin(store, owner) };
}

function isAdmin(store: Context["store"], userId: string): boolean {
  return store.get(USERS, userId)?.fields.admin === true;
}

const unauthorized = (message: string) => new HttpError(401, "ERR_AUTHENTICATION", message);
