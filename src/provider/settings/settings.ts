/** The settings of the package: their names in Pulumi configuration, on a Provider and in the environment. */

/** The settings in a program or on the command line. Each has an environment variable. */
export interface Settings {
  /** The token of an API key. Only a preview without functions that read the account needs none. Required. */
  apiKey: string;
  /** The URL of the API, with its path prefix. https, or http on a loopback host. Required. */
  baseUrl: string;
  /**
   * Whether to update objects in place where the specification shows no update, instead of replacing them:
   * description and metadata, and format and target of event destinations. Default: false.
   */
  patchUndocumented: boolean;
  /** The timeout of one request, in seconds, 1 to 3600. Default: 60. */
  requestTimeout: number;
  /**
   * The timeout of one operation with all its attempts and the pauses between them, in seconds, 1 to 86400.
   * Waiting for the rate limit does not count. A wait that the service asks for may take as long again, plus a minute.
   * Default: 300.
   */
  retryTimeout: number;
  /**
   * The timeout of one list with all its pages, in seconds, 1 to 86400. The time between two pages that the package
   * itself needs does not count. Default: 3600.
   */
  listTimeout: number;
  /** The maximum number of objects in one list, 1 to 100000000. A longer list is an error. Default: 250000. */
  listObjects: number;
  /** The maximum size of one list with all its pages, in MiB, 1 to 65536. A larger list is an error. Default: 512. */
  listMebibytes: number;
  /** The maximum number of requests in any minute, 1 to 100000. Default: as many as the service accepts. */
  requestsPerMinute?: number;
  /**
   * Whether to set the metadata of an object to `{"project":…,"stack":…,"name":…}` of its resource, if the program does
   * not set it. The metadata then identifies the owner of the object. Default: false.
   */
  stampMetadata: boolean;
}

/** Environment variables. The type of Node.js would require users to install @types/node. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The name of each setting's environment variable. */
export const environmentNames: Readonly<Record<keyof Settings, string>> = {
  apiKey: "TUNNEL_GATEWAY_API_KEY",
  baseUrl: "TUNNEL_GATEWAY_BASE_URL",
  patchUndocumented: "TUNNEL_GATEWAY_PATCH_UNDOCUMENTED",
  requestTimeout: "TUNNEL_GATEWAY_REQUEST_TIMEOUT",
  retryTimeout: "TUNNEL_GATEWAY_RETRY_TIMEOUT",
  listTimeout: "TUNNEL_GATEWAY_LIST_TIMEOUT",
  listObjects: "TUNNEL_GATEWAY_LIST_OBJECTS",
  listMebibytes: "TUNNEL_GATEWAY_LIST_MEBIBYTES",
  requestsPerMinute: "TUNNEL_GATEWAY_REQUESTS_PER_MINUTE",
  stampMetadata: "TUNNEL_GATEWAY_STAMP_METADATA",
};

/** The names of all settings. */
export const settingNames = Object.keys(environmentNames) as (keyof Settings)[];

/** The settings without a default. */
export const requiredSettings: readonly (keyof Settings)[] = ["apiKey", "baseUrl"];

/**
 * The environment variable in which `drift` and `review --refresh` pass the key and base URL of a stack's configuration to
 * the plugin, as JSON. Pulumi refreshes with the settings of the last deployment, which may lack them.
 */
export const configuredAccount = "TUNNEL_GATEWAY_CONFIGURED_ACCOUNT";

/**
 * The environment variable that is "true" while `drift` or `review --refresh` refreshes. The plugin then gives no advice on
 * Pulumi's options, which the user of these commands does not have, and prints each message once for a stack, not once for a
 * resource.
 */
export const refreshOfTool = "TUNNEL_GATEWAY_REFRESH_OF_TOOL";

/** The key in the inputs of an explicit Provider that holds its name in the program, for messages. */
export const nameKey = "tunnel-gateway:provider";

/** A base URL in one spelling: slashes at its end do not count. */
export function withoutFinalSlashes(url: string): string {
  return url.replace(/\/+$/, "");
}

/** A value as the text of a setting. */
export function settingText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The key of a setting in Pulumi configuration, and in the inputs of a Provider of dynamic resources. */
export function configKey(name: keyof Settings): string {
  return `tunnel-gateway:${name}`;
}

/**
 * The settings in the inputs of a provider, by their configuration keys. The provider and the review both use this function. Each
 * setting counts under its key and under its plain name, whatever the kind of the provider: in the deployment that changes a
 * provider's kind, the engine still gives the inputs of the earlier kind.
 */
export function settingsIn(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    settingNames.map((name) => [configKey(name), inputs[configKey(name)] ?? inputs[name]]),
  );
}
