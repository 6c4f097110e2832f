import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import type { ReplaceWhen } from "../schema/field";
import { notEmpty } from "../schema/formats/text";
import * as url from "../schema/formats/url";
import { alternatives, filled, object, oneOf, text } from "../schema/kinds";
import { exactlyOneOf } from "../schema/rules";
import { chosen } from "../schema/equality";
import { isUnknown } from "../schema/unknown";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { events } from "./groups";
import { describedByReplacement, recorded, undocumented } from "./shared-fields";

/** The role that the service assumes to deliver. Specification: CloudAuth. */
export interface CloudRoleArgs {
  /** The role's resource name. */
  roleRef: pulumi.Input<string>;
}

/** Long-term keys to deliver with. Specification: CloudAuth. */
export interface CloudCredsArgs {
  /** The id of the access key, a secret. */
  accessKeyId: pulumi.Input<string>;
  /** The access key, a secret. */
  secretAccessKey: pulumi.Input<string>;
}

/** As whom the service delivers to a cloud: exactly one of the two. Specification: CloudAuth. */
export interface CloudAuthArgs {
  /** A role to assume. */
  role?: pulumi.Input<CloudRoleArgs>;
  /** Long-term keys. */
  creds?: pulumi.Input<CloudCredsArgs>;
}

/** A cloud data stream. Specification: EventTarget, stream. */
export interface StreamTargetArgs {
  /** As whom the service delivers. */
  auth: pulumi.Input<CloudAuthArgs>;
  /** The stream's resource name. */
  streamRef: pulumi.Input<string>;
}

/** A cloud delivery stream. Specification: EventTarget, delivery_stream. */
export interface DeliveryStreamTargetArgs {
  /** As whom the service delivers. */
  auth: pulumi.Input<CloudAuthArgs>;
  /** The delivery stream's resource name. */
  deliveryStreamRef: pulumi.Input<string>;
}

/** A cloud log group. Specification: EventTarget, log_group. */
export interface LogGroupTargetArgs {
  /** As whom the service delivers. */
  auth: pulumi.Input<CloudAuthArgs>;
  /** The log group's resource name. */
  logGroupRef: pulumi.Input<string>;
}

/** A monitoring service. Specification: EventTarget, monitoring. */
export interface MonitoringTargetArgs {
  /** The API key of the monitoring service, a secret. */
  apiKey: pulumi.Input<string>;
  /** The tags sent with every event. Default: left to the service. */
  ddtags?: pulumi.Input<string>;
  /** The service name sent with every event. Default: left to the service. */
  service?: pulumi.Input<string>;
  /** The site to send to. Default: left to the service. */
  ddsite?: pulumi.Input<string>;
}

/** A cloud service for the ingestion of logs. Specification: EventTarget, logs_ingestion. */
export interface LogsIngestionTargetArgs {
  /** The id of the tenant. */
  tenantId: pulumi.Input<string>;
  /** The id of the client. */
  clientId: pulumi.Input<string>;
  /** The secret of the client, a secret. */
  clientSecret: pulumi.Input<string>;
  /** The URI of the data collection endpoint. One that is not https is a warning. */
  logsIngestionUri: pulumi.Input<string>;
  /** The immutable id of the data collection rule. */
  dataCollectionRuleId: pulumi.Input<string>;
  /** The stream inside of the rule. */
  dataCollectionStreamName: pulumi.Input<string>;
}

/** Where events are delivered: exactly one of the five kinds. Specification: EventTarget. */
export interface EventTargetArgs {
  /** A cloud data stream. */
  stream?: pulumi.Input<StreamTargetArgs>;
  /** A cloud delivery stream. */
  deliveryStream?: pulumi.Input<DeliveryStreamTargetArgs>;
  /** A cloud log group. */
  logGroup?: pulumi.Input<LogGroupTargetArgs>;
  /** A monitoring service. */
  monitoring?: pulumi.Input<MonitoringTargetArgs>;
  /** A cloud service for the ingestion of logs. */
  logsIngestion?: pulumi.Input<LogsIngestionTargetArgs>;
}

/** Where events are delivered, as the state keeps it: secrets as the program gave them. */
export type EventTarget = pulumi.Unwrap<EventTargetArgs>;

/** How a destination serializes events. Specification: Event destination. */
export const EventDestinationFormat = { Json: "json" } as const;
export type EventDestinationFormat = "json";

/**
 * The arguments of an {@link EventDestination}. The specification shows no update, so every change replaces
 * the destination; with the setting `patchUndocumented` all but another kind of target is changed in place.
 * Specification: Create and update parameters, /event_destinations.
 */
export interface EventDestinationArgs {
  /** Where the events are delivered: exactly one kind of target. */
  target: pulumi.Input<EventTargetArgs>;
  /** How events are serialized: `json`. It is always sent when the destination is created. Default: `json`. */
  format?: pulumi.Input<EventDestinationFormat>;
  /** What the destination is for. At most 255 bytes. Default: none. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. */
  metadata?: pulumi.Input<string>;
}

const cloudAuth = alternatives(
  {
    role: object({ roleRef: filled().required() }),
    creds: object({
      accessKeyId: filled().secret().required(),
      secretAccessKey: filled().secret().required(),
    }),
  },
  // An answer without both leaves out the keys, as the secrets that they are.
  { rules: [exactlyOneOf("role", "creds")], others: true },
).required();

const eventTarget = alternatives(
  {
    stream: object({ auth: cloudAuth, streamRef: filled().required() }),
    deliveryStream: object({ auth: cloudAuth, deliveryStreamRef: filled().required() }),
    logGroup: object({ auth: cloudAuth, logGroupRef: filled().required() }),
    monitoring: object({
      apiKey: filled().secret().required(),
      ddtags: text().serverDefault(),
      service: text().serverDefault(),
      ddsite: text().serverDefault(),
    }),
    logsIngestion: object({
      tenantId: filled().required(),
      clientId: filled().required(),
      clientSecret: filled().secret().required(),
      logsIngestionUri: text({ check: notEmpty, advise: url.adviseUri, canonical: url.canonical }).required(),
      dataCollectionRuleId: filled().required(),
      dataCollectionStreamName: filled().required(),
    }),
  },
  {
    rules: [exactlyOneOf("stream", "deliveryStream", "logGroup", "monitoring", "logsIngestion")],
    // An object-storage target, whose fields the specification does not show.
    others: true,
  },
);

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
    target: eventTarget.required().replace(targetChanges),
    format: oneOf("json").sentDefault("json").replace(undocumented),
    ...describedByReplacement(),
    ...recorded(),
  },
});

/**
 * An event destination (`ed_…`): where events are delivered. It has no effect until an
 * {@link EventSubscription} refers to it.
 *
 * ## Example: a log group that the service writes to in a role of yours
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
   * Where the events are delivered; its secrets are encrypted. Undefined where the destination was looked up
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
