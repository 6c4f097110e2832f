// In a file of its own: declarations that users compile import it, and must not reach undici's.

/** One request to the API. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the base URL, its segments encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | URLSearchParams;
  readonly body?: unknown;
  /** What was being done, in the words of an error message: "creating the IP policy rule". */
  readonly operation: string;
}

/** The path with the query. */
export function pathAndQuery({ path, query }: Call): string {
  return query ? `${path}?${new URLSearchParams(query).toString()}` : path;
}
