/** Event destinations, subscriptions and sources. */
import { drop, record, remove, replace, snake, update } from "../subject";
import type { Json, Subject } from "../subject";
import { described, describedByReplacement, driftedTexts, texts } from "./texts";

const creds = { accessKeyId: "SECRET-access-key-id", secretAccessKey: "SECRET-access-key" };

/** A destination of a cloud kind: each takes a CloudAuth and a resource name. */
const cloud = (kind: string, ref: string): Subject => ({
  name: `${kind}-destination`,
  type: "EventDestination",
  args: { target: { [kind]: { auth: { role: { roleRef: "one" } }, [ref]: "one" } } },
  changes: [
    replace({ [`target.${kind}.${ref}`]: "another" }),
    replace({ [`target.${kind}.auth.role.roleRef`]: "another" }),
    replace({ [`target.${kind}.auth`]: { creds } }),
    replace({ [`target.${kind}.auth.creds.accessKeyId`]: "SECRET-another-access-key-id" }),
    // The answer leaves it out, and still a change of the program is one.
    replace({ [`target.${kind}.auth.creds.secretAccessKey`]: "SECRET-another-access-key" }),
    replace({ [`target.${kind}.auth`]: { role: { roleRef: "one" } } }),
  ],
  exchanged: wireTarget(kind, { auth: { role: { roleRef: "by hand" } }, [ref]: "by hand" }),
});

const monitoring = { apiKey: "SECRET-api-key", ddtags: "one", service: "one", ddsite: "one" };
const ingestion = {
  tenantId: "one",
  clientId: "one",
  clientSecret: "SECRET-ingestion",
  logsIngestionUri: "https://one.example.com",
  dataCollectionRuleId: "one",
  dataCollectionStreamName: "one",
};

function wireTarget(kind: string, members: Json): Json {
  const deep = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [snake(name), deep(member)]))
      : value;
  return { target: { [snake(kind)]: deep(members) } };
}

export const destinations: Subject[] = [
  cloud("stream", "streamRef"),
  cloud("deliveryStream", "deliveryStreamRef"),
  cloud("logGroup", "logGroupRef"),
  {
    name: "monitoring-destination",
    type: "EventDestination",
    args: { format: "json", target: { monitoring } },
    changes: [
      replace({ "target.monitoring.apiKey": "SECRET-another-api-key" }),
      replace({ "target.monitoring.ddtags": "another" }),
      replace({ "target.monitoring.service": "another" }),
      replace({ "target.monitoring.ddsite": "another" }),
      drop("target.monitoring.ddtags"),
      drop("target.monitoring.service"),
      drop("target.monitoring.ddsite"),
      record("format"),
    ],
    exchanged: wireTarget("monitoring", {
      apiKey: "SECRET-by-hand",
      ddtags: "by hand",
      service: "by hand",
      ddsite: "by hand",
    }),
  },
  {
    name: "ingestion-destination",
    type: "EventDestination",
    args: { target: { logsIngestion: ingestion } },
    changes: Object.keys(ingestion).map((name) =>
      replace({
        [`target.logsIngestion.${name}`]:
          { clientSecret: "SECRET-another-ingestion", logsIngestionUri: "https://two.example.com" }[name] ??
          "another",
      }),
    ),
    exchanged: wireTarget("logsIngestion", {
      tenantId: "by hand",
      clientId: "by hand",
      clientSecret: "SECRET-by-hand",
      logsIngestionUri: "https://by-hand.example.com",
      dataCollectionRuleId: "by hand",
      dataCollectionStreamName: "by hand",
    }),
  },
  {
    name: "destination",
    type: "EventDestination",
    args: { ...texts, target: { stream: { auth: { creds }, streamRef: "one" } } },
    changes: [
      ...describedByReplacement,
      // Another kind is another object.
      ...["deliveryStream", "logGroup"].map((kind) =>
        replace({ target: { [kind]: { auth: { creds }, [`${kind}Ref`]: "one" } } }),
      ),
      replace({ target: { logsIngestion: ingestion } }),
      replace({ target: { monitoring } }),
      replace({ target: { stream: { auth: { creds }, streamRef: "one" } } }),
    ],
    exchanged: {
      ...driftedTexts,
      ...wireTarget("logGroup", { auth: { role: { roleRef: "x" } }, logGroupRef: "x" }),
    },
  },
];

export const subscriptions: Subject[] = [
  {
    name: "subscription",
    type: "EventSubscription",
    args: {
      ...texts,
      sources: [{ type: "ip_policy_created.v0" }, { type: "ip_policy_updated.v0" }],
      destinationIds: ["ed_one"],
    },
    changes: [
      ...described,
      update("sources", [{ type: "ip_policy_deleted.v0" }]),
      update("destinationIds", ["ed_one", "ed_two"]),
      remove("sources", { sources: [] }),
      remove("destinationIds", { destination_ids: [] }),
    ],
    drift: { ...driftedTexts, sources: [{ type: "by_hand.v0" }], destination_ids: ["ed_two"] },
  },
  {
    name: "source",
    type: "EventSource",
    args: { subscriptionId: "esb_one", type: "ip_policy_created.v0" },
    changes: [replace({ type: "ip_policy_updated.v0" }), replace({ subscriptionId: "esb_two" })],
  },
];
