import { singleton } from "../schema/declaration";
import { together } from "../schema/inferred";
import type { ArgsOf } from "../schema/inferred";
import { notEmpty } from "../schema/formats/text";
import { filled, text } from "../schema/kinds";
import { readersAt } from "../account/readers";
import { resource } from "../program/resource-class";
import { edges } from "./groups";
import { onRoute, switchable } from "./shared-fields";

/** Which identifiers there are is not shown. Those that are shown are in upper case. */
function adviseProvider(value: string): string | undefined {
  return value === value.toUpperCase() && !/\s/.test(value)
    ? undefined
    : "is not in upper case without white space, as the identifiers of webhook providers are; services may refuse it";
}

const fields = together(onRoute, switchable, {
  /**
   * The identifier of the webhook provider that sends to the route; the service knows which. It is in upper case:
   * another spelling is a warning, and means the same.
   */
  provider: text({
    check: notEmpty,
    advise: adviseProvider,
    canonical: (value) => value.toUpperCase(),
    example: () => "CODE_HOST",
  })
    .required()
    .means("who gets in"),
  /**
   * The secret that requests of the provider are verified with. Every provider but one cloud notification service
   * needs it. Kept as a secret. Default: left to the service. If removed: left to the service.
   */
  secret: filled()
    .secret()
    .means("who gets in")
    .refused({
      status: [400, 422],
      missing: true,
      clause: "some providers require one",
    }),
});

/** The arguments of an {@link HttpsEdgeRouteWebhookVerification}. Specification: Edge route and edge modules. */
export interface HttpsEdgeRouteWebhookVerificationArgs extends ArgsOf<typeof fields> {}

/**
 * The webhook verification module of an HTTPS edge's route: only requests that a webhook provider signed
 * pass. A route has one module of this kind; its id is `<edgeId>/<routeId>`. The package does not adopt
 * an existing one: import it.
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
>(
  singleton({
    type: "HttpsEdgeRouteWebhookVerification",
    noun: "webhook verification module",
    group: edges,
    path: "/edges/https/{edgeId}/routes/{routeId}/webhook_verification",
    gates: [{ by: "signature", what: "webhook verification", detail: "provider" }],
    fields,
  }),
) {}

export const [getHttpsEdgeRouteWebhookVerification, getHttpsEdgeRouteWebhookVerificationOutput] = readersAt(
  HttpsEdgeRouteWebhookVerification,
);
