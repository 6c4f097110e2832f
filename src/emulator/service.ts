/** The service without a server: its operations, its account and the controls of tests. */
import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { Env, ServiceState } from "./http/app";
import { collectionOperations, serve } from "./http/app";
import { boundEndpoints } from "./operations/bound-endpoints";
import { AccessHistory } from "./access-history";
import { Clock } from "./clock";
import { COLLECTIONS } from "./collections";
import { indexOf } from "./collections/collection";
import type { Context } from "./context";
import { copyAccount } from "./copy";
import { control } from "./http/control";
import { withOption } from "./http/errors";
import { Faults } from "./http/faults";
import { moduleOperations } from "./operations/edge-modules";
import { RateLimit } from "./http/rate-limit";
import { USERS } from "./paths";
import { seed } from "./seed";
import { changedObjects, snapshot } from "./snapshot";
import { sessionOperations } from "./operations/sessions";
import { sourceOperations } from "./operations/event-sources";
import { Store } from "./store";
import type { ChangedObject, Emulator, EmulatorOptions } from "./types";

const API_KEY = "emulator-key-not-a-secret";

/** The user of the built-in key. It is the same in every run because data files refer to it. */
const USER_ID = "usr_EmulatorAdministrator000000";

export interface Changes {
  /** The objects changed since the last call. The first call starts the recording of changes. */
  takeChanges(): ChangedObject[];
}

export interface Service {
  readonly app: Hono<Env>;
  readonly controls: Omit<Emulator, "baseUrl" | "close"> & Changes;
  /** Sets the origin of the service, without the base path, before the first request. Returns the base URL. */
  readonly at: (origin: string) => string;
  /** Resolves when all changes are in the data file. */
  readonly saved: () => Promise<void>;
}

const noText = (_text: string): boolean => false;

/**
 * Makes the service. Throws if the data file is invalid, and an InvalidOptionError for the account, the seed and the fault plan.
 * @param isOpaque whether a text stands for an unknown value. Default: none does.
 */
export async function createService(options: EmulatorOptions, isOpaque = noText): Promise<Service> {
  const basePath = normalBasePath(options.basePath);
  const clock = new Clock(options.now);
  const store = new Store(new Map(COLLECTIONS.map((each) => [each.path, indexOf(each)])), options.dataFile);
  await store.load();
  ensureUser(store, clock, options);

  const faults = withOption("faults", () => new Faults(options.faults));
  const { account, seed: first } = options;
  const leftOut = withOption("account", () => copyAccount(store, account ?? {}));
  const context = {
    ...{ store, clock, options, isOpaque },
    isCopy: account !== undefined,
    normalise: options.lenient !== true,
    baseUrl: "",
  };
  const state: ServiceState = {
    ...{ context, faults, requests: [], apiKey: options.apiKey ?? API_KEY, userId: USER_ID },
    rateLimit: new RateLimit(clock, options.requestsPerMinute, options.retryAfter),
    access: options.accessHistory === true ? new AccessHistory(store) : undefined,
  };
  // Nothing is saved if the seed is refused: an account with part of the seed would count as an existing one.
  if (first !== undefined) withOption("seed", () => seed(asAdmin(state), first));
  await store.saved();

  // Each rehearsal makes its own service, and the default router compiles all routes at its first request.
  const app = new Hono<Env>({ router: new TrieRouter() });
  const controls = { leftOut, ...controlsOf(state) };
  control(app, { ...controls, time: () => clock.now().toISOString() });
  serve(app, state, basePath, [
    ...collectionOperations(options),
    ...sourceOperations,
    boundEndpoints,
    ...moduleOperations,
    ...sessionOperations,
  ]);

  return {
    app,
    controls: { ...controls, apiKey: state.apiKey, userId: USER_ID },
    at: (origin) => (context.baseUrl = origin + basePath),
    saved: () => store.saved(),
  };
}

function asAdmin({ context }: ServiceState): Context {
  return { ...context, principal: { id: USER_ID, admin: true }, seeding: true };
}

/** The controls of tests. */
function controlsOf(state: ServiceState) {
  const { requests, faults, rateLimit, access } = state;
  const { store, clock, options } = state.context;
  return {
    requests,
    clearRequests: () => {
      requests.splice(0);
      access?.restart();
    },
    seed: async (objects: Parameters<Emulator["seed"]>[0]) => {
      const created = seed(asAdmin(state), objects);
      access?.note();
      await store.saved();
      return created;
    },
    snapshot: () => snapshot(asAdmin(state)),
    takeChanges: () => changedObjects(asAdmin(state)),
    accessHistory: () => {
      if (access === undefined) throw new Error("start the emulator with the option accessHistory: true");
      return access.list();
    },
    setFaults: (plan?: EmulatorOptions["faults"]) => faults.set(plan),
    setClock: (time?: Date | string) => clock.set(time),
    advanceClock: (milliseconds: number) => clock.advance(milliseconds),
    reset: async () => {
      store.clear();
      requests.splice(0);
      rateLimit.clear();
      faults.set();
      clock.set();
      ensureUser(store, clock, options);
      access?.restart();
      await store.saved();
    },
  };
}

function ensureUser(store: Store, clock: Clock, { admin = true }: EmulatorOptions): void {
  const user = store.get(USERS, USER_ID);
  if (user === undefined) store.create(USERS, USER_ID, clock.stamp(), { admin });
  else store.update(USERS, user, { admin });
}

function normalBasePath(path = ""): string {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}
