import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import type { ReplaceWhen } from "../schema/field";
import * as url from "../schema/formats/url";
import { flag, oneOf, set, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { isUnknown } from "../schema/unknown";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { comparedByOwnRule } from "../schema/meaning";
import { endpoints } from "./groups";
import { described, recorded, served, updated } from "./shared-fields";

/** The types of endpoints that can be managed. Specification: Create and update parameters, /endpoints. */
export const CloudEndpointType = { Cloud: "cloud" } as const;
export type CloudEndpointType = "cloud";

/** The protocols that an endpoint serves. Specification: Endpoint. */
export const EndpointProto = { Http: "http", Https: "https", Tcp: "tcp", Tls: "tls" } as const;
export type EndpointProto = "http" | "https" | "tcp" | "tls";

/** The arguments of a {@link CloudEndpoint}. Specification: Create and update parameters, /endpoints. */
export interface CloudEndpointArgs {
  /**
   * The address that the endpoint serves: usually a scheme of http, https, tcp or tls, a host, which may begin with
   * `*.`, and if needed a port; another form is a warning, and another scheme an error. Changing the scheme replaces the endpoint, any other change is in place; in a
   * preview that does not know the new address yet, it shows as an update.
   */
  url: pulumi.Input<string>;
  /** The type, which never changes: `cloud`. Default: `cloud`. If removed: replaced, unless it has its default. */
  type?: pulumi.Input<CloudEndpointType>;
  /** The traffic policy, kept byte for byte. Default: left to the service. If removed: cleared. */
  trafficPolicy?: pulumi.Input<string>;
  /** The bindings of the endpoint, in any order. Default: left to the service. If removed: cleared. */
  bindings?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Whether other endpoints may serve the same address together with this one. Default: left to the service. If
   * removed: stays as it is.
   */
  poolingEnabled?: pulumi.Input<boolean>;
  /** What the endpoint is for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

/** A scheme that is not known yet is taken for the same. */
const schemeChanges: ReplaceWhen = ({ old, next }) =>
  typeof old === "string" &&
  typeof next === "string" &&
  !isUnknown(next) &&
  url.schemeOf(old) !== url.schemeOf(next);

const cloudEndpoint: Declaration = collection<CloudEndpointArgs, CloudEndpoint>({
  type: "CloudEndpoint",
  noun: "cloud endpoint",
  group: endpoints,
  path: "/endpoints",
  columns: ["url", "description"],
  address: "url",
  gates: [{ by: "trafficPolicy", what: "traffic policy", argument: "trafficPolicy" }],
  only: {
    test: ({ type }) => (type ?? "cloud") === "cloud",
    otherwise: "it is of another type; use getEndpoint",
  },
  fields: {
    url: text({
      check: url.checkEndpoint,
      advise: url.adviseEndpoint,
      canonical: url.canonical,
      example: () => "https://example.com",
    })
      .required()
      .replace(schemeChanges)
      .means("where traffic goes"),
    type: oneOf("cloud").serverDefault("cloud").replace().means("none"),
    trafficPolicy: text().means("who gets in", comparedByOwnRule),
    bindings: set(text()).means("who gets in", comparedByOwnRule),
    poolingEnabled: flag().serverDefault().absentAs(false).means("where traffic goes"),
    ...described(),
    ...recorded(),
    ...updated(),
    ...served(),
  },
});

/**
 * A cloud endpoint: an address that the service serves itself, by a traffic policy.
 *
 * ## Example: an address with a fixed answer
 *
 * ```typescript
 * import { CloudEndpoint } from "pulumi-tunnel-gateway";
 *
 * const hello = new CloudEndpoint("hello", {
 *   url: "https://hello.example.com",
 *   trafficPolicy: JSON.stringify({
 *     on_http_request: [{ actions: [{ type: "custom-response", config: { status_code: 200, body: "hello" } }] }],
 *   }),
 * });
 * export const helloUrl = hello.publicUrl;
 * ```
 *
 * Specification: Endpoint.
 */
export class CloudEndpoint extends resource<CloudEndpoint, CloudEndpointArgs>(cloudEndpoint) {
  /** The address that the endpoint serves, as the program wrote it. */
  declare readonly url: pulumi.Output<string>;
  /** The type: `cloud`. */
  declare readonly type: pulumi.Output<CloudEndpointType>;
  /** What is done with the traffic. */
  declare readonly trafficPolicy: pulumi.Output<string | undefined>;
  /** The bindings of the endpoint. */
  declare readonly bindings: pulumi.Output<string[] | undefined>;
  /** Whether other endpoints may serve the same address together with this one. */
  declare readonly poolingEnabled: pulumi.Output<boolean>;
  /** What the endpoint is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the endpoint was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** When the endpoint last changed, RFC 3339. */
  declare readonly updatedAt: pulumi.Output<string>;
  /** The region of the endpoint. */
  declare readonly region: pulumi.Output<string | undefined>;
  /** The public address of the endpoint. */
  declare readonly publicUrl: pulumi.Output<string>;
  /** The protocol that the endpoint serves. */
  declare readonly proto: pulumi.Output<EndpointProto>;
  /** The scheme of the address. */
  declare readonly scheme: pulumi.Output<string | undefined>;
  /** The host of the address. */
  declare readonly host: pulumi.Output<string | undefined>;
  /**
   * The host and port of the address, as `hostname:port`.
   * @deprecated The service is going to deprecate it; use {@link host} and {@link port}.
   */
  declare readonly hostport: pulumi.Output<string | undefined>;
  /** The port of the address. */
  declare readonly port: pulumi.Output<number | undefined>;
  /** The reserved domain of the address, if any. */
  declare readonly domain: pulumi.Output<Ref | undefined>;
  /** The reserved TCP address, if any. */
  declare readonly tcpAddr: pulumi.Output<Ref | undefined>;
  /** The tunnel that serves an endpoint of type `ephemeral`. */
  declare readonly tunnel: pulumi.Output<Ref | undefined>;
  /** The edge that serves an endpoint of type `edge`. */
  declare readonly edge: pulumi.Output<Ref | undefined>;
  /** The local address that a tunnel forwards to. */
  declare readonly upstreamUrl: pulumi.Output<string | undefined>;
  /** The protocol in which an agent forwards. */
  declare readonly upstreamProtocol: pulumi.Output<string | undefined>;
  /** The user or bot user that owns the endpoint. */
  declare readonly principal: pulumi.Output<Ref | undefined>;
  /** The session of the tunnel that serves the endpoint. */
  declare readonly tunnelSession: pulumi.Output<Ref | undefined>;
  /** The name that a user gave the endpoint. */
  declare readonly name: pulumi.Output<string | undefined>;
}

const readers = readersOf<ResultOf<CloudEndpoint>>(cloudEndpoint);
/** Reads a cloud endpoint by its id, or the only one that a filter matches. Specification: Endpoint. */
export const getCloudEndpoint = readers.get;
/** {@link getCloudEndpoint} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getCloudEndpointOutput = readers.getOutput;
/** Lists all cloud endpoints. Specification: Endpoint. */
export const listCloudEndpoints = readers.list;
/** {@link listCloudEndpoints} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listCloudEndpointsOutput = readers.listOutput;
