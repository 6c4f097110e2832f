import type { Clock } from "./clock";
import type { Store } from "./store";
import { dangling } from "./errors";
import type { EmulatorOptions } from "./types";

export interface Ref {
  id: string;
  uri: string;
}

/** Who sent a request. */
export interface Principal {
  id: string;
  admin: boolean;
}

/** What every part of the emulator works with. */
export interface Context {
  store: Store;
  clock: Clock;
  options: EmulatorOptions;
  /** Answers are normalised as services of this kind do (service-facts.md). */
  normalise: boolean;
  /** Base URL of the running service, without a slash at the end. */
  baseUrl: string;
  principal: Principal;
  /** The objects come from the seed route, which may make what the API cannot. */
  seeding: boolean;
}

export function ref(context: Context, path: string, id: string): Ref {
  return { id, uri: `${context.baseUrl}${path}/${encodeURIComponent(id)}` };
}

/** Refuses an id that names nothing, under its field's name. */
export function mustExist(context: Context, kind: string, id: string, field: string, what: string): void {
  if (context.store.get(kind, id) === undefined) throw dangling(field, what);
}
