import * as url from "../schema/formats/url";
import { comparedByOwnRule, filled, requiredUnlessDisabled, set, text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { edges, getAt, resource } from "./collection";
import { onRoute, oneSignIn, session } from "./shared-fields";

const fields = together(onRoute, session, {
  /**
   * The URL of the OpenID provider, below which its discovery document is. One that is not https is a warning.
   * Required unless `enabled` is false.
   */
  issuer: text(url.issuer).essential().means("who signs in", comparedByOwnRule),
  /** The client id of the app at the provider, and the audience of its tokens. Required unless `enabled` is false. */
  clientId: filled().essential().means("who signs in", comparedByOwnRule),
  /** The client secret of the app. Kept as a secret. Required unless `enabled` is false. */
  // It identifies the service to the provider; no user signs in with it.
  clientSecret: filled().secret().means("none"),
  /** The scopes to ask for, in any order. */
  scopes: set(text()).alwaysShown().means("where data goes"),
});

/** The arguments of an {@link HttpsEdgeRouteOidc}. Specification: Edge route and edge modules. */
export interface HttpsEdgeRouteOidcArgs extends ArgsOf<typeof fields> {}

/**
 * The OIDC module of an HTTPS edge's route: users sign in at an OpenID provider before a request passes. A
 * route has one module of this kind; its id is `<edgeId>/<routeId>`. The package does not adopt an existing one:
 * import it. A route may have OIDC or OAuth on, not both: to change from one to the other, set `enabled` of the old one to
 * false, let the new one depend on it, and remove the old one later. Between the two writes the route has no sign-in.
 *
 * ## Example: users sign in at an OpenID provider
 *
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import { HttpsEdgeRouteOidc } from "pulumi-tunnel-gateway";
 *
 * const config = new pulumi.Config();
 * new HttpsEdgeRouteOidc("sign-in", {
 *   edgeId: config.require("edgeId"),
 *   routeId: config.require("routeId"),
 *   issuer: "https://login.example.com",
 *   clientId: "dashboard",
 *   clientSecret: config.requireSecret("clientSecret"),
 *   scopes: ["openid", "email"],
 *   maximumDuration: 8 * 3600,
 * });
 * ```
 *
 * Specification: HTTPS edge route OIDC module.
 */
export class HttpsEdgeRouteOidc extends resource<HttpsEdgeRouteOidc, HttpsEdgeRouteOidcArgs, typeof fields>({
  style: "singleton",
  type: "HttpsEdgeRouteOidc",
  noun: "OIDC module",
  group: edges,
  path: "/edges/https/{edgeId}/routes/{routeId}/oidc",
  gates: [{ by: "signIn", what: "sign-in by OIDC", detail: "issuer" }],
  fields,
  rules: ["issuer", "clientId", "clientSecret"].map(requiredUnlessDisabled),
  conflictAdvice: oneSignIn,
}) {}

export const [getHttpsEdgeRouteOidc, getHttpsEdgeRouteOidcOutput] = getAt(HttpsEdgeRouteOidc);
