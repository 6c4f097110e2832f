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
}

/** The name of each setting's environment variable. */
export const environmentNames: Readonly<Record<keyof Settings, string>> = {
  apiKey: "TUNNEL_GATEWAY_API_KEY",
  baseUrl: "TUNNEL_GATEWAY_BASE_URL",
  patchUndocumented: "TUNNEL_GATEWAY_PATCH_UNDOCUMENTED",
  requestTimeout: "TUNNEL_GATEWAY_REQUEST_TIMEOUT",
};

/** The key of a setting in Pulumi configuration, and in the inputs of a Provider. */
export function configKey(name: keyof Settings): string {
  return `tunnel-gateway:${name}`;
}
