/**
 * Copies an account unchanged. Objects of a service are valid, so they are not checked; only unreadable ones are left out.
 */
import { COLLECTIONS } from "./collections";
import { indexOf } from "./collections/collection";
import { membersSet } from "./copied";
import { HttpError } from "./http/errors";
import { isObject } from "./http/validation";
import { MODULES } from "./operations/edge-modules";
import { copiedSession } from "./operations/sessions";
import {
  CREDENTIALS,
  HTTPS_EDGES,
  HTTPS_ROUTES,
  SSH_AUTHORITIES,
  TLS_EDGES,
  TUNNELS,
  TUNNEL_SESSIONS,
  USERS,
} from "./paths";
import type { Fields, Store } from "./store";
import type { JsonObject, Snapshot } from "./types";

/** An object with its id. */
type Identified = JsonObject & { readonly id: string };

/** One list of an account, and the function that stores an object of it. */
interface Copier {
  readonly key: string;
  readonly copy: (store: Store, answer: Identified) => void;
}

const simple = (key: string, kind: string): Copier => ({
  key,
  copy: (store, answer) => insert(store, kind, answer, membersSet(answer)),
});

const COPIERS: readonly Copier[] = [
  ...COLLECTIONS.map((collection): Copier => {
    const { path } = collection;
    const index = indexOf(collection);
    return {
      key: path.slice(1),
      copy: (store, answer) => {
        const fields = collection.copied?.(answer) ?? membersSet(answer);
        // Throws before anything is stored if the object is not one of the collection.
        index.unique?.(fields);
        index.refs?.(fields);
        insert(store, path, answer, fields);
      },
    };
  }),
  {
    key: "tunnel_sessions",
    copy: (store, answer) => insert(store, TUNNEL_SESSIONS, answer, copiedSession(answer)),
  },
  { key: "https_edges", copy: httpsEdge },
  { key: "tls_edges", copy: (store, answer) => owner(store, TLS_EDGES, answer, {}) },
  simple("users", USERS),
  simple("tunnel_credentials", CREDENTIALS),
  simple("ssh_certificate_authorities", SSH_AUTHORITIES),
  simple("tunnels", TUNNELS),
];

/**
 * Stores the objects of an account. Returns why some of them are left out.
 * @throws an HttpError if the account is not an object with the lists of a snapshot.
 */
export function copyAccount(store: Store, account: Snapshot): string[] {
  if (!isObject(account)) throw refused("must be an object with lists of objects");
  const unknown = Object.keys(account).filter((key) => !COPIERS.some((copier) => copier.key === key));
  if (unknown.length > 0) {
    const keys = COPIERS.map(({ key }) => key).join(", ");
    throw refused(`${unknown.join(", ")}: unknown key; the keys are ${keys}`);
  }
  return COPIERS.flatMap(({ key, copy }) => {
    const objects: unknown = account[key] ?? [];
    if (!Array.isArray(objects)) throw refused(`${key}: must be a list of objects`);
    return objects.flatMap((answer: unknown, index) => {
      const problem = problemWith(answer) ?? problemOf(() => copy(store, answer as Identified));
      return problem === undefined ? [] : [`${key}[${index}] is left out: ${problem}`];
    });
  });
}

function problemWith(answer: unknown): string | undefined {
  if (!isObject(answer)) return "it is no object";
  return typeof answer.id === "string" && answer.id !== "" ? undefined : "it has no id";
}

function problemOf(copy: () => void): string | undefined {
  try {
    copy();
    return undefined;
  } catch (error) {
    return `it is not as the specification shows (${(error as Error).message})`;
  }
}

function insert(store: Store, kind: string, answer: Identified, fields: Fields): void {
  const { id, created_at: created, started_at: started = "" } = answer;
  store.copy(kind, { id, created_at: String(created ?? started), fields, copy: { answer, fields } });
}

function httpsEdge(store: Store, answer: Identified): void {
  insert(store, HTTPS_EDGES, answer, {});
  for (const route of (answer.routes ?? []) as Identified[])
    owner(store, HTTPS_ROUTES, route, { edge_id: answer.id });
}

/** An edge or a route with its modules. */
function owner(store: Store, kind: string, answer: Identified, fields: Fields): void {
  const modules = MODULES.filter((module) => module.kind === kind && isObject(answer[module.name]));
  const read = modules.map((module): [string, unknown] => [
    module.name,
    module.copied(answer[module.name] as Fields),
  ]);
  insert(store, kind, answer, { ...fields, ...Object.fromEntries(read) });
}

function refused(message: string): HttpError {
  return new HttpError(400, "ERR_ACCOUNT", message);
}
