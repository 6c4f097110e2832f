import { amountOf } from "../schema/formats/number";
import * as sealingKey from "../schema/formats/sealing-key";
import * as time from "../schema/formats/time";
import { about, endsSooner, id, number, text, together } from "../schema/words";
import type { ArgsOf, GivesNoMore } from "../schema/words";
import { credentials, declarationBehind, resource } from "./collection";
import { ApiKey } from "./api-key";
import { described, owned, sealing } from "./shared-fields";

const checkOverlap = (days: number) =>
  days >= 0 ? undefined : `must be a number of days of at least 0; got ${days}`;

/** Otherwise a rotation would come before the deletion of the previous key, and three keys would exist. */
const overlapEndsFirst = about("overlapDays", ["rotateAfterDays"], ({ overlapDays, rotateAfterDays }) => {
  if (typeof overlapDays !== "number" || typeof rotateAfterDays !== "number") return undefined;
  if (!(overlapDays >= rotateAfterDays)) return undefined;
  return `must be less than rotateAfterDays, which is ${rotateAfterDays}; got ${overlapDays}`;
});

const isShorter: GivesNoMore = (old, next) =>
  typeof old === "number" && typeof next === "number" && next <= old;

const fields = together(
  {
    /**
     * The age in days at which the next deployment creates a new key: more than 0 and at most 36500. Never sent. A
     * change counts from the creation of the current key.
     */
    rotateAfterDays: number(amountOf("days", 36_500)).required().means("who may act", endsSooner).local(),
    /**
     * For how many days after a rotation the previous key stays valid: at least 0 and less than `rotateAfterDays`. The
     * first deployment after that deletes it. Never sent.
     */
    overlapDays: number(checkOverlap).required().means("who may act", isShorter).local(),
  },
  described,
  owned,
  {
    /**
     * The public key of who may read the token, as for an {@link ApiKey}: 32 bytes of X25519 in base64. Then the token is
     * in `sealedToken` alone, and nowhere in the state. Never sent. Adding, changing or removing it rotates the key: the
     * previous one stays valid for `overlapDays`. Default: none; the state keeps the token.
     */
    sealTo: text(sealingKey).means("who may act").local(),
    /** The bearer token of the current key, a secret. If `sealTo` is set, using it is an error that says what to do. */
    token: text().secret().computed(),
    /**
     * The token of the current key as a sealed box of libsodium for the key `sealTo`, in base64; undefined without
     * `sealTo`. It is not a secret: only the private key opens it.
     */
    sealedToken: text().computed().essential().maybe(),
    /** The id of the current key. */
    keyId: id("ak_").computed(),
    /** The id of the previous key; undefined before the first rotation and after the overlap. */
    previousKeyId: id("ak_").computed().maybe(),
    /** When the current key was created, RFC 3339. */
    rotatedAt: text(time).computed(),
    /** From when on a deployment replaces the current key, RFC 3339. */
    rotatesAfter: text(time).computed(),
  },
);

/** The arguments of a {@link RotatingApiKey}. Specification: Create and update parameters, /api_keys. */
export interface RotatingApiKeyArgs extends ArgsOf<typeof fields> {}

/**
 * An API key that deployments rotate. The service accepts a key of the resource at every moment. The account holds at
 * most two keys for the resource: the current one and, for `overlapDays` after a rotation, the previous one.
 *
 * ## Example: a key for a pipeline, renewed every 30 days
 *
 * ```typescript
 * import { RotatingApiKey } from "pulumi-tunnel-gateway";
 *
 * const ci = new RotatingApiKey("ci", {
 *   rotateAfterDays: 30,
 *   overlapDays: 3,
 *   description: "used by the release pipeline",
 * });
 * export const token = ci.token;
 * ```
 *
 * A preview says when a rotation or the end of an overlap is due, and the next deployment carries it out: run one at least
 * every `rotateAfterDays`, for example from a schedule. The overlap counts from the actual rotation.
 *
 * If a deployment is killed during a rotation, the next one deletes the key that the state does not know and creates
 * another one. If the current key is deleted by hand, the first deployment after a refresh creates a new one. An
 * existing key cannot become a rotating one; `tunnel-gateway import` imports it as an {@link ApiKey}.
 *
 * Specification: API key, and Authentication 1 to 4.
 */
export class RotatingApiKey extends resource<RotatingApiKey, RotatingApiKeyArgs, typeof fields>({
  style: "rotation",
  type: "RotatingApiKey",
  group: credentials,
  path: "/api_keys",
  grants: "everyone who has its token acts as its owner",
  rotates: declarationBehind(ApiKey)!,
  rules: [overlapEndsFirst],
  seals: sealing,
  fields,
}) {}
