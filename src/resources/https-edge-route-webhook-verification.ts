import type * as pulumi from "@pulumi/pulumi";
import { singleton } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { notEmpty } from "../schema/formats/text";
import { filled, text } from "../schema/kinds";
import { readersAt } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resourceWithoutUri } from "../runtime/resource-class";
import { edges } from "./groups";
import { onRoute, switchable } from "./shared-fields";

/** The arguments of an {@link HttpsEdgeRouteWebhookVerification}. Specification: Edge route and edge modules. */
export interface HttpsEdgeRouteWebhookVerificationArgs {
  /** The HTTPS edge that the route belongs to. Changing it moves the module: it is replaced. */
  edgeId: pulumi.Input<string>;
  /** The route that the module belongs to. Changing it moves the module: it is replaced. */
  routeId: pulumi.Input<string>;
  /** Whether requests are verified. Default: true. If removed: its default again. */
  enabled?: pulumi.Input<boolean>;
  /** The identifier of the webhook provider that sends to the route; the service knows which. It is in upper case: another
   * spelling is a warning, and means the same. */
  provider: pulumi.Input<string>;
  /**
   * The secret that requests of the provider are verified with. Every provider but one cloud notification service
   * needs it. Kept as a secret. Default: left to the service. If removed: left to the service.
   */
  secret?: pulumi.Input<string>;
}

/** Which identifiers there are is not shown. Those that are shown are in upper case. */
function adviseProvider(value: string): string | undefined {
  return value === value.toUpperCase() && !/\s/.test(value)
    ? undefined
    : "is not in upper case without white space, as the identifiers of webhook providers are; services may refuse it";
}

const httpsEdgeRouteWebhookVerification: Declaration = singleton<
  HttpsEdgeRouteWebhookVerificationArgs,
  HttpsEdgeRouteWebhookVerification
>({
  type: "HttpsEdgeRouteWebhookVerification",
  noun: "webhook verification module",
  group: edges,
  path: "/edges/https/{edgeId}/routes/{routeId}/webhook_verification",
  gates: [{ by: "signature", what: "webhook verification", detail: "provider" }],
  fields: {
    ...onRoute(),
    ...switchable(),
    provider: text({
      check: notEmpty,
      advise: adviseProvider,
      canonical: (value) => value.toUpperCase(),
      example: () => "CODE_HOST",
    })
      .required()
      .means("who gets in"),
    secret: filled()
      .secret()
      .means("who gets in")
      .refused({
        status: [400, 422],
        missing: true,
        clause: "some providers require one",
      }),
  },
});

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
export class HttpsEdgeRouteWebhookVerification extends resourceWithoutUri<
  HttpsEdgeRouteWebhookVerification,
  HttpsEdgeRouteWebhookVerificationArgs
>(httpsEdgeRouteWebhookVerification) {
  /** The HTTPS edge that the route belongs to. */
  declare readonly edgeId: pulumi.Output<string>;
  /** The route that the module belongs to. */
  declare readonly routeId: pulumi.Output<string>;
  /** Whether requests are verified. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** The identifier of the webhook provider. */
  declare readonly provider: pulumi.Output<string>;
  /** The secret that requests are verified with, a secret. */
  declare readonly secret: pulumi.Output<string | undefined>;
}

const readers = readersAt<ResultOf<HttpsEdgeRouteWebhookVerification>>(httpsEdgeRouteWebhookVerification);
/** Reads the webhook verification module of an HTTPS edge route, by `<edge id>/<route id>`. Specification: HTTPS edge route webhook verification module. */
export const getHttpsEdgeRouteWebhookVerification = readers.get;
/** {@link getHttpsEdgeRouteWebhookVerification} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getHttpsEdgeRouteWebhookVerificationOutput = readers.getOutput;
