/**
 * One program for all environments. Each environment is a stack, and the differences between them are configuration:
 * Pulumi.yaml contains the defaults, and Pulumi.<stack>.yaml the values of one environment, with its secrets encrypted.
 */
import * as pulumi from "@pulumi/pulumi";
import {
  EventDestination,
  EventSubscription,
  FailoverBackend,
  HttpResponseBackend,
  IpAccessList,
  TunnelGroupBackend,
} from "pulumi-tunnel-gateway";

const config = new pulumi.Config();
const environment = pulumi.getStack();

// The account itself is configuration too: tunnel-gateway:baseUrl and the secret tunnel-gateway:apiKey.
const tools = new IpAccessList("tools", {
  description: `who reaches the tools of ${environment}`,
  allow: config.requireObject<string[]>("allow"),
});

const shop = new TunnelGroupBackend("shop", { labels: { service: "shop", environment } });
const closed = new HttpResponseBackend("closed", { statusCode: config.requireNumber("statusCode") });
const shopOrClosed = new FailoverBackend("shop-or-closed", { backends: [shop.id, closed.id] });

// An environment without monitoring has no key and sends no events. A secret from the configuration stays a secret in
// previews, in the state and in every output that contains it.
const apiKey = config.getSecret("monitoringApiKey");
if (apiKey) {
  const monitoring = new EventDestination("monitoring", {
    target: { monitoring: { apiKey, service: `gateway-${environment}` } },
  });
  new EventSubscription("audit", {
    destinationIds: [monitoring.id],
    sources: [{ type: "ip_policy_updated.v0" }, { type: "ip_policy_rule_created.v0" }],
  });
}

export const policyId = tools.policyId;
export const backendId = shopOrClosed.id;
