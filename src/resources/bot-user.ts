import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import { filled, flag } from "../schema/kinds";
import { GatewayResource } from "../runtime/gateway-resource";
import { credentials } from "./groups";
import { recorded } from "./shared-fields";

/** The arguments of a {@link BotUser}. Specification: Create and update parameters, /bot_users. */
export interface BotUserArgs {
  /** The name, for people to read; not empty. */
  name: pulumi.Input<string>;
  /** Whether the bot user is active. Default: true. */
  active?: pulumi.Input<boolean>;
}

export const botUser = collection<BotUserArgs, BotUser>({
  type: "BotUser",
  noun: "bot user",
  plural: "bot users",
  group: credentials,
  path: "/bot_users",
  idPrefix: "bot_",
  listKey: "bot_users",
  columns: ["name", "active", "createdAt"],
  fields: {
    name: filled().required(),
    active: flag().serverDefault(true),
    ...recorded(),
  },
  unique: ["name"],
});

/**
 * A bot user (`bot_…`): an owner of keys and credentials that is no person. Name and activity change in place.
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
export class BotUser extends GatewayResource {
  /** Looks up an existing bot user by its id; it is read, not managed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): BotUser {
    return new BotUser(name, undefined as never, { ...opts, id });
  }

  /** Whether the value is a BotUser, of whatever copy of this package. */
  static override isInstance(value: unknown): value is BotUser {
    return GatewayResource.isOfType(value, botUser);
  }

  /** The name, for people to read. */
  declare readonly name: pulumi.Output<string>;
  /** Whether the bot user is active. */
  declare readonly active: pulumi.Output<boolean>;
  /** When the bot user was made, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name the resource's name in the program.
   * @param args the bot user's arguments.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args: BotUserArgs, opts?: pulumi.CustomResourceOptions) {
    super(botUser, name, args, opts);
  }
}
