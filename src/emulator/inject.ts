import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { errorBody } from "./errors";
import type { Fault } from "./faults";

const PROXY_PAGE =
  "<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n";
const NOT_JSON = '{"id": "unfinished, and then some <garbage>';
const DROPS = 10;
const HUGE = 64 * 1024 * 1024;

/** Answers in place of the service. `done` is the answer of the work, where it was done. */
export async function inject(fault: Fault, outgoing: ServerResponse, done?: Response): Promise<Response> {
  if (fault.delayMs !== undefined && fault.kind !== "hang" && fault.kind !== "slow")
    await sleep(fault.delayMs);
  switch (fault.kind) {
    case "status": {
      const status = fault.status ?? 503;
      const body = fault.body ?? errorBody(status, "ERR_INJECTED", "a fault that the plan asked for");
      return reply(status, body, "application/json", retryAfter(fault));
    }
    case "html":
      return reply(fault.status ?? 502, fault.body ?? PROXY_PAGE, "text/html", retryAfter(fault));
    case "redirect":
      return reply(fault.status ?? 307, null, "text/plain", { location: fault.location! });
    case "garbage":
      return reply(fault.status ?? done?.status ?? 200, fault.body ?? NOT_JSON, "application/json", {});
    case "dropBefore":
    case "dropAfter":
      return broken(outgoing);
    case "hang":
      await hang(outgoing, fault.delayMs);
      return broken(outgoing);
    case "truncate":
      return truncate(outgoing, done);
    case "slow":
      return drip(outgoing, done, fault.delayMs ?? 1000);
    case "huge":
      return flood(outgoing, fault.status ?? done?.status ?? 200, fault.sizeBytes ?? HUGE);
  }
}

function retryAfter({ retryAfter }: Fault): Record<string, string> {
  return retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
}

const WITHOUT_BODY = [204, 205, 304];

function reply(status: number, body: unknown, type: string, headers: Record<string, string>): Response {
  const text =
    body === null || WITHOUT_BODY.includes(status)
      ? null
      : typeof body === "string"
        ? body
        : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": type, ...headers } });
}

function broken(outgoing: ServerResponse): Response {
  outgoing.socket?.destroy();
  return RESPONSE_ALREADY_SENT;
}

async function hang(outgoing: ServerResponse, milliseconds: number | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
    outgoing.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function head(outgoing: ServerResponse, done: Response | undefined): Promise<Buffer> {
  const body = Buffer.from((await done?.arrayBuffer()) ?? new ArrayBuffer(0));
  const status = done?.status ?? 200;
  // A 204 has no body to cut: it gets the length of one that never comes.
  const length = WITHOUT_BODY.includes(status) ? {} : { "content-length": body.length };
  outgoing.writeHead(status, { "content-type": "application/json", ...length });
  return body;
}

async function truncate(outgoing: ServerResponse, done: Response | undefined): Promise<Response> {
  if (done === undefined || WITHOUT_BODY.includes(done.status)) {
    // No body to cut: cut the head itself.
    outgoing.socket?.write(`HTTP/1.1 ${done?.status ?? 200} `);
    await sleep(5);
    return broken(outgoing);
  }
  const body = await head(outgoing, done);
  await new Promise<void>((resolve) => outgoing.write(body.subarray(0, body.length >> 1), () => resolve()));
  return broken(outgoing);
}

async function drip(
  outgoing: ServerResponse,
  done: Response | undefined,
  milliseconds: number,
): Promise<Response> {
  const body = await head(outgoing, done);
  const size = Math.max(1, Math.ceil(body.length / DROPS));
  outgoing.flushHeaders();
  for (let drop = 0; drop < DROPS && !outgoing.destroyed; drop++) {
    await sleep(milliseconds / DROPS);
    const part = body.subarray(drop * size, (drop + 1) * size);
    if (part.length > 0) outgoing.write(part);
  }
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

async function flood(outgoing: ServerResponse, status: number, size: number): Promise<Response> {
  const filler = Buffer.alloc(64 * 1024, "x");
  outgoing.writeHead(WITHOUT_BODY.includes(status) ? 200 : status, { "content-type": "application/json" });
  outgoing.write('{"filler":"');
  for (let sent = 0; sent < size && !outgoing.destroyed; sent += filler.length) {
    if (!outgoing.write(filler)) await drained(outgoing);
  }
  outgoing.end('"}');
  return RESPONSE_ALREADY_SENT;
}

async function drained(outgoing: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const finished = () => {
      outgoing.off("drain", finished);
      outgoing.off("close", finished);
      resolve();
    };
    outgoing.on("drain", finished);
    outgoing.on("close", finished);
  });
}
