import { webhookProvider } from "../schema/formats/names";
import { filled, text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { edges, getAt, resource } from "./collection";
import { onRoute, switchable } from "./shared-fields";

const fields = together(onRoute, switchable, {
  /**
   * The identifier of the webhook provider that sends to the route; the service knows which. It is in upper case:
   * another spelling is a warning, and means the same.
   */
  provider: text(webhookProvider).required().means("who gets in"),
  /**
   * The secret that requests of the provider are verified with. Every provider but one cloud notification service
   * needs it. Kept as a secret.
   */
  secret: filled()
    .secret()
    .means("who gets in")
    .refused({ status: [400, 422], missing: true, clause: "some providers require one" }),
});

/** The arguments of an {@link HttpsEdgeRouteWebhookVerification}. Specification: Edge route and edge modules. */
export interface HttpsEdgeRouteWebhookVerificationArgs extends ArgsOf<typeof fields> {}

/**
 * The webhook verification module of an HTTPS edge's route: only requests that a webhook provider signed pass. A route has
 * one module of this kind; its id is `<edgeId>/<routeId>`. The package does not adopt an existing one: import it.
 *
 * ## Example: only a provider's own webhooks pass
 *
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import { HttpsEdgeRouteWebhookVerification } from "pulumi-tunnel-gateway";
 *
 * const config = new pulumi.Config();
 * new HttpsEdgeRouteWebhookVerification("payments", {
 *   edgeId: config.require("edgeId"),
 *   routeId: config.require("routeId"),
 *   provider: "PAYMENTS",
 *   secret: config.requireSecret("webhookSecret"),
 * });
 * ```
 *
 * Specification: HTTPS edge route webhook verification module.
 */
export class HttpsEdgeRouteWebhookVerification extends resource<
  HttpsEdgeRouteWebhookVerification,
  HttpsEdgeRouteWebhookVerificationArgs,
  typeof fields
>({
  style: "singleton",
  type: "HttpsEdgeRouteWebhookVerification",
  noun: "webhook verification module",
  group: edges,
  path: "/edges/https/{edgeId}/routes/{routeId}/webhook_verification",
  gates: [{ by: "signature", what: "webhook verification", detail: "provider" }],
  fields,
}) {}

export const [getHttpsEdgeRouteWebhookVerification, getHttpsEdgeRouteWebhookVerificationOutput] = getAt(
  HttpsEdgeRouteWebhookVerification,
);
