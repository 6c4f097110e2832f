import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Context as Hop, MiddlewareHandler } from "hono";
import { COLLECTIONS } from "./collections";
import type { Context } from "./context";
import { create, find, answer, listOf, remove, update } from "./crud";
import { Refusal, errorBody } from "./errors";
import type { Faults } from "./faults";
import { authenticate } from "./auth";
import { inject } from "./inject";
import type { Pace } from "./pace";
import { PAGING, page } from "./paging";
import type { FaultKind, RecordedRequest } from "./types";
import { withoutNulls } from "./wire";

/** What a handler finds in Hono's context besides the request. */
export interface Env {
  Bindings: HttpBindings;
  Variables: { raw: string; body: unknown; context: Context };
}

export interface Machinery {
  context: Omit<Context, "principal" | "seeding">;
  apiKey: string;
  userId: string;
  requests: RecordedRequest[];
  faults: Faults;
  pace: Pace;
}

type Handler = (hop: Hop<Env>) => object | null;

/** One operation: an object answers with the status, null with 204 and no body. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  status: 200 | 201 | 204;
  query?: string[];
  handle: Handler;
}

/** Adds the service under its base path; what is outside of it is recorded too, and not found. */
export function serve(app: Hono<Env>, machinery: Machinery, basePath: string, operations: Operation[]): void {
  app.use(record(machinery), admit(machinery));
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const path = basePath + operation.path;
    methods.set(path, [...(methods.get(path) ?? []), operation.method]);
    app.on(operation.method, path, async (hop) => {
      refuseQuery(hop, operation.query ?? []);
      const result = operation.handle(hop);
      if (operation.method !== "GET") await machinery.context.store.saved();
      return operation.status === 204 || result === null
        ? hop.body(null, 204)
        : hop.json(result, operation.status);
    });
  }
  for (const [path, allowed] of methods) {
    app.all(path, (hop) => {
      throw new Refusal(405, "ERR_METHOD", `${hop.req.method} is not served here`, {
        Allow: allowed.join(", "),
      });
    });
  }
  app.notFound(() => refusal(new Refusal(404, "ERR_NOT_FOUND", "there is nothing at this path")));
  app.onError((error) => refusal(error));
}

export function refusal(error: Error): Response {
  const known = error instanceof Refusal ? error : new Refusal(500, "ERR_INTERNAL", "the emulator failed");
  if (known !== error) console.error(error);
  return new Response(JSON.stringify(errorBody(known.status, known.code, known.message)), {
    status: known.status,
    headers: { "Content-Type": "application/json", ...known.headers },
  });
}

/** The outermost layer: the request log, latency, and the faults of the plan. */
function record({ context, requests, faults }: Machinery): MiddlewareHandler<Env> {
  return async (hop, next) => {
    const incoming: IncomingMessage = hop.env.incoming;
    const outgoing = hop.env.outgoing;
    const raw = await hop.req.text();
    hop.set("raw", raw);
    const entry = recorded(hop, incoming, raw, context);
    requests.push(entry);
    if (context.options.latencyMs) await sleep(context.options.latencyMs);
    const fault = faults.strike(entry.method, entry.path);
    if (fault !== undefined) entry.fault = fault.kind;
    if (fault === undefined || fault.afterWork) await next();
    if (fault === undefined) {
      entry.status = hop.res.status;
      return;
    }
    const injected = await inject(fault, outgoing, fault.afterWork ? hop.res : undefined);
    entry.status = SILENT.includes(fault.kind)
      ? 0
      : outgoing.headersSent
        ? outgoing.statusCode
        : injected.status;
    // Assigning over an answer would keep its headers.
    hop.res = undefined;
    hop.res = injected;
  };
}

const SILENT: FaultKind[] = ["dropBefore", "dropAfter", "hang"];

function recorded(
  hop: Hop<Env>,
  incoming: IncomingMessage,
  raw: string,
  context: Machinery["context"],
): RecordedRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name !== "authorization" && value !== undefined) headers[name] = String(value);
  }
  const { pathname } = new URL(context.baseUrl);
  const path = hop.req.path;
  return {
    method: hop.req.method,
    path: pathname !== "/" && path.startsWith(`${pathname}/`) ? path.slice(pathname.length) : path,
    query: hop.req.query(),
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

/** What every request must carry: Authentication 1, Versioning 1, and the body's type. */
function admit({ context, apiKey, userId, pace }: Machinery): MiddlewareHandler<Env> {
  return async (hop, next) => {
    // Hono would serve HEAD as GET; the specification has no HEAD.
    if (hop.req.method === "HEAD") throw new Refusal(405, "ERR_METHOD", "HEAD is not served here");
    const principal = authenticate(context, hop.req.header("authorization"), apiKey, userId);
    pace.admit();
    if (hop.req.header("service-version") !== "2") {
      throw new Refusal(400, "ERR_VERSION", "the header Service-Version must be 2");
    }
    hop.set("context", { ...context, principal, seeding: false });
    hop.set("body", body(hop, context.options.lenient === true));
    await next();
  };
}

function body(hop: Hop<Env>, lenient: boolean): unknown {
  const raw = hop.get("raw");
  if (!["POST", "PUT", "PATCH"].includes(hop.req.method)) {
    if (raw !== "") throw new Refusal(400, "ERR_BODY", `${hop.req.method} takes no body`);
    return undefined;
  }
  const type = hop.req.header("content-type")?.replace(/;.*/, "").trim().toLowerCase();
  if (type !== "application/json") {
    throw new Refusal(415, "ERR_CONTENT_TYPE", "the header Content-Type must be application/json");
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    throw new Refusal(400, "ERR_BODY", "the body must be JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new Refusal(400, "ERR_BODY", "the body must be a JSON object");
  }
  return lenient ? withoutNulls(parsed) : parsed;
}

function refuseQuery(hop: Hop<Env>, known: string[]): void {
  const unknown = Object.keys(hop.req.query()).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Refusal(
      400,
      "ERR_UNKNOWN_QUERY",
      unknown.map((name) => `${name}: unknown query parameter`).join("; "),
    );
  }
}

/** The standard operations of every collection. */
export function collectionOperations(undocumentedUpdates: boolean): Operation[] {
  return COLLECTIONS.flatMap((collection) => {
    const one = `${collection.path}/:id`;
    const operations: Operation[] = [
      {
        method: "POST",
        path: collection.path,
        status: 201,
        handle: (hop) => create(collection, hop.get("context"), hop.get("body")),
      },
      {
        method: "GET",
        path: collection.path,
        status: 200,
        query: PAGING,
        handle: (hop) => page(hop.get("context"), listOf(collection, hop.get("context")), hop.req.query()),
      },
      {
        method: "GET",
        path: one,
        status: 200,
        handle: (hop) => {
          const context = hop.get("context");
          return answer(collection, context, find(collection, context, idOf(hop)));
        },
      },
      {
        method: "DELETE",
        path: one,
        status: 204,
        handle: (hop) => {
          remove(collection, hop.get("context"), idOf(hop));
          return null;
        },
      },
    ];
    if (
      collection.update !== undefined ||
      (undocumentedUpdates && collection.undocumentedUpdate !== undefined)
    ) {
      operations.push({
        method: "PATCH",
        path: one,
        status: 200,
        handle: (hop) => update(collection, hop.get("context"), idOf(hop), hop.get("body")),
      });
    }
    return operations;
  });
}

function idOf(hop: Hop<Env>, name = "id"): string {
  return hop.req.param(name) ?? "";
}
