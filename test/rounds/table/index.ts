/**
 * All 23 classes, and the changes of their arguments round by round. A class with many arguments stands here
 * several times, so that there are few rounds. `SECRET` begins every secret that is no PEM.
 */
import type { Subject } from "../subject";
import { backends, edges } from "./backends";
import { certificates } from "./certificates";
import { endpoints, operators } from "./endpoints";
import { destinations, subscriptions } from "./events";
import { oauthModules, oidcModules, otherModules } from "./modules";
import { policies, principals } from "./principals";

/** What stands in the account beside the stack. Each module has a route of its own. */
const outside = {
  users: [{ id: "usr_ada" }, { id: "usr_bob" }],
  ip_policies: [{ id: "ipp_one" }, { id: "ipp_two" }],
  "backends/tunnel_group": [{ id: "bkdtg_out", labels: { out: "side" } }],
  "backends/http_response": [{ id: "bkdhr_out" }],
  event_destinations: ["ed_one", "ed_two"].map((id) => ({ id, target: { monitoring: { api_key: id } } })),
  event_subscriptions: [{ id: "esb_one" }, { id: "esb_two" }],
};

export const subjects: readonly Subject[] = [
  ...principals,
  ...policies,
  ...backends,
  ...edges,
  ...operators,
  ...endpoints,
  ...certificates,
  ...destinations,
  ...subscriptions,
  ...oidcModules,
  ...oauthModules,
  ...otherModules,
];

/** The routes of the modules' first places, and of those that they move to. */
const routes = (edge: string) => {
  const places = subjects.flatMap(({ args, changes }) => [
    args,
    ...changes.map(({ set }) => ({ ...args, ...set })),
  ]);
  const ids = places.filter(({ edgeId }) => edgeId === edge).map((args) => args.routeId as string);
  return [...new Set(ids)].map((id) => ({ id }));
};

export const seed = {
  ...outside,
  https_edges: [
    { id: "edge_one", routes: routes("edge_one") },
    { id: "edge_two", routes: routes("edge_two") },
  ],
  tls_edges: [{ id: "tls_one" }, { id: "tls_two" }],
};
