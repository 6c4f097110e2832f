/** Endpoints of all types, which are read and not managed: {@link CloudEndpoint} manages those of the type `cloud`. */
import type { Declaration } from "../schema/declaration";
import * as time from "../schema/formats/time";
import { flag, number, oneOf, ref, set, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { readOnly } from "../schema/read-only";
import { readersOf, readersWithin } from "../account/readers";
import type { EndpointProto } from "./cloud-endpoint";
import { endpoints } from "./groups";

/** What serves an endpoint: an agent's tunnel, an edge, or the service by a traffic policy. Specification: Endpoint. */
export const EndpointType = { Ephemeral: "ephemeral", Edge: "edge", Cloud: "cloud" } as const;
export type EndpointType = "ephemeral" | "edge" | "cloud";

/** An active endpoint of any type. Specification: Endpoint. */
export interface Endpoint {
  id: string;
  /** The address of the endpoint in the API. */
  uri: string;
  /** The region of the endpoint. */
  region: string | undefined;
  /** When the endpoint was created, RFC 3339. */
  createdAt: string;
  /** When the endpoint last changed, RFC 3339. */
  updatedAt: string;
  /** The public address of the endpoint. */
  publicUrl: string;
  /** The protocol that the endpoint serves. */
  proto: EndpointProto;
  /** The scheme of the address. */
  scheme: string | undefined;
  /** The host of the address. */
  host: string | undefined;
  /**
   * The host and port of the address, as `hostname:port`.
   * @deprecated The service is going to deprecate it; use `host` and `port`.
   */
  hostport: string | undefined;
  /** The port of the address. */
  port: number | undefined;
  /** What serves the endpoint. */
  type: EndpointType;
  /** Machine-readable data. */
  metadata: string | undefined;
  /** What the endpoint is for. */
  description: string | undefined;
  /** The reserved domain of the address, where there is one. */
  domain: Ref | undefined;
  /** The reserved TCP address, where there is one. */
  tcpAddr: Ref | undefined;
  /** The tunnel that serves an endpoint of type `ephemeral`. */
  tunnel: Ref | undefined;
  /** The edge that serves an endpoint of type `edge`. */
  edge: Ref | undefined;
  /** The local address that a tunnel forwards to. */
  upstreamUrl: string | undefined;
  /** The protocol in which an agent forwards. */
  upstreamProtocol: string | undefined;
  /** The address that the endpoint serves. */
  url: string | undefined;
  /** The user or bot user that owns the endpoint. */
  principal: Ref | undefined;
  /** What is done with the traffic. */
  trafficPolicy: string | undefined;
  /** The bindings of the endpoint. */
  bindings: string[];
  /** The session of the tunnel that serves the endpoint. */
  tunnelSession: Ref | undefined;
  /** The name that a user gave the endpoint. */
  name: string | undefined;
  /** Whether other endpoints may serve the same address together with this one. */
  poolingEnabled: boolean | undefined;
}

const endpoint = readOnly<Endpoint>({
  type: "Endpoint",
  noun: "endpoint",
  plural: "endpoints",
  group: endpoints,
  path: "/endpoints",
  listKey: "endpoints",
  columns: ["type", "publicUrl", "region", "description"],
  fields: {
    type: oneOf("ephemeral", "edge", "cloud").computed(),
    url: text().computed(),
    publicUrl: text().computed(),
    proto: oneOf("http", "https", "tcp", "tls").computed(),
    scheme: text().computed(),
    host: text().computed(),
    hostport: text().computed(),
    port: number().computed(),
    region: text().computed(),
    name: text().computed(),
    description: text().computed(),
    metadata: text().computed(),
    bindings: set(text()).computed(),
    poolingEnabled: flag().computed(),
    upstreamUrl: text().computed(),
    upstreamProtocol: text().computed(),
    trafficPolicy: text().computed(),
    domain: ref("domain"),
    tcpAddr: ref("tcp_addr"),
    tunnel: ref("tunnel"),
    tunnelSession: ref("tunnel_session"),
    edge: ref("edge"),
    principal: ref("principal"),
    createdAt: text(time).computed(),
    updatedAt: text(time).computed(),
    uri: text().computed(),
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
