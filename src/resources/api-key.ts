import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import { text } from "../schema/kinds";
import { GatewayResource } from "../runtime/gateway-resource";
import { credentials } from "./groups";
import { described, owned, recorded } from "./shared-fields";

/** The arguments of an {@link ApiKey}. Specification: Create and update parameters, /api_keys. */
export interface ApiKeyArgs {
  /** What the key is used for. At most 255 bytes. Default: none. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. */
  metadata?: pulumi.Input<string>;
  /**
   * The user (`usr_…`) or bot user (`bot_…`) that owns the key. Only admins may set an owner other than
   * themselves. Default: the owner of the key that Pulumi works with. Changing or removing it replaces the
   * key, and with it the token.
   */
  ownerId?: pulumi.Input<string>;
}

export const apiKey = collection<ApiKeyArgs, ApiKey>({
  type: "ApiKey",
  noun: "API key",
  plural: "API keys",
  group: credentials,
  path: "/api_keys",
  idPrefix: "ak_",
  listKey: "keys",
  columns: ["description", "ownerId", "createdAt"],
  fields: {
    ...described(),
    ...owned(),
    ...recorded(),
    token: text().secret().computed(),
  },
});

/**
 * An API key (`ak_…`). The service shows its token once, in the answer to its creation; the stack's state
 * keeps it, encrypted.
 *
 * ## Example: a key for a pipeline, its token as a secret output
 *
 * ```typescript
 * import { ApiKey } from "pulumi-tunnel-gateway";
 *
 * const pipeline = new ApiKey("pipeline", { description: "used by the release pipeline" });
 * export const token = pipeline.token;
 * ```
 *
 * To rotate a key, replace it: `pulumi up --target-replace <urn>`, or the resource option
 * `replacementTrigger`.
 *
 * Specification: API key, and Authentication 1 to 4.
 */
export class ApiKey extends GatewayResource {
  /** Looks up an existing key by its id; it is read, not managed, and its token is not known. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ApiKey {
    return new ApiKey(name, undefined, { ...opts, id });
  }

  /** Whether the value is an ApiKey, of whatever copy of this package. */
  static override isInstance(value: unknown): value is ApiKey {
    return GatewayResource.isOfType(value, apiKey);
  }

  /** What the key is used for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** The user or bot user that owns the key. */
  declare readonly ownerId: pulumi.Output<string>;
  /** When the key was made, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The bearer token, a secret. Undefined where the key was not made by this stack. */
  declare readonly token: pulumi.Output<string | undefined>;

  /**
   * @param name the resource's name in the program.
   * @param args the key's arguments.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args?: ApiKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(apiKey, name, args, opts);
  }
}
