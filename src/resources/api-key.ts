import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { text } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { credentials } from "./groups";
import { described, owned, recorded } from "./shared-fields";

/** The arguments of an {@link ApiKey}. Specification: Create and update parameters, /api_keys. */
export interface ApiKeyArgs {
  /** What the key is used for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
  /**
   * The user (`usr_…`) or bot user (`bot_…`) that owns the key. Only admins may set an owner other than themselves.
   * Default: the owner of the key that Pulumi works with. Changing or removing it replaces the key, and with it the
   * token. If removed: replaced.
   */
  ownerId?: pulumi.Input<string>;
}

const apiKey: Declaration = collection<ApiKeyArgs, ApiKey>({
  type: "ApiKey",
  noun: "API key",
  group: credentials,
  path: "/api_keys",
  grants: "whoever holds its token acts as its owner",
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
 * A token may be the key of another {@link Provider}: `new Provider("pipeline", { apiKey: pipeline.token })`.
 *
 * `pulumi up --target-replace <urn>` and the resource option `replacementTrigger` replace a key at once. A
 * {@link RotatingApiKey} keeps the previous key for a while.
 *
 * Specification: API key, and Authentication 1 to 4.
 */
export class ApiKey extends resource<ApiKey, ApiKeyArgs>(apiKey) {
  /** What the key is used for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** The user or bot user that owns the key. */
  declare readonly ownerId: pulumi.Output<string>;
  /** When the key was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /**
   * The bearer token, a secret. If this stack did not create the key, as after an import, using the token is an error that
   * says how to get one; everything else of the key works.
   */
  declare readonly token: pulumi.Output<string>;
}

/** An API key as it is read: the service never shows its token again. */
type ApiKeyResult = Omit<ResultOf<ApiKey>, "token"> & { token?: undefined };

const readers = readersOf<ApiKeyResult>(apiKey);
/** Reads an API key by its id, or the only one that a filter matches. Specification: API key. */
export const getApiKey = readers.get;
/** {@link getApiKey} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getApiKeyOutput = readers.getOutput;
/** Lists all API keys; their tokens are never shown again. Specification: API key. */
export const listApiKeys = readers.list;
/** {@link listApiKeys} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listApiKeysOutput = readers.listOutput;
