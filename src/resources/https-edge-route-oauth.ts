import type * as pulumi from "@pulumi/pulumi";
import { singleton } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import * as access from "../schema/formats/access";
import { canonicalHost } from "../schema/formats/hostport";
import { uint32 } from "../schema/formats/number";
import type { Rule } from "../schema/field";
import { alternatives, filled, number, set, text, wholeObject } from "../schema/kinds";
import { atMostOneOf, needs, requiredUnless } from "../schema/rules";
import { readersAt } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resourceWithoutUri } from "../runtime/resource-class";
import { edges } from "./groups";
import { onRoute, oneSignIn, session } from "./shared-fields";

/** The app at an identity provider, and who may pass. An empty object is the service's own app, for anyone. */
export interface OauthAppArgs {
  /**
   * The client id of your app at the provider. Default: an app of the service with extra restrictions, where
   * the service has one: for `codeHost`, `social`, `softwareVendor` and `searchVendor`.
   */
  clientId?: pulumi.Input<string>;
  /** The client secret of your app. Kept as a secret. Default: left to the service. */
  clientSecret?: pulumi.Input<string>;
  /** The scopes to ask for, in any order; only together with `clientId` and `clientSecret`. Default: left to the service. */
  scopes?: pulumi.Input<pulumi.Input<string>[]>;
  /** The e-mail addresses of the users who may pass. Default: left to the service. */
  emailAddresses?: pulumi.Input<pulumi.Input<string>[]>;
  /** The e-mail domains of the users who may pass. Default: left to the service. */
  emailDomains?: pulumi.Input<pulumi.Input<string>[]>;
}

/** The app at a code-hosting platform, and who may pass. */
export interface OauthCodeHostArgs extends OauthAppArgs {
  /** The teams whose members may pass, each as `<org-slug>/<team-slug>`. Default: left to the service. */
  teams?: pulumi.Input<pulumi.Input<string>[]>;
  /** The organizations whose members may pass, each as its slug. Default: left to the service. */
  organizations?: pulumi.Input<pulumi.Input<string>[]>;
}

/** The identity provider: one of the members. */
export interface OauthProviderArgs {
  /** A code-hosting platform. `clientId` needs `clientSecret`. */
  codeHost?: pulumi.Input<OauthCodeHostArgs>;
  /** A social network. `clientId` needs `clientSecret`. */
  social?: pulumi.Input<OauthAppArgs>;
  /** The accounts of a software vendor. `clientId` needs `clientSecret`. */
  softwareVendor?: pulumi.Input<OauthAppArgs>;
  /** The accounts of a search and mail provider. `clientId` needs `clientSecret`. */
  searchVendor?: pulumi.Input<OauthAppArgs>;
  /** A professional network. */
  professional?: pulumi.Input<OauthAppArgs>;
  /** A source-control platform. */
  sourceControl?: pulumi.Input<OauthAppArgs>;
  /** A game-streaming platform. */
  streaming?: pulumi.Input<OauthAppArgs>;
  /** The accounts of a retail platform. */
  retail?: pulumi.Input<OauthAppArgs>;
}

/** The arguments of an {@link HttpsEdgeRouteOauth}. Specification: Edge route and edge modules. */
export interface HttpsEdgeRouteOauthArgs {
  /** The HTTPS edge that the route belongs to. Changing it moves the module: it is replaced. */
  edgeId: pulumi.Input<string>;
  /** The route that the module belongs to. Changing it moves the module: it is replaced. */
  routeId: pulumi.Input<string>;
  /** Whether users must sign in. Default: true. */
  enabled?: pulumi.Input<boolean>;
  /** The identity provider and who may pass: one of its members. Required unless `enabled` is false. */
  provider?: pulumi.Input<OauthProviderArgs>;
  /** Whether HTTP OPTIONS requests pass without authentication, as CORS needs it. Default: false. */
  optionsPassthrough?: pulumi.Input<boolean>;
  /** The prefix of the session cookie's name; "" is the default. Default: the name of the service, followed by a period. */
  cookiePrefix?: pulumi.Input<string>;
  /** The seconds without activity after which a session ends, 0 to 4294967295. Default: 0. */
  inactivityTimeout?: pulumi.Input<number>;
  /** The seconds after which a session ends in any case, 0 to 4294967295. Default: 0. */
  maximumDuration?: pulumi.Input<number>;
  /**
   * The seconds after which the service asks the identity provider for the user again and checks
   * whether the user still has access, 0 to 4294967295: the preferred limit on how long a revoked user keeps access.
   * Default: 0.
   */
  authCheckInterval?: pulumi.Input<number>;
}

const common = {
  clientId: filled(),
  clientSecret: filled().secret(),
  scopes: set(text()),
  emailAddresses: set(text({ advise: access.adviseEmail, canonical: access.canonicalEmail })),
  emailDomains: set(text({ advise: access.adviseEmailDomain, canonical: canonicalHost })),
};

const codeHost = {
  ...common,
  teams: set(text({ check: access.checkTeam })),
  organizations: set(text({ advise: access.adviseOrganization })),
};

const ownScopes = needs("scopes", ["clientId", "clientSecret"], "scopes are those of an app of your own");

/** Rules 1 to 3 stand over four providers; the table of errors states the third for any. */
const ownApp: readonly Rule[] = [
  needs("clientId", ["clientSecret"], "both belong to an app of your own"),
  ownScopes,
];

/** The identity providers, of which a module has at most one. Specification: EndpointOAuthProvider. */
const providers = {
  codeHost: wholeObject(codeHost, ownApp),
  social: wholeObject(common, ownApp),
  softwareVendor: wholeObject(common, ownApp),
  searchVendor: wholeObject(common, ownApp),
  professional: wholeObject(common, [ownScopes]),
  sourceControl: wholeObject(common, [ownScopes]),
  streaming: wholeObject(common, [ownScopes]),
  retail: wholeObject(common, [ownScopes]),
};

const httpsEdgeRouteOauth: Declaration = singleton<HttpsEdgeRouteOauthArgs, HttpsEdgeRouteOauth>({
  type: "HttpsEdgeRouteOauth",
  noun: "OAuth module",
  group: edges,
  path: "/edges/https/{edgeId}/routes/{routeId}/oauth",
  fields: {
    ...onRoute(),
    ...session(),
    provider: alternatives(providers, { rules: [atMostOneOf(...Object.keys(providers))] }),
    authCheckInterval: number(uint32).serverDefault(0),
  },
  rules: [requiredUnless("provider", "enabled", false)],
  conflictAdvice: oneSignIn,
});

/**
 * The OAuth module of an HTTPS edge's route: users sign in at an identity provider before a request passes.
 * A route has one module of the kind; its id is `<edgeId>/<routeId>`. One that exists already is not taken
 * over: import it. A route may have OIDC or OAuth on, not both: to change from one to the other, set
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
  /** The identity provider and who may pass. Undefined where the module is off and has none. */
  declare readonly provider: pulumi.Output<pulumi.Unwrap<OauthProviderArgs> | undefined>;
  /** Whether HTTP OPTIONS requests pass without authentication. */
  declare readonly optionsPassthrough: pulumi.Output<boolean>;
  /** The prefix of the session cookie's name. */
  declare readonly cookiePrefix: pulumi.Output<string>;
  /** The seconds without activity after which a session ends. */
  declare readonly inactivityTimeout: pulumi.Output<number>;
  /** The seconds after which a session ends in any case. */
  declare readonly maximumDuration: pulumi.Output<number>;
  /** The seconds after which the service checks again whether a user has access. */
  declare readonly authCheckInterval: pulumi.Output<number>;
}

const readers = readersAt<ResultOf<HttpsEdgeRouteOauth>>(httpsEdgeRouteOauth);
/** Reads the OAuth module of an HTTPS edge route, by `<edge id>/<route id>`. Specification: HTTPS edge route OAuth module. */
export const getHttpsEdgeRouteOauth = readers.get;
/** {@link getHttpsEdgeRouteOauth} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getHttpsEdgeRouteOauthOutput = readers.getOutput;
