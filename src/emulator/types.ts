/**
 * The public vocabulary of the emulator: plain interfaces only, so that a program's own tests compile with any
 * TypeScript since 3.8 and without the libraries the emulator is built from.
 */

/** A JSON object as it travels. */
export type JsonObject = Record<string, unknown>;

/** How `startEmulator` sets the service up. Every option has a default. */
export interface EmulatorOptions {
  /** TCP port to listen on. Default 0: any free one. */
  port?: number;
  /** Address to listen on. Default "127.0.0.1". */
  host?: string;
  /** Path prefix of every operation, such as "/api/v1". Default none. */
  basePath?: string;
  /**
   * Bearer token of the built-in administrator. Default "emulator-key-not-a-secret". This key is no object of the
   * account: it is not listed under /api_keys and cannot be deleted.
   */
  apiKey?: string;
  /**
   * Whether the built-in key's user is an administrator, who may set an `owner_id` other than itself (specification,
   * Authentication 3). Default true.
   */
  admin?: boolean;
  /**
   * File the account is kept in: read at start, written atomically before a change is answered. Default none: in
   * memory. It holds hashes of API tokens, the test authorities' private keys and whatever secrets were sent.
   */
  dataFile?: string;
  /** Default and largest number of objects on a page (specification, Pagination). Default 100. */
  pageSize?: number;
  /**
   * Switches every normalisation of answers off: they come back as they were sent, unset strings as null, and a null
   * in a body counts as omitted. Default false: PEMs get a final newline, header names lower case, a CIDR and a time
   * their canonical form, `https://x:443` becomes `https://x`, unset description and metadata come back as absent,
   * null or "" (one way per collection), the secrets of event destinations come back redacted or not at all, an
   * operator's binding is always there, and null in a body is refused.
   */
  lenient?: boolean;
  /**
   * Serves PATCH for the four collections whose update the specification does not show (SSH user certificates,
   * certificate authorities, TLS certificates, event destinations): description and metadata, for destinations also
   * format and a target of the same kind. Default false: 405.
   */
  undocumentedUpdates?: boolean;
  /** Requests allowed in any 60 seconds for the whole account; beyond, 429. Default no limit. */
  requestsPerMinute?: number;
  /** How a 429 says when to come back. Default "seconds". */
  retryAfter?: "seconds" | "date" | "none";
  /** Milliseconds every answer is held back. Default 0. */
  latencyMs?: number;
  /** Faults to inject, see FaultPlan. Default none. */
  faults?: FaultPlan;
  /**
   * The one webhook provider that needs no secret (the specification does not show its identifier). Default
   * "CLOUD_NOTIFICATION".
   */
  exemptWebhookProvider?: string;
  /** The supported webhook providers. Default: every identifier in upper case. */
  webhookProviders?: string[];
  /** The SSH certificate authorities that exist. Default: any `sshca_` id; its key is made at first use. */
  sshAuthorities?: string[];
  /** Origin of `next_page_uri`, such as "https://other.example", where it is not the emulator's own. */
  nextPageOrigin?: string;
  /** The clock of times, expiry, pace and agents. Default the system's. */
  now?: () => Date;
}

/** A running emulator. */
export interface Emulator {
  /** Where the service is, base path included and without a slash at the end. */
  readonly baseUrl: string;
  /** The built-in administrator's bearer token. */
  readonly apiKey: string;
  /** Id (`usr_…`) of the user the built-in key belongs to. */
  readonly userId: string;
  /** Every request so far, oldest first, but for those to the control routes. */
  readonly requests: RecordedRequest[];
  /** Forgets the recorded requests. */
  clearRequests(): void;
  /** Creates objects, also those the API cannot make; answers them under the same keys. See Seed. */
  seed(objects: Seed): Promise<Snapshot>;
  /** The whole account as stored, by collection, oldest first: not normalised, secrets in clear, no API tokens. */
  snapshot(): Snapshot;
  /** Replaces the fault plan; undefined or no rules: no faults. Counters start anew. */
  setFaults(plan?: FaultPlan): void;
  /** Sets the clock to a time, from which it runs on; undefined puts it back. */
  setClock(time?: Date | string): void;
  /** Moves the clock by milliseconds. */
  advanceClock(milliseconds: number): void;
  /** Empties the account, the recorded requests, the pace and the fault plan, and puts the clock back. */
  reset(): Promise<void>;
  /** Stops listening, breaks open connections, and waits for the data file. */
  close(): Promise<void>;
}

/** One request, as the emulator received it. */
export interface RecordedRequest {
  method: string;
  /** Path without the base path and without the query. */
  path: string;
  query: Record<string, string>;
  /** In lower case; `authorization` is left out. */
  headers: Record<string, string>;
  /** The body as received, parsed where it is JSON, undefined where there is none. May hold secrets that were sent. */
  body?: unknown;
  /** Status of the answer; 0 while there is none, and where a fault gave none. */
  status: number;
  /** RFC 3339, by the emulator's clock. */
  at: string;
  /** Kind of the fault that was injected. */
  fault?: FaultKind;
}

/**
 * What a fault does.
 * - "status": answers `status` (default 503) with `body` (default the service's error shape); the work is not done.
 * - "html": as status (default 502), with a proxy's HTML page.
 * - "redirect": answers `status` (default 307) with `location`; the work is not done.
 * - "dropBefore": breaks the connection; the work is not done.
 * - "dropAfter": does the work, then breaks the connection without an answer.
 * - "hang": never answers (for `delayMs`, where given, then breaks the connection); the work is not done.
 * - "truncate": does the work, announces the whole answer's length, sends half of it and breaks the connection.
 * - "garbage": does the work, answers its status and `body` (default text that is not JSON) as application/json.
 * - "slow": does the work, sends the answer in drops over `delayMs` (default 1000).
 * - "huge": does the work, answers `sizeBytes` (default 64 MiB) of JSON.
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

/** One fault and the requests it meets. */
export interface FaultRule {
  kind: FaultKind;
  /** HTTP method. Default any. */
  method?: string;
  /**
   * Path without base path. With `*` (within a segment) or `**` (across segments) a glob over the whole path; else a
   * prefix at segment borders ("/ip_policies" also meets "/ip_policies/ipp_x"). Default any.
   */
  path?: string;
  /** `path` is the whole path, no prefix. Default false. */
  exact?: boolean;
  /** How often it strikes. Default always. */
  times?: number;
  /** How many matching requests pass first. Default 0. */
  after?: number;
  /** Chance of striking, 0 to 1, drawn from `seed`. Default 1. */
  probability?: number;
  /** Seed of the chance; the same seed strikes the same requests. Default 1. */
  seed?: number;
  /** Whether the work is done before the fault. Default as FaultKind says. */
  afterWork?: boolean;
  /** HTTP status, for "status", "html", "redirect", "garbage" and "huge". */
  status?: number;
  /** `Retry-After` header of "status" and "html": seconds, or an HTTP date. */
  retryAfter?: number | string;
  /** Milliseconds, for "hang" and "slow"; before any other kind, a delay. */
  delayMs?: number;
  /** Answer of "status", "html" and "garbage": a string as it is, anything else as JSON. */
  body?: unknown;
  /** Where a "redirect" leads. */
  location?: string;
  /** Size of a "huge" answer. */
  sizeBytes?: number;
}

/** A fault plan: of the rules that meet a request, the first that strikes is injected. */
export interface FaultPlan {
  rules: FaultRule[];
}

/**
 * Objects to create, as lists by name. A key is either one of those below, or a collection's path without its first
 * slash ("ip_policies", "backends/weighted", "edges/tcp", "endpoints"): such an object is a create body, plus, if wanted,
 * `id`, `created_at` and, for TLS certificates that the service issued, `issued_at`. The order of the keys is users,
 * tunnel_credentials, ssh_certificate_authorities, tunnels, then the collections in the specification's order, then
 * edges, then sessions, so that later objects may refer to earlier ones by given ids.
 */
export interface Seed {
  users?: SeedUser[];
  tunnel_credentials?: SeedIdentified[];
  ssh_certificate_authorities?: SeedIdentified[];
  /** Tunnels that tunnel group backends watch. */
  tunnels?: SeedTunnel[];
  /** Endpoints of any type: a cloud endpoint's create body, or any field of the specification's Endpoint table. */
  endpoints?: SeedEndpoint[];
  https_edges?: SeedHttpsEdge[];
  tls_edges?: SeedTlsEdge[];
  tunnel_sessions?: SeedTunnelSession[];
  [collection: string]: object[] | undefined;
}

export interface SeedIdentified {
  /** Default: a new one. */
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
  /** The Kubernetes operator it is bound to; lists it under that operator's bound_endpoints. */
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

/** What the emulated agent does when commanded. */
export interface SeedAgent {
  /** The version an update brings; absent, or of another major version: no update is available. */
  update_available?: string;
  /** The agent's configuration switched update checks off. Default false. */
  update_checks_disabled?: boolean;
  /** An update is under way that never ends. Default false. */
  updating?: boolean;
  /** An update is done that awaits its restart: the version. */
  updated_to?: string;
  /** Milliseconds an update takes by the emulator's clock. Default 5000. */
  update_ms?: number;
  /** Milliseconds from restart to the new session by the emulator's clock. Default 1000. */
  reconnect_ms?: number;
  /** After a restart it never comes back. Default false. */
  never_returns?: boolean;
  /**
   * False: the session is offline. Lists leave it out after the page was cut, so that pages may be short or empty and
   * still have a next one. Default true.
   */
  online?: boolean;
}

/** Objects by collection. */
export type Snapshot = Record<string, JsonObject[]>;
