import type { Hono } from "hono";
import type { Env } from "./app";
import { refusal } from "./app";
import { Refusal } from "./errors";
import type { Emulator, FaultPlan, Seed } from "./types";

/** Where tests in another process steer the emulator. Not part of the specification; needs no headers. */
const CONTROL = "/_emulator";

type Controls = Pick<
  Emulator,
  "requests" | "clearRequests" | "seed" | "snapshot" | "setFaults" | "setClock" | "advanceClock" | "reset"
> & { time(): string };

export function control(app: Hono<Env>, emulator: Controls): void {
  app.get(`${CONTROL}/requests`, (hop) => hop.json({ requests: emulator.requests }));
  app.delete(`${CONTROL}/requests`, (hop) => {
    emulator.clearRequests();
    return hop.body(null, 204);
  });
  app.get(`${CONTROL}/state`, (hop) => hop.json(emulator.snapshot()));
  app.post(`${CONTROL}/seed`, async (hop) => hop.json(await emulator.seed(await body<Seed>(hop.req)), 201));
  app.put(`${CONTROL}/faults`, async (hop) => {
    const plan = await body<FaultPlan>(hop.req);
    return attempt(() => emulator.setFaults("rules" in plan ? plan : undefined));
  });
  app.get(`${CONTROL}/clock`, (hop) => hop.json({ now: emulator.time() }));
  app.put(`${CONTROL}/clock`, async (hop) => {
    const wanted = await body<{ now?: string; advanceMs?: number }>(hop.req);
    attempt(() =>
      wanted.advanceMs === undefined
        ? emulator.setClock(wanted.now)
        : emulator.advanceClock(wanted.advanceMs),
    );
    return hop.json({ now: emulator.time() });
  });
  app.post(`${CONTROL}/reset`, async (hop) => {
    await emulator.reset();
    return hop.body(null, 204);
  });
  app.all(`${CONTROL}/*`, () => refusal(new Refusal(404, "ERR_NOT_FOUND", "there is no such control route")));
}

/** A wrong plan or time is the caller's, not a failure of the emulator. */
function attempt(work: () => void): Response {
  try {
    work();
  } catch (error) {
    throw new Refusal(400, "ERR_CONTROL", (error as Error).message);
  }
  return new Response(null, { status: 204 });
}

async function body<T>(request: { text(): Promise<string> }): Promise<T> {
  const text = await request.text();
  try {
    return (text === "" ? {} : JSON.parse(text)) as T;
  } catch {
    throw new Refusal(400, "ERR_CONTROL", "the body must be JSON");
  }
}
