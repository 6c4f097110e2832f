import type { ResultOf } from "../account/readers";
import * as sealingKey from "../schema/formats/sealing-key";
import { text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { credentials, getOf, listOf, resource } from "./collection";
import { described, owned, recorded, sealing } from "./shared-fields";

const fields = together(
  described,
  owned,
  {
    /**
     * The public key of who may read the token: 32 bytes of X25519 in base64, as GitHub gives it for the secrets of a
     * repository. Then the token is in `sealedToken` alone, which only the private key opens, and nowhere in the
     * state. Never sent. Adding, changing or removing it replaces the key, because the service shows a token only once.
     * Default: none; the state keeps the token.
     */
    sealTo: text(sealingKey).means("who may act").replace().local(),
  },
  recorded,
  {
    /**
     * The bearer token, a secret. If `sealTo` is set, or if this stack did not create the key, using the token is an error
     * that says what to do.
     */
    token: text().secret().computed().fixed(),
    /**
     * The token as a sealed box of libsodium for the key `sealTo`, in base64; undefined without `sealTo`. It is not a secret:
     * only the private key opens it.
     */
    sealedToken: text().computed().essential().fixed().maybe(),
  },
);

/** The arguments of an {@link ApiKey}. Specification: Create and update parameters, /api_keys. */
export interface ApiKeyArgs extends ArgsOf<typeof fields> {}

/**
 * An API key (`ak_…`). The service shows its token once, when it creates the key. The stack's state keeps it, encrypted.
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
 * docs/sealed-tokens.md shows how `sealTo` keeps the token out of every state. `pulumi up --target-replace <urn>` and the
 * resource option `replacementTrigger` replace a key at once. A {@link RotatingApiKey} keeps the previous key for a while.
 *
 * Specification: API key, and Authentication 1 to 4.
 */
export class ApiKey extends resource<ApiKey, ApiKeyArgs, typeof fields>({
  type: "ApiKey",
  group: credentials,
  path: "/api_keys",
  grants: "everyone who has its token acts as its owner",
  idPrefix: "ak_",
  listKey: "keys",
  columns: ["description", "ownerId", "createdAt"],
  seals: sealing,
  fields,
}) {}

/** An API key as it is read: the service never shows its token again. */
type ApiKeyResult = Omit<ResultOf<ApiKey>, "token" | "sealedToken"> & {
  token?: undefined;
  sealedToken?: undefined;
};
export const [getApiKey, getApiKeyOutput] = getOf<ApiKey, ApiKeyResult>(ApiKey);
export const [listApiKeys, listApiKeysOutput] = listOf<ApiKey, ApiKeyResult>(ApiKey);
