import type { Clock } from "./clock";
import type { Store } from "./store";
import { dangling } from "./http/errors";
import type { EmulatorOptions } from "./types";

export interface Ref {
  id: string;
  uri: string;
}

/** The sender of a request. */
export interface Principal {
  id: string;
  admin: boolean;
}

/** What every part of the emulator works with. */
export interface Context {
  store: Store;
  clock: Clock;
  options: EmulatorOptions;
  /** Responses are normalised as in services of this kind. */
  normalise: boolean;
  /**
   * The account is a copy of another one. Users, edges and routes are in no list, so each that a request names exists.
   */
  isCopy: boolean;
  /** Whether a text stands for an unknown value. */
  isOpaque: (text: string) => boolean;
  /** Base URL of the running service, without a slash at the end. */
  baseUrl: string;
  principal: Principal;
  /** The objects come from a seed, which may create what the API cannot. */
  seeding: boolean;
}

export function ref(context: Context, path: string, id: string): Ref {
  return { id, uri: `${context.baseUrl}${path}/${encodeURIComponent(id)}` };
}

/** What a member that is set shows, and null for any other. */
export const orNull = <T, S>(value: T | undefined, show: (value: T) => S) =>
  value === undefined ? null : show(value);

/** Rejects an id without an object; the error names the field. */
export function mustExist(context: Context, kind: string, id: string, field: string, what: string): void {
  if (!context.isOpaque(id) && context.store.get(kind, id) === undefined) throw dangling(field, what);
}
