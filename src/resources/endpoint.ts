/** Endpoints of all types, which are read and not managed: {@link CloudEndpoint} manages those of the type `cloud`. */
import { readOnly } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { flag, oneOf, set, text } from "../schema/kinds";
import { readersOf, readersWithin } from "../account/readers";
import type { ResultOf } from "../account/readers";
import type { CloudEndpoint } from "./cloud-endpoint";
import { endpoints } from "./groups";
import { recorded, served, updated } from "./shared-fields";

/** What serves an endpoint: an agent's tunnel, an edge, or the service by a traffic policy. Specification: Endpoint. */
export const EndpointType = { Ephemeral: "ephemeral", Edge: "edge", Cloud: "cloud" } as const;
export type EndpointType = "ephemeral" | "edge" | "cloud";

/** An active endpoint of any type: what a {@link CloudEndpoint} has, and its type. Specification: Endpoint. */
export interface Endpoint extends Omit<
  ResultOf<CloudEndpoint>,
  "type" | "url" | "bindings" | "poolingEnabled"
> {
  /** What serves the endpoint. */
  type: EndpointType;
  /** The address that the endpoint serves. */
  url: string | undefined;
  /** The bindings of the endpoint. */
  bindings: string[];
  /** Whether other endpoints may serve the same address together with this one. */
  poolingEnabled: boolean | undefined;
}

const endpoint = readOnly<Endpoint>({
  type: "Endpoint",
  noun: "endpoint",
  group: endpoints,
  path: "/endpoints",
  columns: ["type", "publicUrl", "region", "description"],
  fields: {
    type: oneOf("ephemeral", "edge", "cloud").computed(),
    url: text().computed(),
    ...served(),
    description: text().computed(),
    metadata: text().computed(),
    bindings: set(text()).computed(),
    poolingEnabled: flag().computed(),
    trafficPolicy: text().computed(),
    ...recorded(),
    ...updated(),
  },
});

const readers = readersOf<Endpoint>(endpoint);
/** Reads an active endpoint of any type, by its id or the only one that a filter matches. Specification: Endpoint. */
export const getEndpoint = readers.get;
/** {@link getEndpoint} with Outputs as arguments and an Output as result. */
export const getEndpointOutput = readers.getOutput;
/** Lists all active endpoints, of every type. Specification: Endpoint. */
export const listEndpoints = readers.list;
/** {@link listEndpoints} with Outputs as arguments and an Output as result. */
export const listEndpointsOutput = readers.listOutput;

/** The same objects in a list of a Kubernetes operator. */
const boundEndpoint: Declaration = {
  ...endpoint,
  type: "BoundEndpoint",
  noun: "bound endpoint",
  plural: "bound endpoints",
  listPath: "/kubernetes_operators/{operatorId}/bound_endpoints",
};

const boundReaders = readersWithin<Endpoint>(boundEndpoint);
/** Lists all endpoints that are bound to a Kubernetes operator. Specification: Kubernetes operator extra operation. */
export const listBoundEndpoints = boundReaders.list;
/** {@link listBoundEndpoints} with Outputs as arguments and an Output as result. */
export const listBoundEndpointsOutput = boundReaders.listOutput;
