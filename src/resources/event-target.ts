/** Where events are delivered: one of five kinds of targets. Specification: Event destination. */
import type * as pulumi from "@pulumi/pulumi";
import { notEmpty } from "../schema/formats/text";
import * as url from "../schema/formats/url";
import { alternatives, filled, object, text } from "../schema/kinds";
import { exactlyOneOf } from "../schema/rules";

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

/** The identity that the service uses to deliver to a cloud: exactly one of the two. Specification: CloudAuth. */
export interface CloudAuthArgs {
  /** A role to assume. */
  role?: pulumi.Input<CloudRoleArgs>;
  /** Long-term keys. */
  creds?: pulumi.Input<CloudCredsArgs>;
}

/** A cloud data stream. Specification: EventTarget, stream. */
export interface StreamTargetArgs {
  /** The identity that the service uses to deliver: `role` or `creds`. */
  auth: pulumi.Input<CloudAuthArgs>;
  /** The stream's resource name. */
  streamRef: pulumi.Input<string>;
}

/** A cloud delivery stream. Specification: EventTarget, delivery_stream. */
export interface DeliveryStreamTargetArgs {
  /** The identity that the service uses to deliver: `role` or `creds`. */
  auth: pulumi.Input<CloudAuthArgs>;
  /** The delivery stream's resource name. */
  deliveryStreamRef: pulumi.Input<string>;
}

/** A cloud log group. Specification: EventTarget, log_group. */
export interface LogGroupTargetArgs {
  /** The identity that the service uses to deliver: `role` or `creds`. */
  auth: pulumi.Input<CloudAuthArgs>;
  /** The log group's resource name. */
  logGroupRef: pulumi.Input<string>;
}

/** A monitoring service. Specification: EventTarget, monitoring. */
export interface MonitoringTargetArgs {
  /** The API key of the monitoring service, a secret. */
  apiKey: pulumi.Input<string>;
  /**
   * The tags sent with every event. Default: left to the service. If removed: replaced; left to the service with
   * `patchUndocumented`.
   */
  ddtags?: pulumi.Input<string>;
  /**
   * The service name sent with every event. Default: left to the service. If removed: replaced; left to the service
   * with `patchUndocumented`.
   */
  service?: pulumi.Input<string>;
  /**
   * The site to send to. Default: left to the service. If removed: replaced; left to the service with
   * `patchUndocumented`.
   */
  ddsite?: pulumi.Input<string>;
}

/** A cloud service for the ingestion of logs. Specification: EventTarget, logs_ingestion. */
export interface LogsIngestionTargetArgs {
  /** The id of the tenant. */
  tenantId: pulumi.Input<string>;
  /** The id of the client. */
  clientId: pulumi.Input<string>;
  /** The client's secret. Kept as a secret. */
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

const cloudAuth = alternatives(
  {
    role: object({ roleRef: filled().required() }),
    creds: object({
      accessKeyId: filled().secret().required(),
      secretAccessKey: filled().secret().required(),
    }),
  },
  exactlyOneOf,
  // An answer without both leaves out the keys, as the secrets that they are.
  { others: true },
).required();

export const eventTarget = alternatives(
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
  exactlyOneOf,
  // An object-storage target, whose fields the specification does not show.
  { others: true },
);
