import type { Hono } from "hono";
import type { Env } from "./app";
import { errorResponse } from "./app";
import { HttpError } from "./errors";
import type { AccessMoment, Emulator, FaultPlan, Seed } from "../types";

/** Routes for tests in another process. They are not part of the specification. */
export const CONTROL = "/_emulator";

type Controls = Omit<Emulator, "baseUrl" | "apiKey" | "userId" | "leftOut" | "close"> & { time(): string };

export function control(app: Hono<Env>, emulator: Controls): void {
  app.get(`${CONTROL}/requests`, (c) => c.json({ requests: emulator.requests }));
  app.delete(`${CONTROL}/requests`, (c) => {
    emulator.clearRequests();
    return c.body(null, 204);
  });
  app.get(`${CONTROL}/access`, (c) => {
    let history: AccessMoment[] = [];
    attempt(() => (history = emulator.accessHistory()));
    return c.json(history);
  });
  app.get(`${CONTROL}/state`, (c) => c.json(emulator.snapshot()));
  app.post(`${CONTROL}/seed`, async (c) => c.json(await emulator.seed(await body<Seed>(c.req)), 201));
  app.put(`${CONTROL}/faults`, async (c) => {
    const plan = await body<FaultPlan>(c.req);
    return attempt(() => emulator.setFaults("rules" in plan ? plan : undefined));
  });
  app.get(`${CONTROL}/clock`, (c) => c.json({ now: emulator.time() }));
  app.put(`${CONTROL}/clock`, async (c) => {
    const change = await body<{ now?: string; advanceMs?: number }>(c.req);
    attempt(() =>
      change.advanceMs === undefined
        ? emulator.setClock(change.now)
        : emulator.advanceClock(change.advanceMs),
    );
    return c.json({ now: emulator.time() });
  });
  app.post(`${CONTROL}/reset`, async (c) => {
    await emulator.reset();
    return c.body(null, 204);
  });
  app.all(`${CONTROL}/*`, () =>
    errorResponse(new HttpError(404, "ERR_NOT_FOUND", "no control route has this path")),
  );
}

/** Responds 400 to an invalid plan or time, which is an error of the client. */
function attempt(work: () => void): Response {
  try {
    work();
  } catch (error) {
    throw new HttpError(400, "ERR_CONTROL", (error as Error).message);
  }
  return new Response(null, { status: 204 });
}

async function body<T>(request: { text(): Promise<string> }): Promise<T> {
  const text = await request.text();
  try {
    return (text === "" ? {} : JSON.parse(text)) as T;
  } catch {
    throw new HttpError(400, "ERR_CONTROL", "the body must be JSON");
  }
}
