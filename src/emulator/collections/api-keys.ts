import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { described, id } from "../wire";
import { collection } from "./collection";
import { owner, refuseForeignOwner } from "../owners";
import { API_KEYS } from "../paths";

export const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

/** Tokens on their way from `build` to the answer of the create; only their hashes are kept. */
const fresh = new Map<string, string>();

export const apiKeys = collection({
  path: API_KEYS,
  prefix: "ak_",
  listKey: "keys",
  noun: "API key",
  create: z.strictObject({ ...described, owner_id: id("usr_", "bot_").optional() }),
  update: z.strictObject(described),
  refusesEmptyUpdate: true,
  build: (input, context, keyId) => {
    const owner_id = owner(context, input.owner_id);
    const token = `emulated_${randomBytes(24).toString("base64url")}`;
    fresh.set(keyId, token);
    return { ...input, owner_id, token_hash: hashToken(token) };
  },
  // Authentication 2: the token is in the answer to the create alone.
  beforeUpdate: (body, context) => refuseForeignOwner(context, (body as { owner_id?: unknown }).owner_id),
  answer: (fields) => ({ token: null, owner_id: fields.owner_id }),
  created: (_context, stored) => {
    const token = fresh.get(stored.id);
    fresh.delete(stored.id);
    return { token };
  },
  unique: (fields) => ({ token: fields.token_hash }),
});
