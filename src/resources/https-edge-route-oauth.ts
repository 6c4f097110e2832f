import { uint32 } from "../schema/formats/number";
import { comparedByOwnRule, endsSooner, number, requiredUnlessDisabled, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { edges, getAt, resource } from "./collection";
import { oauthProvider } from "./oauth-provider";
import { onRoute, oneSignIn, session } from "./shared-fields";

const fields = together(onRoute, session, {
  /**
   * The identity provider and who may pass: one of its members. The output is undefined if the module is off and has no
   * provider. Required unless `enabled` is false.
   */
  provider: oauthProvider.means("who signs in", comparedByOwnRule),
  /**
   * The seconds after which the service asks the identity provider for the user again and checks whether the user
   * still has access, 0 to 4294967295: the preferred limit on how long a revoked user keeps access. Default: 0.
   */
  authCheckInterval: number(uint32).serverDefault(0).means("who signs in", endsSooner),
});

/** The arguments of an {@link HttpsEdgeRouteOauth}. Specification: Edge route and edge modules. */
export interface HttpsEdgeRouteOauthArgs extends ArgsOf<typeof fields> {}

/**
 * The OAuth module of an HTTPS edge's route: users sign in at an identity provider before a request passes.
 * A route has one module of this kind; its id is `<edgeId>/<routeId>`. The package does not adopt an existing one:
 * import it. A route may have OIDC or OAuth on, not both: to change from one to the other, set `enabled` of the old one to
 * false, let the new one depend on it, and remove the old one later. Between the two writes the route has no sign-in.
 *
 * ## Example: the members of a team sign in at their code host
 *
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import { HttpsEdgeRouteOauth } from "pulumi-tunnel-gateway";
 *
 * const config = new pulumi.Config();
 * new HttpsEdgeRouteOauth("sign-in", {
 *   edgeId: config.require("edgeId"),
 *   routeId: config.require("routeId"),
 *   provider: {
 *     codeHost: {
 *       clientId: "dashboard",
 *       clientSecret: config.requireSecret("clientSecret"),
 *       scopes: ["read:org"],
 *       teams: ["example/operations"],
 *     },
 *   },
 *   authCheckInterval: 3600,
 * });
 * ```
 *
 * Specification: HTTPS edge route OAuth module.
 */
export class HttpsEdgeRouteOauth extends resource<
  HttpsEdgeRouteOauth,
  HttpsEdgeRouteOauthArgs,
  typeof fields
>({
  style: "singleton",
  type: "HttpsEdgeRouteOauth",
  noun: "OAuth module",
  group: edges,
  path: "/edges/https/{edgeId}/routes/{routeId}/oauth",
  gates: [{ by: "signIn", what: "sign-in by OAuth", detail: "provider" }],
  fields,
  rules: [requiredUnlessDisabled("provider")],
  conflictAdvice: oneSignIn,
}) {}

export const [getHttpsEdgeRouteOauth, getHttpsEdgeRouteOauthOutput] = getAt(HttpsEdgeRouteOauth);
