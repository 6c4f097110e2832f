/** Where events are delivered: one of five kinds of targets. Specification: Event destination. */
import type * as pulumi from "@pulumi/pulumi";
import { notEmpty } from "../schema/formats/text";
import * as url from "../schema/formats/url";
import { alternatives, filled, object, text } from "../schema/words";
import type { ArgsOf } from "../schema/words";

const role = {
  /** The role's resource name. */
  roleRef: filled().required(),
};

/** The role that the service assumes to deliver. Specification: CloudAuth. */
export interface CloudRoleArgs extends ArgsOf<typeof role> {}

const creds = {
  /** The id of the access key, a secret. */
  accessKeyId: filled().secret().required(),
  /** The access key, a secret. */
  secretAccessKey: filled().secret().required(),
};

/** Long-term keys to deliver with. Specification: CloudAuth. */
export interface CloudCredsArgs extends ArgsOf<typeof creds> {}

const cloudAuth = {
  /** A role to assume. */
  role: object<CloudRoleArgs>(role),
  /** Long-term keys. */
  creds: object<CloudCredsArgs>(creds),
};

/** The identity that the service uses to deliver to a cloud: exactly one of the two. Specification: CloudAuth. */
export interface CloudAuthArgs extends ArgsOf<typeof cloudAuth> {}

// An answer with neither leaves out the keys, which are secrets.
const auth = alternatives<CloudAuthArgs>(cloudAuth, "exactly one").required();

const stream = {
  /** The identity that the service uses to deliver: `role` or `creds`. */
  auth,
  /** The stream's resource name. */
  streamRef: filled().required(),
};

/** A cloud data stream. Specification: EventTarget, stream. */
export interface StreamTargetArgs extends ArgsOf<typeof stream> {}

const deliveryStream = {
  /** The identity that the service uses to deliver: `role` or `creds`. */
  auth,
  /** The delivery stream's resource name. */
  deliveryStreamRef: filled().required(),
};

/** A cloud delivery stream. Specification: EventTarget, delivery_stream. */
export interface DeliveryStreamTargetArgs extends ArgsOf<typeof deliveryStream> {}

const logGroup = {
  /** The identity that the service uses to deliver: `role` or `creds`. */
  auth,
  /** The log group's resource name. */
  logGroupRef: filled().required(),
};

/** A cloud log group. Specification: EventTarget, log_group. */
export interface LogGroupTargetArgs extends ArgsOf<typeof logGroup> {}

const monitoring = {
  /** The API key of the monitoring service, a secret. */
  apiKey: filled().secret().required(),
  /** The tags sent with every event. */
  ddtags: text().serverDefault(),
  /** The service name sent with every event. */
  service: text().serverDefault(),
  /** The site to send to. */
  ddsite: text().serverDefault(),
};

/** A monitoring service. Specification: EventTarget, monitoring. */
export interface MonitoringTargetArgs extends ArgsOf<typeof monitoring> {}

const logsIngestion = {
  /** The id of the tenant. */
  tenantId: filled().required(),
  /** The id of the client. */
  clientId: filled().required(),
  /** The client's secret. Kept as a secret. */
  clientSecret: filled().secret().required(),
  /** The URI of the data collection endpoint. One that is not https is a warning. */
  logsIngestionUri: text({ check: notEmpty, advise: url.adviseUri, canonical: url.canonical }).required(),
  /** The immutable id of the data collection rule. */
  dataCollectionRuleId: filled().required(),
  /** The stream inside the rule. */
  dataCollectionStreamName: filled().required(),
};

/** A cloud service for the ingestion of logs. Specification: EventTarget, logs_ingestion. */
export interface LogsIngestionTargetArgs extends ArgsOf<typeof logsIngestion> {}

const target = {
  /** A cloud data stream. */
  stream: object<StreamTargetArgs>(stream),
  /** A cloud delivery stream. */
  deliveryStream: object<DeliveryStreamTargetArgs>(deliveryStream),
  /** A cloud log group. */
  logGroup: object<LogGroupTargetArgs>(logGroup),
  /** A monitoring service. */
  monitoring: object<MonitoringTargetArgs>(monitoring),
  /** A cloud service for the ingestion of logs. */
  logsIngestion: object<LogsIngestionTargetArgs>(logsIngestion),
};

/** Where events are delivered: exactly one of the five kinds. Specification: EventTarget. */
export interface EventTargetArgs extends ArgsOf<typeof target> {}

/** Where events are delivered, as the state keeps it: secrets as the program gave them. */
export type EventTarget = pulumi.Unwrap<EventTargetArgs>;

// Object storage is missing here, because the specification does not show its fields.
export const eventTarget = alternatives<EventTargetArgs, EventTarget>(target, "exactly one");
