/** The identity provider of an OAuth module. Specification: EndpointOAuthProvider. */
import { canonicalHost } from "../schema/formats/hostport";
import {
  adviseEmail,
  adviseEmailDomain,
  adviseOrganization,
  canonicalEmail,
  checkTeam,
} from "../schema/formats/oauth-access";
import type { Json } from "../schema/json";
import { isAbsent, isEmptyList } from "../schema/unknown";
import {
  about,
  advisory,
  alternatives,
  filled,
  presenceOnly,
  set,
  text,
  together,
  wholeObject,
} from "../schema/words";
import type { ArgsOf, FieldRule } from "../schema/words";

const app = {
  /**
   * The client id of your app at the provider. Default: an app of the service with extra restrictions, if the
   * service has one: for `codeHost`, `social`, `softwareVendor` and `searchVendor`.
   */
  clientId: filled(),
  /** The client secret of your app. Kept as a secret. */
  // It identifies the service to the provider; no user signs in with it.
  clientSecret: filled().secret().means("none"),
  /** The scopes to ask for, in any order; only together with `clientId` and `clientSecret`. */
  scopes: set(text()).means("where data goes"),
  /** The e-mail addresses of the users who may pass. */
  emailAddresses: set(text({ advise: adviseEmail, canonical: canonicalEmail })),
  /** The e-mail domains of the users who may pass. */
  emailDomains: set(text({ advise: adviseEmailDomain, canonical: canonicalHost })),
};

/** The app at an identity provider, and who may pass. An empty object is the service's own app, for anyone. */
export interface OauthAppArgs extends ArgsOf<typeof app> {}

const codeHost = together(app, {
  /** The teams whose members may pass, each as `<org-slug>/<team-slug>`. */
  teams: set(text({ check: checkTeam })),
  /** The organizations whose members may pass, each as its slug. */
  organizations: set(text({ advise: adviseOrganization })),
});

/** The app at a code-hosting platform, and who may pass. */
export interface OauthCodeHostArgs extends ArgsOf<typeof codeHost> {}

/** If `member` is set, all `others` must be set too. An empty list counts as not set. `why` is the reason. */
function needs(member: string, others: readonly string[], why: string): FieldRule {
  const rule = about(member, others, (values) => {
    const isGiven = !isAbsent(values[member]) && !isEmptyList(values[member]);
    const isAlone = others.some((name) => isAbsent(values[name]));
    return isGiven && isAlone ? `may be set only together with ${others.join(" and ")}: ${why}` : undefined;
  });
  return presenceOnly(rule);
}

const secretAlone = advisory(
  needs("clientSecret", ["clientId"], "a secret without the app that it belongs to has no use"),
);

const ownScopes = needs("scopes", ["clientId", "clientSecret"], "scopes are those of an app of your own");

/** The specification states rules 1 to 3 for four providers, and rule 3 for all of them in its table of errors. */
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

const provider = {
  /** A code-hosting platform. `clientId` needs `clientSecret`. */
  codeHost: wholeObject<OauthCodeHostArgs>(codeHost, ownApp),
  /** A social network. `clientId` needs `clientSecret`. */
  social: wholeObject<OauthAppArgs>(app, ownApp),
  /** The accounts of a software vendor. `clientId` needs `clientSecret`. */
  softwareVendor: wholeObject<OauthAppArgs>(app, ownApp),
  /** The accounts of a search and mail provider. `clientId` needs `clientSecret`. */
  searchVendor: wholeObject<OauthAppArgs>(app, ownApp),
  /** A professional network. */
  professional: wholeObject<OauthAppArgs>(app, noServiceApp),
  /** A source-control platform. */
  sourceControl: wholeObject<OauthAppArgs>(app, noServiceApp),
  /** A game-streaming platform. */
  streaming: wholeObject<OauthAppArgs>(app, noServiceApp),
  /** The accounts of a retail platform. */
  retail: wholeObject<OauthAppArgs>(app, noServiceApp),
};

/** The identity provider: one of the members. */
export interface OauthProviderArgs extends ArgsOf<typeof provider> {}

/** The identity provider: at most one of eight. */
export const oauthProvider = alternatives<OauthProviderArgs>(provider, "at most one");
