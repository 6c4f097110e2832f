import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { described, id } from "../http/validation";
import { collection } from "./collection";
import { owner, rejectForeignOwner } from "../owners";
import { API_KEYS } from "../paths";

export const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

/** New tokens between `build` and the response to the create; the store has only their hashes. */
const newTokens = new Map<string, string>();

export const apiKeys = collection({
  path: API_KEYS,
  prefix: "ak_",
  listKey: "keys",
  noun: "API key",
  create: z.strictObject({ ...described, owner_id: id("usr_", "bot_").optional() }),
  update: z.strictObject(described),
  build: (input, context, keyId) => {
    const owner_id = owner(context, input.owner_id);
    const token = `emulated_${randomBytes(24).toString("base64url")}`;
    newTokens.set(keyId, token);
    return { ...input, owner_id, token_hash: hashToken(token) };
  },
  // Authentication 2: only the response to the create has the token.
  beforeUpdate: (body, context) => rejectForeignOwner(context, (body as { owner_id?: unknown }).owner_id),
  response: (fields) => ({ token: null, owner_id: fields.owner_id }),
  created: (_context, stored) => {
    const token = newTokens.get(stored.id);
    newTokens.delete(stored.id);
    return { token };
  },
  unique: (fields) => ({ token: fields.token_hash }),
});
