/** The settings of the package: their names in Pulumi configuration, on a Provider and in the environment. */

/** The settings, as a program or the command line gives them. Every one has an environment variable. */
export interface Settings {
  /** The token of an API key. Required. */
  apiKey: string;
  /** Where the API is, with its path prefix. https, or http on a loopback host. Required. */
  baseUrl: string;
  /**
   * Whether collections whose update the specification does not show are updated in place (description and
   * metadata; event destinations also format and target) instead of replaced. Default: false.
   */
  patchUndocumented: boolean;
  /** How long one request may take, in seconds, 1 to 3600. Default: 60. */
  requestTimeout: number;
  /**
   * How long one operation may take with all its attempts and the pauses between them, in seconds, 1 to 86400.
   * Waiting for the service's rate limit is not counted. Default: 300.
   */
  retryTimeout: number;
  /** The most requests that may be sent in any minute, 1 to 100000. Default: as many as the service takes. */
  requestsPerMinute?: number;
  /**
   * Whether an object whose metadata the program does not set gets `{"project":…,"stack":…,"name":…}` of its
   * resource, so that its owner can always be identified. Default: false.
   */
  stampMetadata: boolean;
}

/** Environment variables. Node's own type would make users need @types/node. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The name of each setting's environment variable. */
export const environmentNames: Readonly<Record<keyof Settings, string>> = {
  apiKey: "TUNNEL_GATEWAY_API_KEY",
  baseUrl: "TUNNEL_GATEWAY_BASE_URL",
  patchUndocumented: "TUNNEL_GATEWAY_PATCH_UNDOCUMENTED",
  requestTimeout: "TUNNEL_GATEWAY_REQUEST_TIMEOUT",
  retryTimeout: "TUNNEL_GATEWAY_RETRY_TIMEOUT",
  requestsPerMinute: "TUNNEL_GATEWAY_REQUESTS_PER_MINUTE",
  stampMetadata: "TUNNEL_GATEWAY_STAMP_METADATA",
};

/** The key of a setting in Pulumi configuration, and in the inputs of a Provider. */
export function configKey(name: keyof Settings): string {
  return `tunnel-gateway:${name}`;
}
