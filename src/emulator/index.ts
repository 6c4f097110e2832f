import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import type { Env, ServiceState } from "./app";
import { collectionOperations, serve } from "./app";
import { boundEndpointOperations } from "./bound-endpoints";
import { Clock } from "./clock";
import { COLLECTIONS } from "./collections";
import { indexOf } from "./collections/collection";
import type { Context } from "./context";
import { control } from "./control";
import { Faults } from "./faults";
import { moduleOperations } from "./modules";
import { RateLimit } from "./rate-limit";
import { USERS } from "./paths";
import { seed, snapshot } from "./seed";
import { sessionOperations } from "./sessions";
import { sourceOperations } from "./sources";
import { Store } from "./store";
import type { Emulator, EmulatorOptions, RecordedRequest } from "./types";

export * from "./types";

const API_KEY = "emulator-key-not-a-secret";

/** The user of the built-in key. It is the same in every run because data files refer to it. */
const USER_ID = "usr_EmulatorAdministrator000000";

/**
 * Starts the tunnel gateway service of the specification on this machine, for tests, quick starts and offline work.
 * It rejects what the specification does not allow. Resolves when it listens.
 *
 * ```typescript
 * import { startEmulator } from "pulumi-tunnel-gateway/emulator";
 *
 * const emulator = await startEmulator({ requestsPerMinute: 120 });
 * process.env.TUNNEL_GATEWAY_BASE_URL = emulator.baseUrl;
 * process.env.TUNNEL_GATEWAY_API_KEY = emulator.apiKey;
 * ```
 *
 * Tests in another process have the same controls under `/_emulator/` at the server's root, without headers:
 * `POST seed`, `GET state`, `GET` and `DELETE requests`, `PUT faults`, `GET` and `PUT clock`, `POST reset`.
 *
 * @throws if the port is in use, the data file is invalid or the fault plan is invalid.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const apiKey = options.apiKey ?? API_KEY;
  const host = options.host ?? "127.0.0.1";
  const basePath = normalBasePath(options.basePath);
  const clock = new Clock(options.now);
  const store = new Store(new Map(COLLECTIONS.map((each) => [each.path, indexOf(each)])), options.dataFile);
  await store.load();
  ensureUser(store, clock, options.admin ?? true);

  const requests: RecordedRequest[] = [];
  const faults = new Faults(options.faults);
  const rateLimit = new RateLimit(clock, options.requestsPerMinute, options.retryAfter);
  const context = { store, clock, options, normalise: options.lenient !== true, baseUrl: "" };
  const state: ServiceState = { context, apiKey, userId: USER_ID, requests, faults, rateLimit };
  const asAdmin = (): Context => ({ ...context, principal: { id: USER_ID, admin: true }, seeding: true });

  const controls = {
    requests,
    clearRequests: () => void requests.splice(0),
    seed: async (objects: Parameters<Emulator["seed"]>[0]) => {
      const created = seed(asAdmin(), objects);
      await store.saved();
      return created;
    },
    snapshot: () => snapshot(asAdmin()),
    setFaults: (plan?: EmulatorOptions["faults"]) => faults.set(plan),
    setClock: (time?: Date | string) => clock.set(time),
    advanceClock: (milliseconds: number) => clock.advance(milliseconds),
    reset: async () => {
      store.clear();
      requests.splice(0);
      rateLimit.clear();
      faults.set();
      clock.set();
      ensureUser(store, clock, options.admin ?? true);
      await store.saved();
    },
  };

  const app = new Hono<Env>();
  control(app, { ...controls, time: () => clock.now().toISOString() });
  serve(app, state, basePath, [
    ...collectionOperations(options.undocumentedUpdates === true),
    ...sourceOperations(),
    ...boundEndpointOperations(),
    ...moduleOperations(),
    ...sessionOperations(),
  ]);

  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  // Longer than any client keeps an idle connection: a reused connection breaks only where a test injects a fault.
  server.keepAliveTimeout = 120_000;
  const port = await listen(server, options.port ?? 0, host);
  context.baseUrl = `http://${host.includes(":") ? `[${host}]` : host}:${port}${basePath}`;

  return {
    ...controls,
    baseUrl: context.baseUrl,
    apiKey,
    userId: USER_ID,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await store.saved();
    },
  };
}

function ensureUser(store: Store, clock: Clock, admin: boolean): void {
  const user = store.get(USERS, USER_ID);
  if (user === undefined) store.create(USERS, USER_ID, clock.stamp(), { admin });
  else store.update(USERS, user, { admin });
}

function normalBasePath(path = ""): string {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
