import type { Context } from "../context";

/** A request that has passed all checks. */
export interface AcceptedRequest {
  context: Context;
  body: unknown;
  /** The parts of the path that its pattern names. */
  params: { id?: string; edge_id?: string; type?: string };
  query: Record<string, string>;
}

/** One operation. Its handler returns the response body; undefined responds 204 without a body. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** The query parameters that it takes. Default none. */
  query?: string[];
  handle: (request: AcceptedRequest) => object | void;
}
