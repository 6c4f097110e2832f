import * as pulumi from "@pulumi/pulumi";
import { configKey } from "../settings";
import type { Settings } from "../settings";

/** The arguments of a {@link Provider}: the settings of one account. Each falls back to the environment. */
export interface ProviderArgs {
  /** The token of an API key, kept as a secret. Default: the environment's TUNNEL_GATEWAY_API_KEY. */
  apiKey?: pulumi.Input<string>;
  /**
   * Where the API is, with its path prefix; https, or http on a loopback host. Default: the environment's
   * TUNNEL_GATEWAY_BASE_URL.
   */
  baseUrl?: pulumi.Input<string>;
  /**
   * Whether collections whose update the specification does not show are updated in place instead of
   * replaced. Default: the environment's TUNNEL_GATEWAY_PATCH_UNDOCUMENTED, else false.
   */
  patchUndocumented?: pulumi.Input<boolean>;
  /** How long one request may take, in seconds, 1 to 3600. Default: 60. */
  requestTimeout?: pulumi.Input<number>;
}

/**
 * An explicit provider: another account, or a key that is another resource's output. It reads its arguments
 * and the environment, and never the stack's configuration.
 *
 * ## Example: a second account
 *
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import { IpPolicy, Provider } from "pulumi-tunnel-gateway";
 *
 * const config = new pulumi.Config();
 * const partner = new Provider("partner", {
 *   apiKey: config.requireSecret("partnerApiKey"),
 *   baseUrl: config.require("partnerBaseUrl"),
 * });
 * new IpPolicy("partner-office", {}, { provider: partner });
 * ```
 *
 * While the key is an output that a preview does not know yet, Pulumi cannot check or show what is under the
 * provider; a key from secret configuration is known in every preview.
 */
export class Provider extends pulumi.ProviderResource {
  /**
   * @param name the resource's name in the program.
   * @param args the settings of the account.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const inputs: pulumi.Inputs = {};
    for (const [setting, value] of Object.entries({ ...args })) {
      const text = asText(value);
      inputs[configKey(setting as keyof Settings)] = setting === "apiKey" ? pulumi.secret(text) : text;
    }
    super("pulumi-nodejs", name, inputs, opts);
  }
}

/** Plugins get their configuration as text. */
function asText(
  value: pulumi.Input<string | number | boolean> | undefined,
): pulumi.Input<string> | undefined {
  return value === undefined ? undefined : pulumi.output(value).apply(String);
}
