import type * as pulumi from "@pulumi/pulumi";
import { singleton } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { adviseIssuer, checkIssuer } from "../schema/formats/url";
import { filled, set, text } from "../schema/kinds";
import { requiredUnless } from "../schema/rules";
import { readersAt } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resourceWithoutUri } from "../runtime/resource-class";
import { comparedByOwnRule } from "../schema/meaning";
import { edges } from "./groups";
import { onRoute, oneSignIn, session } from "./shared-fields";

/** The arguments of an {@link HttpsEdgeRouteOidc}. Specification: Edge route and edge modules. */
export interface HttpsEdgeRouteOidcArgs {
  /** The HTTPS edge that the route belongs to. Changing it moves the module: it is replaced. */
  edgeId: pulumi.Input<string>;
  /** The route that the module belongs to. Changing it moves the module: it is replaced. */
  routeId: pulumi.Input<string>;
  /** Whether users must sign in. Default: true. If removed: its default again. */
  enabled?: pulumi.Input<boolean>;
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
   * The URL of the OpenID provider, below which its discovery document is. One that is not https is a warning.
   * Required unless `enabled` is false. If removed: left to the service.
   */
  issuer?: pulumi.Input<string>;
  /**
   * The client id of the app at the provider, and the audience of its tokens. Required unless `enabled` is false. If
   * removed: left to the service.
   */
  clientId?: pulumi.Input<string>;
  /**
   * The client secret of the app. Kept as a secret. Required unless `enabled` is false. If removed: left to the
   * service.
   */
  clientSecret?: pulumi.Input<string>;
  /** The scopes to ask for, in any order. Default: left to the service. If removed: left to the service. */
  scopes?: pulumi.Input<pulumi.Input<string>[]>;
}

const httpsEdgeRouteOidc: Declaration = singleton<HttpsEdgeRouteOidcArgs, HttpsEdgeRouteOidc>({
  type: "HttpsEdgeRouteOidc",
  noun: "OIDC module",
  group: edges,
  path: "/edges/https/{edgeId}/routes/{routeId}/oidc",
  gates: [{ by: "signIn", what: "sign-in by OIDC", detail: "issuer" }],
  fields: {
    ...onRoute(),
    ...session(),
    issuer: text({
      check: checkIssuer,
      advise: adviseIssuer,
      example: () => "https://login.example.com",
    })
      .lasting()
      .means("who signs in", comparedByOwnRule),
    clientId: filled().lasting().means("who signs in", comparedByOwnRule),
    // It proves to the provider that the service asks: nobody signs in with it.
    clientSecret: filled().secret().means("none"),
    scopes: set(text()).means("where data goes"),
  },
  rules: ["issuer", "clientId", "clientSecret"].map((name) => requiredUnless(name, "enabled", false)),
  conflictAdvice: oneSignIn,
});

/**
 * The OIDC module of an HTTPS edge's route: users sign in at an OpenID provider before a request passes. A
 * route has one module of this kind; its id is `<edgeId>/<routeId>`. The package does not adopt an existing one:
 * import it. A route may have OIDC or OAuth on, not both: to change from one to the other, set
 * `enabled` of the old one to false, let the new one depend on it, and remove the old one the next time.
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
export class HttpsEdgeRouteOidc extends resourceWithoutUri<HttpsEdgeRouteOidc, HttpsEdgeRouteOidcArgs>(
  httpsEdgeRouteOidc,
) {
  /** The HTTPS edge that the route belongs to. */
  declare readonly edgeId: pulumi.Output<string>;
  /** The route that the module belongs to. */
  declare readonly routeId: pulumi.Output<string>;
  /** Whether users must sign in. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** Whether HTTP OPTIONS requests pass without authentication. */
  declare readonly optionsPassthrough: pulumi.Output<boolean>;
  /** The prefix of the session cookie's name. */
  declare readonly cookiePrefix: pulumi.Output<string>;
  /** The seconds without activity after which a session ends. */
  declare readonly inactivityTimeout: pulumi.Output<number>;
  /** The seconds after which a session ends, also when it is in use. */
  declare readonly maximumDuration: pulumi.Output<number>;
  /** The URL of the OpenID provider. */
  declare readonly issuer: pulumi.Output<string | undefined>;
  /** The client id of the app at the provider. */
  declare readonly clientId: pulumi.Output<string | undefined>;
  /** The client secret of the app, a secret. */
  declare readonly clientSecret: pulumi.Output<string | undefined>;
  /** The scopes to ask for. */
  declare readonly scopes: pulumi.Output<string[]>;
}

const readers = readersAt<ResultOf<HttpsEdgeRouteOidc>>(httpsEdgeRouteOidc);
/** Reads the OIDC module of an HTTPS edge route, by `<edge id>/<route id>`. Specification: HTTPS edge route OIDC module. */
export const getHttpsEdgeRouteOidc = readers.get;
/** {@link getHttpsEdgeRouteOidc} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getHttpsEdgeRouteOidcOutput = readers.getOutput;
