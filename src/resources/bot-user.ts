import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { filled, flag } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { becomes } from "../schema/meaning";
import { credentials } from "./groups";
import { recorded } from "./shared-fields";

/** The arguments of a {@link BotUser}. Specification: Create and update parameters, /bot_users. */
export interface BotUserArgs {
  /** The name, for people to read; not empty. */
  name: pulumi.Input<string>;
  /**
   * Whether the bot user is active. Default: left to the service. Taking the argument out of the program changes
   * nothing: an inactive bot user stays inactive. If removed: stays as it is.
   */
  active?: pulumi.Input<boolean>;
}

const botUser: Declaration = collection<BotUserArgs, BotUser>({
  type: "BotUser",
  noun: "bot user",
  group: credentials,
  path: "/bot_users",
  idPrefix: "bot_",
  columns: ["name", "active", "createdAt"],
  fields: {
    name: filled().required().means("none"),
    active: flag().means("who may act", becomes(false)).serverDefault().absentAs(true),
    ...recorded(),
  },
  unique: ["name"],
});

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
export class BotUser extends resource<BotUser, BotUserArgs>(botUser) {
  /** The name, for people to read. */
  declare readonly name: pulumi.Output<string>;
  /** Whether the bot user is active. */
  declare readonly active: pulumi.Output<boolean>;
  /** When the bot user was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<BotUser>>(botUser);
/** Reads a bot user by its id, or the only one that a filter matches. Specification: Bot user. */
export const getBotUser = readers.get;
/** {@link getBotUser} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getBotUserOutput = readers.getOutput;
/** Lists all bot users. Specification: Bot user. */
export const listBotUsers = readers.list;
/** {@link listBotUsers} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listBotUsersOutput = readers.listOutput;
