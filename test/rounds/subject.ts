/** The vocabulary of the table: one resource of the stack, and what becomes of it in each round. */

export type Json = Record<string, unknown>;

export interface Subject {
  readonly name: string;
  readonly type: string;
  /** The first arguments. `@name` stands for the id of another resource of the stack, as a value or as a key. */
  readonly args: Json;
  /** What changes in each round, one after the other. */
  readonly changes: readonly Change[];
  /** Members of the object's wire form that are changed by a request behind Pulumi's back. */
  readonly drift?: Json;
  /** The same of what no update can change: the object is deleted and made anew with its id and this body. */
  readonly exchanged?: Json;
  /** The same of what the program leaves to the service, so that nothing is to be found. */
  readonly stray?: Json;
  /** The members that a PATCH sends of an argument, where it does not send them all. */
  readonly sendable?: Readonly<Record<string, readonly string[]>>;
}

export interface Change {
  /** New values by path; undefined takes the argument out of the program. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly op: "update" | "replace";
  /** The body of the PATCH where it is not the changed arguments as they are; null: no request at all. */
  readonly sends?: Json | null;
  /** The replaced object is deleted before the new one is made. */
  readonly deleteFirst?: boolean;
}

/** A change in place, by one request. */
export const update = (path: string, value: unknown, sends?: Json): Change => ({
  set: { [path]: value },
  op: "update",
  ...(sends ? { sends } : {}),
});

/** The removal of an argument, which is sent as this body. */
export const remove = (path: string, sends?: Json): Change => update(path, undefined, sends);

/** A change that is recorded, and of which nothing is sent. */
export const record = (path: string, value?: unknown): Change => ({
  set: { [path]: value },
  op: "update",
  sends: null,
});

/** A change that makes a new object before the old one is deleted. */
export const replace = (set: Readonly<Record<string, unknown>>): Change => ({ set, op: "replace" });

/** A change that deletes the old object before a new one is made. */
export const swap = (set: Readonly<Record<string, unknown>>): Change => ({
  set,
  op: "replace",
  deleteFirst: true,
});

/** The removal of an argument that makes a new object. */
export const drop = (path: string): Change => replace({ [path]: undefined });

/** The arguments at each time: first those that the resource is made with, then those of each round. */
export function history({ args, changes }: Subject): Json[] {
  return changes.reduce<Json[]>((all, { set }) => [...all, changed(all.at(-1)!, set)], [args]);
}

function changed(args: Json, set: Readonly<Record<string, unknown>>): Json {
  const next = structuredClone(args);
  for (const [path, value] of Object.entries(set)) {
    const names = path.split(".");
    const last = names.pop()!;
    const holder = names.reduce<Json>((outer, name) => (outer[name] ??= {}) as Json, next);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  return next;
}

/** The specification's name of an argument. */
export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Maps whose keys are the user's own; what is no argument of any class but this package's; what is a path. */
const ownKeys = ["labels", "headers", "backends", "criticalOptions", "extensions"];
const unsent = ["edgeId", "routeId", "subscriptionId", "earlyRenewalHours", "validForHours", "sealTo"];

/** The body that stands for arguments. */
export function wire(args: Json): Json {
  const sent = Object.entries(args).filter(([name]) => !unsent.includes(name));
  return Object.fromEntries(sent.map(([name, value]) => [snake(name), wireValue(name, value)]));
}

function wireValue(name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || ownKeys.includes(name)) return value;
  return Array.isArray(value) ? value.map((item) => wireValue(name, item)) : wire(value as Json);
}
