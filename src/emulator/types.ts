/**
 * The public types of the emulator. Plain interfaces only, so that a program's tests compile with TypeScript 3.8 or later
 * and without the types of the libraries that the emulator uses.
 */

/** A JSON object as sent over HTTP. */
export type JsonObject = Record<string, unknown>;

/** Options of `startEmulator`. Every option has a default. */
export interface EmulatorOptions {
  /** TCP port to listen on. Default 0: any free port. */
  port?: number;
  /**
   * Address to listen on. Default "127.0.0.1". Requests whose header Host names something else are refused. An address
   * that other machines reach needs `apiKey`, for the control routes too.
   */
  host?: string;
  /** Path prefix of every operation, such as "/api/v1". Default none. */
  basePath?: string;
  /**
   * Bearer token of the built-in administrator. Default "emulator-key-not-a-secret". This key is not an object of
   * the account: /api_keys does not list it and it cannot be deleted.
   */
  apiKey?: string;
  /**
   * Whether the built-in key's user is an administrator, who may set an `owner_id` other than itself (specification,
   * Authentication 3). Default true.
   */
  admin?: boolean;
  /**
   * File that stores the account: read at start and written atomically before the response to a change. Default none:
   * in memory. It contains hashes of API tokens, the test authorities' private keys and all secrets that were sent.
   */
  dataFile?: string;
  /** Default and largest number of objects on a page (specification, Pagination). Default 100. */
  pageSize?: number;
  /**
   * Turns off all normalisation in responses: values come back as sent, unset strings as null, and a null in a body
   * counts as omitted. Default false: PEMs get a final newline, header names become lower case, a CIDR and a time get
   * their canonical form, `https://x:443` becomes `https://x`, unset description and metadata are absent, null or ""
   * (one form for each collection), the secrets of event destinations are redacted or absent, an operator's binding is
   * always present, and null in a body is an error.
   */
  lenient?: boolean;
  /**
   * Serves PATCH for the four collections whose update the specification does not show (SSH user certificates,
   * certificate authorities, TLS certificates, event destinations): description and metadata, for destinations also
   * format and a target of the same kind. Default false: 405.
   */
  undocumentedUpdates?: boolean;
  /**
   * Refuses an address that another TCP edge or endpoint serves, unless both are endpoints with pooling_enabled (the
   * specification states no such rule). Default false.
   */
  exclusiveAddresses?: boolean;
  /** Requests allowed in any 60 seconds for the whole account; more get a 429. Default no limit. */
  requestsPerMinute?: number;
  /** Form of the header Retry-After of a 429. Default "seconds". */
  retryAfter?: "seconds" | "date" | "none";
  /** Delay of every response in milliseconds. Default 0. */
  latencyMs?: number;
  /** Faults to inject, see FaultPlan. Default none. */
  faults?: FaultPlan;
  /**
   * An account to copy before it listens: lists of objects as a service answered them, oldest first, with the keys of a
   * snapshot. Ids, times and values stay as they are, and nothing is checked: what a service holds is legal. Users, HTTPS
   * edges, their routes and TLS edges are in no list of the API, so each that a request names exists. Default none.
   */
  account?: Snapshot;
  /** Objects to create before it listens, see Seed. Default none. */
  seed?: Seed;
  /**
   * The one webhook provider that needs no secret (the specification does not show its identifier). Default
   * "CLOUD_NOTIFICATION".
   */
  exemptWebhookProvider?: string;
  /** The supported webhook providers. Default: every identifier in upper case. */
  webhookProviders?: string[];
  /** Ids of the SSH certificate authorities. Default: any `sshca_` id; its key is generated at first use. */
  sshAuthorities?: string[];
  /** Origin of `next_page_uri`, such as "https://other.example". Default the emulator's own. */
  nextPageOrigin?: string;
  /** Keeps who gets in at each edge after every write, for `accessHistory()`. Default false. */
  accessHistory?: boolean;
  /** Source of the current time, for timestamps, expiry, the rate limit and agents. Default the system clock. */
  now?: () => Date;
}

/** A running emulator. */
export interface Emulator {
  /** Base URL of the service, base path included, without a slash at the end. */
  readonly baseUrl: string;
  /** The built-in administrator's bearer token. */
  readonly apiKey: string;
  /** Id (`usr_…`) of the user the built-in key belongs to. */
  readonly userId: string;
  /** Why objects of the option `account` are not in the copy: they have no id, or are not as the specification shows. */
  readonly leftOut: readonly string[];
  /** Every request so far, oldest first, except requests to the control routes. */
  readonly requests: RecordedRequest[];
  /** Deletes the recorded requests. */
  clearRequests(): void;
  /** Creates objects, also those that the API cannot create, and returns them under the same keys. See Seed. */
  seed(objects: Seed): Promise<Snapshot>;
  /** The whole account as stored, by collection, oldest first: not normalised, plaintext secrets, no API tokens. */
  snapshot(): Snapshot;
  /**
   * Who gets in at each TCP and TLS edge: first at the start, after the last reset or after the last `clearRequests()`,
   * and then after each write that the service carried out. `accessGaps` compares the moments.
   *
   * @throws if the emulator was started without the option `accessHistory`.
   */
  accessHistory(): AccessMoment[];
  /** Replaces the fault plan and resets its counters. Undefined or an empty plan: no faults. */
  setFaults(plan?: FaultPlan): void;
  /** Sets the clock, which then continues from that time. Undefined resets it. */
  setClock(time?: Date | string): void;
  /** Advances the clock by milliseconds. */
  advanceClock(milliseconds: number): void;
  /** Clears the account, the recorded requests, the rate limit and the fault plan, and resets the clock. */
  reset(): Promise<void>;
  /** Stops listening, closes open connections and waits until the data file is written. */
  close(): Promise<void>;
}

/** Who gets in at each edge at one moment. */
export interface AccessMoment {
  /** The write before it; undefined for the first moment and after a seed. The path is without the base path. */
  request?: { method: string; path: string };
  /** All TCP edges and TLS edges. */
  edges: EdgeAccess[];
}

/** Who gets in at one edge. */
export interface EdgeAccess {
  id: string;
  /** Whether it has an IP restriction that is enabled. If not, it lets everybody in. */
  restricted: boolean;
  /** The IP policies of the restriction. */
  policyIds: string[];
  /** The ranges of all rules of these policies that allow, in canonical form. */
  allowed: string[];
  /** The ranges of all rules of these policies that deny, in canonical form. */
  denied: string[];
}

/** A moment at which an edge is more open than at both ends of a history. */
export interface AccessGap {
  /** The index of the moment in the history. */
  moment: number;
  /** The write before it. */
  request: AccessMoment["request"];
  /** The edge's id. */
  edge: string;
  /**
   * - "allowed": addresses are allowed that are allowed at neither end.
   * - "not denied": addresses are not denied that are denied at both ends.
   * - "no rules": the edge is restricted and has no rule, and at neither end is that so.
   */
  problem: "allowed" | "not denied" | "no rules";
  /** The addresses, as `first - last` or as one address; empty for "no rules". */
  ranges: string[];
}

/** One request, as the emulator received it. */
export interface RecordedRequest {
  method: string;
  /** Path without the base path and without the query. */
  path: string;
  query: Record<string, string>;
  /** Names in lower case, without `authorization`. */
  headers: Record<string, string>;
  /** The body, parsed if it is JSON; undefined without a body. May contain secrets that were sent. */
  body?: unknown;
  /** Status of the response; 0 before the response and for a fault without one. */
  status: number;
  /** RFC 3339, by the emulator's clock. */
  at: string;
  /** Kind of the injected fault. */
  fault?: FaultKind;
}

/**
 * What a fault does.
 * - "status": sends `status` (default 503) with `body` (default an error body of the service); does not process the
 *   request.
 * - "html": as "status" (default 502), with a proxy's HTML page.
 * - "redirect": sends `status` (default 307) with `location`; does not process the request.
 * - "dropBefore": closes the connection without processing the request.
 * - "dropAfter": processes the request, then closes the connection without a response.
 * - "hang": sends nothing and does not process the request; after `delayMs`, if set, closes the connection.
 * - "truncate": processes the request, sends the full length and half of the body, then closes the connection.
 * - "garbage": processes the request, sends its status and `body` (default text that is not JSON) as application/json.
 * - "slow": processes the request, sends the response in chunks over `delayMs` (default 1000).
 * - "huge": processes the request, sends `sizeBytes` (default 64 MiB) of JSON.
 */
export type FaultKind =
  | "status"
  | "html"
  | "redirect"
  | "dropBefore"
  | "dropAfter"
  | "hang"
  | "truncate"
  | "garbage"
  | "slow"
  | "huge";

/** A fault and the requests that it applies to. */
export interface FaultRule {
  kind: FaultKind;
  /** HTTP method. Default any. */
  method?: string;
  /**
   * Path without base path. With `*` (within a segment) or `**` (across segments) it is a glob for the whole path,
   * otherwise a prefix of whole segments ("/ip_policies" also matches "/ip_policies/ipp_x"). Default any.
   */
  path?: string;
  /** `path` must match the whole path. Default false. */
  exact?: boolean;
  /** Number of matching requests that get the fault. Default all. */
  times?: number;
  /** Number of matching requests before the first fault. Default 0. */
  after?: number;
  /** Probability of the fault, 0 to 1. Default 1. */
  probability?: number;
  /** Seed of the probability; the same seed selects the same requests. Default 1. */
  seed?: number;
  /** Whether the request is processed before the fault. Default: see FaultKind. */
  afterWork?: boolean;
  /** HTTP status, for "status", "html", "redirect", "garbage" and "huge". */
  status?: number;
  /** `Retry-After` header of "status" and "html": seconds, or an HTTP date. */
  retryAfter?: number | string;
  /** Milliseconds: the duration of "hang" and "slow", a delay before any other kind. */
  delayMs?: number;
  /** Body of "status", "html" and "garbage": a string unchanged, any other value as JSON. */
  body?: unknown;
  /** Target of a "redirect". */
  location?: string;
  /** Size of a "huge" response in bytes. */
  sizeBytes?: number;
}

/** A fault plan. Of the rules that match a request, the first that applies is injected. */
export interface FaultPlan {
  rules: FaultRule[];
}

/**
 * Objects to create, as lists by name. A key is either one of those below, or a collection's path without its first
 * slash ("ip_policies", "backends/weighted", "edges/tcp", "endpoints"). Such an object is a create body with, optionally,
 * `id`, `created_at` and, for TLS certificates that the service issued, `issued_at`. The order of the keys is users,
 * tunnel_credentials, ssh_certificate_authorities, tunnels, then the collections in the specification's order, then
 * edges, then sessions, so that later objects may refer to earlier ones by given ids.
 */
export interface Seed {
  users?: SeedUser[];
  tunnel_credentials?: SeedIdentified[];
  ssh_certificate_authorities?: SeedIdentified[];
  /** Tunnels for tunnel group backends to match by their labels. */
  tunnels?: SeedTunnel[];
  /** Endpoints of any type: a cloud endpoint's create body, or any field of the specification's Endpoint table. */
  endpoints?: SeedEndpoint[];
  https_edges?: SeedHttpsEdge[];
  tls_edges?: SeedTlsEdge[];
  tunnel_sessions?: SeedTunnelSession[];
  [collection: string]: object[] | undefined;
}

export interface SeedIdentified {
  /** Default: a new id. */
  id?: string;
}

export interface SeedUser extends SeedIdentified {
  /** Whether it may set an owner_id other than itself. Default false. */
  admin?: boolean;
}

export interface SeedTunnel extends SeedIdentified {
  labels: Record<string, string>;
}

export interface SeedEndpoint extends SeedIdentified {
  /** `ephemeral`, `edge` or `cloud` (default). */
  type?: string;
  /** Id of the Kubernetes operator whose bound_endpoints list it. */
  bound_to?: string;
  [field: string]: unknown;
}

export interface SeedHttpsEdge extends SeedIdentified {
  routes?: SeedRoute[];
}

/** A route; the modules are PUT bodies. */
export interface SeedRoute extends SeedIdentified {
  oidc?: object;
  webhook_verification?: object;
  oauth?: object;
}

export interface SeedTlsEdge extends SeedIdentified {
  ip_restriction?: object;
}

/** A tunnel session and the agent behind it. All fields have defaults. */
export interface SeedTunnelSession extends SeedIdentified {
  agent_version?: string;
  /** Id of the credential (`cr_` or `sshcr_`). */
  credential_id?: string;
  ip?: string;
  metadata?: string;
  os?: string;
  region?: string;
  /** RFC 3339. Default now. */
  started_at?: string;
  transport?: string;
  agent?: SeedAgent;
}

/** How the emulated agent reacts to commands. */
export interface SeedAgent {
  /** The version that an update installs. Absent or of another major version: no update is available. */
  update_available?: string;
  /** The agent's configuration disables update checks. Default false. */
  update_checks_disabled?: boolean;
  /** An update is running and never finishes. Default false. */
  updating?: boolean;
  /** The version of a finished update that takes effect at the next restart. */
  updated_to?: string;
  /** Duration of an update in milliseconds of the emulator's clock. Default 5000. */
  update_ms?: number;
  /** Time from a restart to the new session in milliseconds of the emulator's clock. Default 1000. */
  reconnect_ms?: number;
  /** The agent never reconnects after a restart. Default false. */
  never_returns?: boolean;
  /** The service accepts the command, and the agent ignores it. Default false. */
  ignores_restart?: boolean;
  ignores_update?: boolean;
  /** The address and the metadata that the agent reconnects with. Default: those that it had. */
  returns_with?: { ip?: string; metadata?: string };
  /** The number of sessions that the agent reconnects with, such as 2 for an agent that was started twice. Default 1. */
  returning_sessions?: number;
  /**
   * False: the session is offline. Lists leave it out after a page is cut, so that a page may be short or empty and
   * still have a next one. Default true.
   */
  online?: boolean;
}

/** Objects by collection. */
export type Snapshot = Record<string, JsonObject[]>;

/** An object that was created, changed or deleted. */
export interface ChangedObject {
  /** Its list in a snapshot. */
  readonly list: string;
  readonly id: string;
  /** Undefined if it no longer exists. */
  readonly object?: JsonObject;
}
