import type * as pulumi from "@pulumi/pulumi";
import { singleton } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { uint32 } from "../schema/formats/number";
import { number } from "../schema/kinds";
import { requiredUnless } from "../schema/rules";
import { readersAt } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resourceWithoutUri } from "../runtime/resource-class";
import { comparedByOwnRule, endsSooner } from "../schema/meaning";
import { edges } from "./groups";
import { oauthProvider } from "./oauth-provider";
import type { OauthProviderArgs } from "./oauth-provider";
import { onRoute, oneSignIn, session } from "./shared-fields";

export type { OauthAppArgs, OauthCodeHostArgs, OauthProviderArgs } from "./oauth-provider";

/** The arguments of an {@link HttpsEdgeRouteOauth}. Specification: Edge route and edge modules. */
export interface HttpsEdgeRouteOauthArgs {
  /** The HTTPS edge that the route belongs to. Changing it moves the module: it is replaced. */
  edgeId: pulumi.Input<string>;
  /** The route that the module belongs to. Changing it moves the module: it is replaced. */
  routeId: pulumi.Input<string>;
  /** Whether users must sign in. Default: true. If removed: its default again. */
  enabled?: pulumi.Input<boolean>;
  /**
   * The identity provider and who may pass: one of its members. Required unless `enabled` is false. If removed: left
   * to the service.
   */
  provider?: pulumi.Input<OauthProviderArgs>;
  /**
   * Whether HTTP OPTIONS requests pass without authentication, as CORS needs it. Default: false. If removed: its
   * default again.
   */
  optionsPassthrough?: pulumi.Input<boolean>;
  /**
   * The prefix of the session cookie's name; "" is the default. Default: the name of the service, followed by a
   * period. If removed: left to the service.
   */
  cookiePrefix?: pulumi.Input<string>;
  /**
   * The seconds without activity after which a session ends, 0 to 4294967295. Default: 0. If removed: its default
   * again.
   */
  inactivityTimeout?: pulumi.Input<number>;
  /**
   * The seconds after which a session ends, also when it is in use, 0 to 4294967295. Default: 0. If removed: its
   * default again.
   */
  maximumDuration?: pulumi.Input<number>;
  /**
   * The seconds after which the service asks the identity provider for the user again and checks whether the user
   * still has access, 0 to 4294967295: the preferred limit on how long a revoked user keeps access. Default: 0. If
   * removed: its default again.
   */
  authCheckInterval?: pulumi.Input<number>;
}

const httpsEdgeRouteOauth: Declaration = singleton<HttpsEdgeRouteOauthArgs, HttpsEdgeRouteOauth>({
  type: "HttpsEdgeRouteOauth",
  noun: "OAuth module",
  group: edges,
  path: "/edges/https/{edgeId}/routes/{routeId}/oauth",
  gates: [{ by: "signIn", what: "sign-in by OAuth", detail: "provider" }],
  fields: {
    ...onRoute(),
    ...session(),
    provider: oauthProvider.means("who signs in", comparedByOwnRule),
    authCheckInterval: number(uint32).serverDefault(0).means("who signs in", endsSooner),
  },
  rules: [requiredUnless("provider", "enabled", false)],
  conflictAdvice: oneSignIn,
});

/**
 * The OAuth module of an HTTPS edge's route: users sign in at an identity provider before a request passes.
 * A route has one module of this kind; its id is `<edgeId>/<routeId>`. The package does not adopt an existing one:
 * import it. A route may have OIDC or OAuth on, not both: to change from one to the other, set
 * `enabled` of the old one to false, let the new one depend on it, and remove the old one the next time.
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
export class HttpsEdgeRouteOauth extends resourceWithoutUri<HttpsEdgeRouteOauth, HttpsEdgeRouteOauthArgs>(
  httpsEdgeRouteOauth,
) {
  /** The HTTPS edge that the route belongs to. */
  declare readonly edgeId: pulumi.Output<string>;
  /** The route that the module belongs to. */
  declare readonly routeId: pulumi.Output<string>;
  /** Whether users must sign in. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** The identity provider and who may pass. Undefined if the module is off and has no provider. */
  declare readonly provider: pulumi.Output<pulumi.Unwrap<OauthProviderArgs> | undefined>;
  /** Whether HTTP OPTIONS requests pass without authentication. */
  declare readonly optionsPassthrough: pulumi.Output<boolean>;
  /** The prefix of the session cookie's name. */
  declare readonly cookiePrefix: pulumi.Output<string>;
  /** The seconds without activity after which a session ends. */
  declare readonly inactivityTimeout: pulumi.Output<number>;
  /** The seconds after which a session ends, also when it is in use. */
  declare readonly maximumDuration: pulumi.Output<number>;
  /** The seconds after which the service checks again whether a user has access. */
  declare readonly authCheckInterval: pulumi.Output<number>;
}

const readers = readersAt<ResultOf<HttpsEdgeRouteOauth>>(httpsEdgeRouteOauth);
/** Reads the OAuth module of an HTTPS edge route, by `<edge id>/<route id>`. Specification: HTTPS edge route OAuth module. */
export const getHttpsEdgeRouteOauth = readers.get;
/** {@link getHttpsEdgeRouteOauth} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getHttpsEdgeRouteOauthOutput = readers.getOutput;
