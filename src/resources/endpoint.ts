/** Endpoints of all types, which are read and not managed: {@link CloudEndpoint} manages those of the type `cloud`. */
import { flag, oneOf, set, text, together } from "../schema/words";
import type { ReadOf } from "../schema/words";
import { declarationFor, endpoints, getOf, listOf, listWithin } from "./collection";
import { recorded, served, updated } from "./shared-fields";

/** What serves an endpoint: an agent's tunnel, an edge, or the service by a traffic policy. Specification: Endpoint. */
export const EndpointType = { Ephemeral: "ephemeral", Edge: "edge", Cloud: "cloud" } as const;
export type EndpointType = "ephemeral" | "edge" | "cloud";

const fields = together(
  {
    /** What serves the endpoint. */
    type: oneOf<EndpointType>("ephemeral", "edge", "cloud").computed(),
    /** The address that the endpoint serves. */
    url: text().computed().maybe(),
  },
  served,
  {
    /** What the endpoint is for. */
    description: text().computed().maybe(),
    /** Machine-readable data of its owner. */
    metadata: text().computed().maybe(),
    /** The bindings of the endpoint. */
    bindings: set(text()).computed(),
    /** Whether other endpoints may serve the same address together with this one. */
    poolingEnabled: flag().computed().maybe(),
    /** The traffic policy. */
    trafficPolicy: text().computed().maybe(),
  },
  recorded,
  updated,
);

/** An active endpoint of any type: what a {@link CloudEndpoint} has, and its type. Specification: Endpoint. */
export interface Endpoint extends ReadOf<typeof fields> {
  id: string;
}

const endpointSpec = {
  group: endpoints,
  path: "/endpoints",
  columns: ["type", "publicUrl", "region", "description"],
  fields,
};

const endpoint = declarationFor({ ...endpointSpec, type: "Endpoint" });

export const [getEndpoint, getEndpointOutput] = getOf<unknown, Endpoint>(endpoint);
export const [listEndpoints, listEndpointsOutput] = listOf<unknown, Endpoint>(endpoint);

/** The same objects in a list of a Kubernetes operator. */
const boundEndpoint = declarationFor({
  ...endpointSpec,
  type: "BoundEndpoint",
  listPath: "/kubernetes_operators/{operatorId}/bound_endpoints",
});

export const [listBoundEndpoints, listBoundEndpointsOutput] = listWithin<unknown, Endpoint>(boundEndpoint);
