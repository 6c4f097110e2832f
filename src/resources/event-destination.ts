import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import type { ReplaceWhen } from "../schema/field";
import { oneOf } from "../schema/kinds";
import { chosen } from "../schema/equality";
import { isUnknown } from "../schema/unknown";
import { eventTarget } from "./event-target";
import type { EventTarget, EventTargetArgs } from "./event-target";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { events } from "./groups";
import { describedByReplacement, recorded, undocumented } from "./shared-fields";

export type {
  CloudAuthArgs,
  CloudCredsArgs,
  CloudRoleArgs,
  DeliveryStreamTargetArgs,
  EventTarget,
  EventTargetArgs,
  LogGroupTargetArgs,
  LogsIngestionTargetArgs,
  MonitoringTargetArgs,
  StreamTargetArgs,
} from "./event-target";

/** How a destination serializes events. Specification: Event destination. */
export const EventDestinationFormat = { Json: "json" } as const;
export type EventDestinationFormat = "json";

/**
 * The arguments of an {@link EventDestination}. The specification shows no update, so every change replaces
 * the destination. With the setting `patchUndocumented`, only another kind of target replaces it.
 * Specification: Create and update parameters, /event_destinations.
 */
export interface EventDestinationArgs {
  /** Where the events are delivered: exactly one kind of target. */
  target: pulumi.Input<EventTargetArgs>;
  /**
   * How events are serialized: `json`. It is always sent when the destination is created. Default: `json`. If
   * removed: replaced, unless it has its default.
   */
  format?: pulumi.Input<EventDestinationFormat>;
  /**
   * What the destination is for. At most 255 bytes. Default: none. If removed: replaced; cleared with
   * `patchUndocumented`.
   */
  description?: pulumi.Input<string>;
  /**
   * Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: replaced; cleared with
   * `patchUndocumented`.
   */
  metadata?: pulumi.Input<string>;
}

/** A kind that is not known yet is taken for the same. */
const targetChanges: ReplaceWhen = (change, settings) =>
  undocumented(change, settings) || (!isUnknown(change.next) && chosen(change.old) !== chosen(change.next));

const eventDestination: Declaration = collection<EventDestinationArgs, EventDestination>({
  type: "EventDestination",
  noun: "event destination",
  group: events,
  path: "/event_destinations",
  idPrefix: "ed_",
  columns: ["format", "description"],
  fields: {
    target: eventTarget.required().replace(targetChanges).means("where data goes"),
    format: oneOf("json").sentDefault("json").replace(undocumented).means("none"),
    ...describedByReplacement(),
    ...recorded(),
  },
});

/**
 * An event destination (`ed_…`): where events are delivered. It has no effect until an
 * {@link EventSubscription} refers to it.
 *
 * ## Example: a log group that the service writes to with your role
 *
 * ```typescript
 * import { EventDestination, EventSubscription } from "pulumi-tunnel-gateway";
 *
 * const audit = new EventDestination("audit", {
 *   target: {
 *     logGroup: {
 *       auth: { role: { roleRef: "role/gateway-events" } },
 *       logGroupRef: "log-group/gateway-audit",
 *     },
 *   },
 * });
 * new EventSubscription("audit", {
 *   sources: [{ type: "ip_policy_created.v0" }],
 *   destinationIds: [audit.id],
 * });
 * ```
 *
 * Specification: Event destination, EventTarget and CloudAuth.
 */
export class EventDestination extends resource<EventDestination, EventDestinationArgs>(eventDestination) {
  /**
   * Where the events are delivered; its secrets are encrypted. Undefined if the destination was looked up
   * and its target is of a kind that the specification does not show (object storage).
   */
  declare readonly target: pulumi.Output<EventTarget | undefined>;
  /** How events are serialized. */
  declare readonly format: pulumi.Output<EventDestinationFormat>;
  /** What the destination is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the destination was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<EventDestination>>(eventDestination);
/** Reads an event destination by its id, or the only one that a filter matches. Specification: Event destination. */
export const getEventDestination = readers.get;
/** {@link getEventDestination} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getEventDestinationOutput = readers.getOutput;
/** Lists all event destinations; their secrets are seldom shown. Specification: Event destination. */
export const listEventDestinations = readers.list;
/** {@link listEventDestinations} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listEventDestinationsOutput = readers.listOutput;
