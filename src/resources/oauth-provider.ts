/** The identity provider of an OAuth module. Specification: EndpointOAuthProvider. */
import type * as pulumi from "@pulumi/pulumi";
import {
  adviseEmail,
  adviseEmailDomain,
  adviseOrganization,
  canonicalEmail,
  checkTeam,
} from "../schema/formats/access";
import { canonicalHost } from "../schema/formats/hostport";
import type { FieldRule } from "../schema/field";
import { alternatives, filled, set, text, wholeObject } from "../schema/kinds";
import { about, advisory, atMostOneOf, needs, presenceOnly } from "../schema/rules";
import type { Json } from "../schema/json";
import { isAbsent } from "../schema/unknown";

/** The app at an identity provider, and who may pass. An empty object is the service's own app, for anyone. */
export interface OauthAppArgs {
  /**
   * The client id of your app at the provider. Default: an app of the service with extra restrictions, if the
   * service has one: for `codeHost`, `social`, `softwareVendor` and `searchVendor`. If removed: left to the service.
   */
  clientId?: pulumi.Input<string>;
  /**
   * The client secret of your app. Kept as a secret. Default: left to the service. If removed: left to the service.
   */
  clientSecret?: pulumi.Input<string>;
  /**
   * The scopes to ask for, in any order; only together with `clientId` and `clientSecret`. Default: left to the
   * service. If removed: left to the service.
   */
  scopes?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The e-mail addresses of the users who may pass. Default: left to the service. If removed: left to the service.
   */
  emailAddresses?: pulumi.Input<pulumi.Input<string>[]>;
  /** The e-mail domains of the users who may pass. Default: left to the service. If removed: left to the service. */
  emailDomains?: pulumi.Input<pulumi.Input<string>[]>;
}

/** The app at a code-hosting platform, and who may pass. */
export interface OauthCodeHostArgs extends OauthAppArgs {
  /**
   * The teams whose members may pass, each as `<org-slug>/<team-slug>`. Default: left to the service. If removed:
   * left to the service.
   */
  teams?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The organizations whose members may pass, each as its slug. Default: left to the service. If removed: left to the
   * service.
   */
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

const common = {
  clientId: filled(),
  // It proves to the provider that the service asks: nobody signs in with it.
  clientSecret: filled().secret().means("none"),
  scopes: set(text()).means("where data goes"),
  emailAddresses: set(text({ advise: adviseEmail, canonical: canonicalEmail })),
  emailDomains: set(text({ advise: adviseEmailDomain, canonical: canonicalHost })),
};

const codeHost = {
  ...common,
  teams: set(text({ check: checkTeam })),
  organizations: set(text({ advise: adviseOrganization })),
};

const secretAlone = advisory(
  needs("clientSecret", ["clientId"], "a secret without the app that it belongs to has no use"),
);

const ownScopes = needs("scopes", ["clientId", "clientSecret"], "scopes are those of an app of your own");

/** Rules 1 to 3 stand over four providers; the table of errors states the third for any. */
const ownApp: readonly FieldRule[] = [
  needs("clientId", ["clientSecret"], "both belong to an app of your own"),
  ownScopes,
  secretAlone,
];

/** The four providers for which the specification names no app of the service. */
const noServiceApp: readonly FieldRule[] = [
  ownScopes,
  secretAlone,
  advisory(presenceOnly(about("clientId", [], adviseApp))),
];

function adviseApp({ clientId }: Json): string | undefined {
  return isAbsent(clientId)
    ? "is not set, and services may have no app of their own for this provider"
    : undefined;
}

/** The identity provider: at most one of eight. */
export const oauthProvider = alternatives(
  {
    codeHost: wholeObject(codeHost, ownApp),
    social: wholeObject(common, ownApp),
    softwareVendor: wholeObject(common, ownApp),
    searchVendor: wholeObject(common, ownApp),
    professional: wholeObject(common, noServiceApp),
    sourceControl: wholeObject(common, noServiceApp),
    streaming: wholeObject(common, noServiceApp),
    retail: wholeObject(common, noServiceApp),
  },
  atMostOneOf,
);
