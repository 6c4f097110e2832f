import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { errorBody } from "./errors";
import type { Fault } from "./faults";
import type { FaultKind } from "../types";

const PROXY_PAGE =
  "<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n";
const NOT_JSON = '{"id": "unfinished, followed by <garbage>';
const SLOW_MS = 1000;
const SLOW_CHUNKS = 10;
const HUGE_BYTES = 64 * 1024 * 1024;
const WITHOUT_BODY = [204, 205, 304];

interface Injection {
  fault: Fault;
  outgoing: ServerResponse;
  /** The service's own response, if the fault comes after the work. */
  real: Response | undefined;
}

const INJECTORS: Record<FaultKind, (injection: Injection) => Response | Promise<Response>> = {
  status: sendStatus,
  html: ({ fault }) => respond(fault.status ?? 502, fault.body ?? PROXY_PAGE, "text/html", retryAfter(fault)),
  redirect: ({ fault }) => respond(fault.status ?? 307, null, "text/plain", { location: fault.location! }),
  garbage: ({ fault, real }) =>
    respond(fault.status ?? real?.status ?? 200, fault.body ?? NOT_JSON, "application/json"),
  dropBefore: dropConnection,
  dropAfter: dropConnection,
  hang: hangThenDrop,
  truncate: truncateResponse,
  slow: sendSlowly,
  huge: sendHugeBody,
};

/** These kinds use `delayMs` themselves; the others wait first. */
const OWN_DELAY: FaultKind[] = ["hang", "slow"];

/** Responds in place of the service. */
export async function inject(fault: Fault, outgoing: ServerResponse, real?: Response): Promise<Response> {
  if (fault.delayMs !== undefined && !OWN_DELAY.includes(fault.kind)) await sleep(fault.delayMs);
  return INJECTORS[fault.kind]({ fault, outgoing, real });
}

function sendStatus({ fault }: Injection): Response {
  const status = fault.status ?? 503;
  const body = fault.body ?? errorBody(status, "ERR_INJECTED", "the fault plan injected this error");
  return respond(status, body, "application/json", retryAfter(fault));
}

function dropConnection({ outgoing }: Injection): Response {
  outgoing.req.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Waits for `delayMs` or, without it, until the client gives up. */
async function hangThenDrop(injection: Injection): Promise<Response> {
  const { fault, outgoing } = injection;
  const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
  const timeout = fault.delayMs === undefined ? [] : [sleep(fault.delayMs, undefined, { ref: false })];
  await Promise.race([closed, ...timeout]);
  return dropConnection(injection);
}

async function truncateResponse(injection: Injection): Promise<Response> {
  const { outgoing, real } = injection;
  if (real === undefined || WITHOUT_BODY.includes(real.status)) {
    // Without a body the status line is cut.
    outgoing.req.socket.write(`HTTP/1.1 ${real?.status ?? 200} `);
    await sleep(5);
    return dropConnection(injection);
  }
  const body = await sendHeaders(outgoing, real);
  const half = body.subarray(0, body.length >> 1);
  await new Promise<void>((resolve) => outgoing.write(half, () => resolve()));
  return dropConnection(injection);
}

async function sendSlowly({ fault, outgoing, real }: Injection): Promise<Response> {
  const body = await sendHeaders(outgoing, real);
  outgoing.flushHeaders();
  const size = Math.max(1, Math.ceil(body.length / SLOW_CHUNKS));
  for (let index = 0; index < SLOW_CHUNKS && !outgoing.destroyed; index++) {
    await sleep((fault.delayMs ?? SLOW_MS) / SLOW_CHUNKS);
    const chunk = body.subarray(index * size, (index + 1) * size);
    if (chunk.length > 0) outgoing.write(chunk);
  }
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

async function sendHugeBody({ fault, outgoing, real }: Injection): Promise<Response> {
  const status = fault.status ?? real?.status ?? 200;
  outgoing.writeHead(WITHOUT_BODY.includes(status) ? 200 : status, { "content-type": "application/json" });
  // The client may close the connection before the end.
  await pipeline(hugeJson(fault.sizeBytes ?? HUGE_BYTES), outgoing).catch(() => undefined);
  return RESPONSE_ALREADY_SENT;
}

function* hugeJson(size: number): Generator<Buffer> {
  const filler = Buffer.alloc(64 * 1024, "x");
  yield Buffer.from('{"filler":"');
  for (let sent = 0; sent < size; sent += filler.length) yield filler;
  yield Buffer.from('"}');
}

function respond(
  status: number,
  body: unknown,
  type: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(bodyText(status, body), { status, headers: { "content-type": type, ...headers } });
}

function bodyText(status: number, body: unknown): string | null {
  if (body === null || WITHOUT_BODY.includes(status)) return null;
  return typeof body === "string" ? body : JSON.stringify(body);
}

function retryAfter({ retryAfter }: Fault): Record<string, string> {
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
}

/** Sends the status and the headers of the service's own response and returns its body. */
async function sendHeaders(outgoing: ServerResponse, real: Response | undefined): Promise<Buffer> {
  const body = Buffer.from((await real?.arrayBuffer()) ?? new ArrayBuffer(0));
  const status = real?.status ?? 200;
  const length = WITHOUT_BODY.includes(status) ? {} : { "content-length": body.length };
  outgoing.writeHead(status, { "content-type": "application/json", ...length });
  return body;
}
