import { hashToken } from "../collections/api-keys";
import type { Context, Principal } from "../context";
import { HttpError } from "./errors";
import { API_KEYS, BOT_USERS, USERS } from "../paths";

/** Authentication 1: the bearer token is that of an API key or the built-in one. */
export function authenticate(
  { store }: Pick<Context, "store">,
  header: string | undefined,
  apiKey: string,
  userId: string,
): Principal {
  const token = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
  if (token === undefined) throw unauthorized("the header Authorization must be a bearer token");
  if (token === apiKey) return { id: userId, admin: isAdmin(store, userId) };
  const keyId = store.findUnique(API_KEYS, "token", hashToken(token));
  const key = keyId === undefined ? undefined : store.get(API_KEYS, keyId);
  if (key === undefined) throw unauthorized("the bearer token does not belong to an API key");
  const owner = key.fields.owner_id as string;
  if (owner.startsWith("bot_")) {
    // Authentication 4: the keys of a deactivated or deleted bot user are invalid.
    if (store.get(BOT_USERS, owner)?.fields.active !== true)
      throw unauthorized("the API key's bot user is not active");
    return { id: owner, admin: false };
  }
  return { id: owner, admin: isAdmin(store, owner) };
}

function isAdmin(store: Context["store"], userId: string): boolean {
  return store.get(USERS, userId)?.fields.admin === true;
}

const unauthorized = (message: string) => new HttpError(401, "ERR_AUTHENTICATION", message);
