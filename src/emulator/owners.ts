import type { Context } from "./context";
import { mustExist } from "./context";
import { HttpError } from "./http/errors";
import { BOT_USERS, USERS } from "./paths";

/** Authentication 3: the owner defaults to the authenticated principal, and only admins may set another. */
export function owner(context: Context, owner_id: string | undefined): string {
  const { principal } = context;
  if (owner_id === undefined || owner_id === principal.id) return principal.id;
  rejectForeignOwner(context, owner_id);
  const bot = owner_id.startsWith("bot_");
  if (context.isOpaque(owner_id) || (context.isCopy && !bot)) return owner_id;
  mustExist(context, bot ? BOT_USERS : USERS, owner_id, "owner_id", bot ? "bot user" : "user");
  return owner_id;
}

/** The Errors table lists this error for PATCH too. It comes before the one for the unknown parameter owner_id. */
export function rejectForeignOwner(context: Context, owner_id: unknown): void {
  if (typeof owner_id === "string" && owner_id !== context.principal.id && !context.principal.admin) {
    throw new HttpError(
      403,
      "ERR_ADMIN_ONLY",
      "owner_id: only admins may set an owner other than themselves",
    );
  }
}
