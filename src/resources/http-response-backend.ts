import * as header from "../schema/formats/header";
import { adviseStatusCode, statusCode } from "../schema/formats/number";
import { map, number, text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { backends, getOf, listOf, resource } from "./collection";
import { described, recorded } from "./shared-fields";

const own = {
  /** The fixed content of every response. The output is undefined if it is empty. */
  body: text().means("where traffic goes"),
  /** The headers of every response. Letter case of a name does not count. */
  headers: map(text(header.value), header.name).means("where traffic goes"),
  /** The status code of every response, a signed 32-bit number. One outside of 100 to 599 is a warning. */
  statusCode: number(statusCode, adviseStatusCode).serverDefault().absentAs(200).means("where traffic goes"),
};

const fields = together(own, described, recorded);

/** The arguments of an {@link HttpResponseBackend}. Specification: Create and update parameters. */
export interface HttpResponseBackendArgs extends ArgsOf<typeof fields> {}

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
export class HttpResponseBackend extends resource<
  HttpResponseBackend,
  HttpResponseBackendArgs,
  typeof fields
>({
  type: "HttpResponseBackend",
  group: backends,
  path: "/backends/http_response",
  idPrefix: "bkdhr_",
  listKey: "backends",
  columns: ["statusCode", "description"],
  fields,
}) {}

export const [getHttpResponseBackend, getHttpResponseBackendOutput] = getOf(HttpResponseBackend);
export const [listHttpResponseBackends, listHttpResponseBackendsOutput] = listOf(HttpResponseBackend);
