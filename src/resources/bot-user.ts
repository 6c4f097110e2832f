import { becomes, filled, flag, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { credentials, getOf, listOf, resource } from "./collection";
import { recorded } from "./shared-fields";

const own = {
  /** The name, for people to read; not empty. */
  name: filled().required().means("none"),
  /** Whether the bot user is active. */
  active: flag().means("who may act", becomes(false)).serverDefault().absentAs(true),
};

const fields = together(own, recorded);

/** The arguments of a {@link BotUser}. Specification: Create and update parameters, /bot_users. */
export interface BotUserArgs extends ArgsOf<typeof fields> {}

/**
 * A bot user (`bot_…`): an owner of keys and credentials that is not a person. Name and activity change in place.
 *
 * ## Example: a bot user with an API key of its own
 *
 * ```typescript
 * import { ApiKey, BotUser } from "pulumi-tunnel-gateway";
 *
 * const pipeline = new BotUser("pipeline", { name: "release pipeline" });
 * new ApiKey("pipeline-key", { ownerId: pipeline.id });
 * ```
 *
 * Specification: Bot user, States and transitions, and Authentication 4.
 */
export class BotUser extends resource<BotUser, BotUserArgs, typeof fields>({
  type: "BotUser",
  group: credentials,
  path: "/bot_users",
  idPrefix: "bot_",
  columns: ["name", "active", "createdAt"],
  fields,
  unique: ["name"],
}) {}

export const [getBotUser, getBotUserOutput] = getOf(BotUser);
export const [listBotUsers, listBotUsersOutput] = listOf(BotUser);
