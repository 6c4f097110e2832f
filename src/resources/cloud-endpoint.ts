import { occupied } from "../schema/occupied-addresses";
import * as url from "../schema/formats/url";
import { comparedByOwnRule, flag, oneOf, set, text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { endpoints, getOf, listOf, resource } from "./collection";
import { described, recorded, served, updated } from "./shared-fields";

/** The types of endpoints that can be managed. Specification: Create and update parameters, /endpoints. */
export const CloudEndpointType = { Cloud: "cloud" } as const;
export type CloudEndpointType = "cloud";

const own = {
  /**
   * The address that the endpoint serves: usually a scheme of http, https, tcp or tls, a host, which may begin with `*.`,
   * and if needed a port; another form is a warning, and another scheme an error. Changing the scheme replaces the
   * endpoint, any other change is in place; a preview that does not know the new address yet shows an update.
   */
  url: text(url.endpoint).required().replace(url.schemeChanges).means("where traffic goes"),
  /** The type, which never changes: `cloud`. Default: `cloud`. */
  type: oneOf<CloudEndpointType>("cloud").serverDefault("cloud").replace().means("none"),
  /** The traffic policy, kept byte for byte. */
  trafficPolicy: text().means("who gets in", comparedByOwnRule),
  /** The bindings of the endpoint, in any order. */
  bindings: set(text()).means("who gets in", comparedByOwnRule),
  /** Whether other endpoints may serve the same address together with this one. */
  poolingEnabled: flag().serverDefault().absentAs(false).means("where traffic goes"),
};

const fields = together(own, described, recorded, updated, served);

/** The arguments of a {@link CloudEndpoint}. Specification: Create and update parameters, /endpoints. */
export interface CloudEndpointArgs extends ArgsOf<typeof fields> {}

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
export class CloudEndpoint extends resource<CloudEndpoint, CloudEndpointArgs, typeof fields>({
  type: "CloudEndpoint",
  group: endpoints,
  path: "/endpoints",
  columns: ["url", "description"],
  address: "url",
  occupies: ({ url: served, poolingEnabled }) => ({
    addresses: occupied(served, url.canonical),
    isShared: poolingEnabled === true,
  }),
  gates: [{ by: "trafficPolicy", what: "traffic policy", argument: "trafficPolicy" }],
  only: {
    test: ({ type }) => (type ?? "cloud") === "cloud",
    otherwise: "it is of another type; use getEndpoint",
  },
  fields,
}) {}

export const [getCloudEndpoint, getCloudEndpointOutput] = getOf(CloudEndpoint);
export const [listCloudEndpoints, listCloudEndpointsOutput] = listOf(CloudEndpoint);
