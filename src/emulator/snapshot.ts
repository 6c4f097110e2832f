/** The account in the form of answers, without normalisation: all of it, or the changes. */
import { COLLECTIONS } from "./collections";
import type { Context } from "./context";
import { responseOf } from "./http/crud";
import { sshAuthority } from "./keys/authorities";
import { MODULES, moduleResponse } from "./operations/edge-modules";
import { reconnectAgents, sessionResponse } from "./operations/sessions";
import { HTTPS_EDGES, HTTPS_ROUTES, SSH_AUTHORITIES, TLS_EDGES, TUNNEL_SESSIONS, USERS } from "./paths";
import type { Stored } from "./store";
import type { ChangedObject, JsonObject, Snapshot } from "./types";

/** One list of a snapshot. */
interface ShownList {
  readonly key: string;
  readonly kind: string;
  readonly show: (context: Context, stored: Stored) => object;
}

const LISTS: readonly ShownList[] = [
  ...COLLECTIONS.map((collection): ShownList => ({
    key: collection.path.slice(1),
    kind: collection.path,
    show: (context, stored) => responseOf(collection, context, stored),
  })),
  { key: "tunnel_sessions", kind: TUNNEL_SESSIONS, show: sessionResponse },
  { key: "https_edges", kind: HTTPS_EDGES, show: httpsEdge },
  { key: "tls_edges", kind: TLS_EDGES, show: (context, edge) => ownerWithModules(context, TLS_EDGES, edge) },
  { key: "users", kind: USERS, show: (_, { id, fields }) => ({ id, admin: fields.admin === true }) },
  {
    key: "ssh_certificate_authorities",
    kind: SSH_AUTHORITIES,
    show: (_, authority) => sshAuthority(authority),
  },
];

/** The whole account, oldest first, without the built-in key's user. */
export function snapshot(context: Context): Snapshot {
  const shown = { ...context, normalise: false };
  reconnectAgents(context);
  return Object.fromEntries(
    LISTS.map(({ key, kind, show }) => {
      const objects = context.store.all(kind).filter((each) => !isBuiltIn(context, kind, each.id));
      return [key, objects.map((each) => show(shown, each) as JsonObject)];
    }),
  );
}

/** The objects changed since the last call, in the order of their first change. */
export function changedObjects(context: Context): ChangedObject[] {
  const shown = { ...context, normalise: false };
  const { store } = context;
  const changed = new Map<string, ChangedObject>();
  for (const each of store.takeChanged()) {
    const { kind, id } = each.kind === HTTPS_ROUTES ? edgeOf(context, each.id) : each;
    const list = LISTS.find((known) => known.kind === kind);
    if (list === undefined || isBuiltIn(context, kind, id)) continue;
    const stored = store.get(kind, id);
    const object = stored && (list.show(shown, stored) as JsonObject);
    changed.set(`${kind} ${id}`, { list: list.key, id, ...(object && { object }) });
  }
  return [...changed.values()];
}

const isBuiltIn = ({ principal }: Context, kind: string, id: string) => kind === USERS && id === principal.id;

/** A route is shown with its edge. */
const edgeOf = ({ store }: Context, route: string) => ({
  kind: HTTPS_EDGES,
  id: String(store.get(HTTPS_ROUTES, route)?.fields.edge_id),
});

function httpsEdge(context: Context, { id }: Stored): object {
  const routes = context.store.all(HTTPS_ROUTES).filter((route) => route.fields.edge_id === id);
  return { id, routes: routes.map((route) => ownerWithModules(context, HTTPS_ROUTES, route)) };
}

/** An edge or route with its modules. */
export function ownerWithModules(context: Context, kind: string, owner: Stored): JsonObject {
  const set = MODULES.filter((module) => module.kind === kind && owner.fields[module.name] !== undefined);
  const modules = set.map((module): [string, unknown] => [
    module.name,
    moduleResponse(module, context, owner),
  ]);
  return { id: owner.id, ...Object.fromEntries(modules) };
}
