import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import * as header from "../schema/formats/header";
import { adviseStatusCode, statusCode } from "../schema/formats/number";
import { map, number, text } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { backends } from "./groups";
import { described, recorded } from "./shared-fields";

/** The arguments of an {@link HttpResponseBackend}. Specification: Create and update parameters, /backends/http_response. */
export interface HttpResponseBackendArgs {
  /** The fixed content of every response. Default: left to the service. If removed: cleared. */
  body?: pulumi.Input<string>;
  /**
   * The headers of every response. Letter case of a name does not count. Default: left to the service. If removed:
   * cleared.
   */
  headers?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The status code of every response, a signed 32-bit number. One outside of 100 to 599 is a warning. Default: left
   * to the service. If removed: stays as it is.
   */
  statusCode?: pulumi.Input<number>;
  /** What the backend is for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const httpResponseBackend: Declaration = collection<HttpResponseBackendArgs, HttpResponseBackend>({
  type: "HttpResponseBackend",
  noun: "HTTP response backend",
  group: backends,
  path: "/backends/http_response",
  idPrefix: "bkdhr_",
  listKey: "backends",
  columns: ["statusCode", "description"],
  fields: {
    body: text().means("where traffic goes"),
    headers: map(
      text({ check: header.checkValue, advise: header.adviseValue, canonical: header.canonicalValue }),
      { check: header.checkName, canonical: header.canonicalName },
    ).means("where traffic goes"),
    statusCode: number(statusCode, adviseStatusCode)
      .serverDefault()
      .absentAs(200)
      .means("where traffic goes"),
    ...described(),
    ...recorded(),
  },
});

/**
 * An HTTP response backend (`bkdhr_…`): every request gets the same response.
 *
 * ## Example: a page for the time of maintenance
 *
 * ```typescript
 * import { HttpResponseBackend } from "pulumi-tunnel-gateway";
 *
 * new HttpResponseBackend("maintenance", {
 *   statusCode: 503,
 *   headers: { "Content-Type": "text/plain", "Retry-After": "3600" },
 *   body: "back in an hour",
 * });
 * ```
 *
 * Specification: HTTP response backend.
 */
export class HttpResponseBackend extends resource<HttpResponseBackend, HttpResponseBackendArgs>(
  httpResponseBackend,
) {
  /** The fixed content of every response. Undefined if it is empty. */
  declare readonly body: pulumi.Output<string | undefined>;
  /** The headers of every response; a name that the program wrote keeps its spelling. */
  declare readonly headers: pulumi.Output<Record<string, string> | undefined>;
  /** The status code of every response. */
  declare readonly statusCode: pulumi.Output<number>;
  /** What the backend is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the backend was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<HttpResponseBackend>>(httpResponseBackend);
/** Reads an HTTP response backend by its id, or the only one that a filter matches. Specification: HTTP response backend. */
export const getHttpResponseBackend = readers.get;
/** {@link getHttpResponseBackend} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getHttpResponseBackendOutput = readers.getOutput;
/** Lists all HTTP response backends. Specification: HTTP response backend. */
export const listHttpResponseBackends = readers.list;
/** {@link listHttpResponseBackends} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listHttpResponseBackendsOutput = readers.listOutput;
