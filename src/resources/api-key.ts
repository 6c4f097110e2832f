import type { ResultOf } from "../account/readers";
import { text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { credentials, getOf, listOf, resource } from "./collection";
import { described, owned, recorded } from "./shared-fields";

const fields = together(described, owned, recorded, {
  /**
   * The bearer token, a secret. If this stack did not create the key, as after an import, using the token is an error
   * that says how to get one; everything else of the key works.
   */
  token: text().secret().computed().fixed(),
});

/** The arguments of an {@link ApiKey}. Specification: Create and update parameters, /api_keys. */
export interface ApiKeyArgs extends ArgsOf<typeof fields> {}

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
export class ApiKey extends resource<ApiKey, ApiKeyArgs, typeof fields>({
  type: "ApiKey",
  group: credentials,
  path: "/api_keys",
  grants: "whoever holds its token acts as its owner",
  idPrefix: "ak_",
  listKey: "keys",
  columns: ["description", "ownerId", "createdAt"],
  fields,
}) {}

/** An API key as it is read: the service never shows its token again. */
type ApiKeyResult = Omit<ResultOf<ApiKey>, "token"> & { token?: undefined };
export const [getApiKey, getApiKeyOutput] = getOf<ApiKey, ApiKeyResult>(ApiKey);
export const [listApiKeys, listApiKeysOutput] = listOf<ApiKey, ApiKeyResult>(ApiKey);
