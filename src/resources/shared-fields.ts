/** Fields that many collections have in common. */
import type { Validity } from "../schema/declaration";
import { format as idFormat } from "../schema/formats/id";
import { amountOf, uint32 } from "../schema/formats/number";
import { advisePrincipal } from "../schema/formats/ssh-certificate";
import * as sshKey from "../schema/formats/ssh-key";
import * as time from "../schema/formats/time";
import type { Json } from "../schema/json";
import { isAbsent, isEmptyList } from "../schema/unknown";
import {
  about,
  advisory,
  ahead,
  atMost,
  atMostOneOf,
  becomes,
  comparedByOwnRule,
  endsSooner,
  flag,
  happensAlready,
  id,
  inOrder,
  number,
  oneOf,
  presenceOnly,
  ref,
  set,
  text,
} from "../schema/words";
import type { FieldRule, Format, ReplaceWhen } from "../schema/words";

/**
 * A change in a collection whose update the specification does not show: it replaces the object, unless the
 * user says that the service's update takes it. Specification: Create and update parameters, "see gaps".
 */
export const undocumented: ReplaceWhen = (_change, { patchUndocumented }) => !patchUndocumented;

const describing = {
  /** What the object is for. At most 255 bytes. Default: none. */
  description: atMost(255, "bytes").means("none"),
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. */
  metadata: atMost(4096, "bytes").means("none"),
};

/** description and metadata, limited in bytes. Specification: Conventions and Limits. */
export interface Described extends Readonly<typeof describing> {}
export const described: Described = describing;

const describingInCharacters = {
  /** What the object is for. At most 255 characters. Default: none. */
  description: atMost(255, "characters").means("none"),
  /** Machine-readable data of your own. At most 4096 characters. Default: none. */
  metadata: atMost(4096, "characters").means("none"),
};

/** description and metadata, limited in characters. Specification: Limits. */
export interface DescribedInCharacters extends Readonly<typeof describingInCharacters> {}
export const describedInCharacters: DescribedInCharacters = describingInCharacters;

const describingByReplacement = {
  /**
   * What the object is for. At most 255 bytes. Default: none. Changing it replaces the object, unless the setting
   * `patchUndocumented` is on.
   */
  description: described.description.replace(undocumented),
  /**
   * Machine-readable data of your own. At most 4096 bytes. Default: none. Changing it replaces the object, unless the
   * setting `patchUndocumented` is on.
   */
  metadata: described.metadata.replace(undocumented),
};

/** description and metadata of a collection whose update the specification does not show. */
export interface DescribedByReplacement extends Readonly<typeof describingByReplacement> {}
export const describedByReplacement: DescribedByReplacement = describingByReplacement;

/** What an API key with `sealTo` shows in the place of its token. */
export const sealing = { secret: "token", to: "sealTo", as: "sealedToken" } as const;

const recording = {
  /** The address of the object in the API. */
  uri: text().computed().fixed(),
  /** When the object was created, RFC 3339. */
  createdAt: text(time).computed().fixed(),
};

/** The fields of every object that has an address of its own. Specification: Conventions. */
export interface Recorded extends Readonly<typeof recording> {}
export const recorded: Recorded = recording;

const updating = {
  /** When the object last changed, RFC 3339. */
  updatedAt: text(time).computed(),
};

/** When the object last changed. */
export interface Updated extends Readonly<typeof updating> {}
export const updated: Updated = updating;

const owning = {
  /**
   * The user (`usr_…`) or bot user (`bot_…`) that owns the credential. Only admins may set an owner other than
   * themselves. Default: the owner of the key that Pulumi works with. Changing it or removing it replaces the credential;
   * a new API key has a new token.
   */
  ownerId: id("usr_", "bot_")
    .means("who may act")
    .replace()
    .serverDefault()
    .filledIn(/^usr_/) // a bot user is the default owner only of what its own key creates
    .refused({ status: [403], clause: "only admins may set an owner other than themselves" }),
};

/** The owner of a credential, fixed at its creation. Specification: Authentication 3. */
export interface Owned extends Readonly<typeof owning> {}
export const owned: Owned = owning;

const owningByCreator = {
  /** The user or bot user that owns the certificate. Undefined if the service does not show it. */
  ownerId: id("usr_", "bot_").computed().maybe().fixed(),
};

/** The owner of a certificate; the service sets it. Specification: Authentication 3. */
export interface OwnedByCreator extends Readonly<typeof owningByCreator> {}
export const ownedByCreator: OwnedByCreator = owningByCreator;

/** The protocols that an endpoint serves. Specification: Endpoint. */
export const EndpointProto = { Http: "http", Https: "https", Tcp: "tcp", Tls: "tls" } as const;
export type EndpointProto = "http" | "https" | "tcp" | "tls";

const serving = {
  /** The region of the endpoint. */
  region: text().computed().maybe(),
  /** The public address of the endpoint. */
  publicUrl: text().computed(),
  /** The protocol that the endpoint serves. */
  proto: oneOf<EndpointProto>("http", "https", "tcp", "tls").computed(),
  /** The scheme of the address. */
  scheme: text().computed().maybe(),
  /** The host of the address. */
  host: text().computed().maybe(),
  /**
   * The host and port of the address, as `hostname:port`.
   * @deprecated The service is going to deprecate it; use `host` and `port`.
   */
  hostport: text().computed().maybe(),
  /** The port of the address. */
  port: number().computed().maybe(),
  /** The reserved domain of the address, if any. */
  domain: ref("domain").maybe(),
  /** The reserved TCP address, if any. */
  tcpAddr: ref("tcp_addr").maybe(),
  /** The tunnel that serves an endpoint of type `ephemeral`. */
  tunnel: ref("tunnel").maybe(),
  /** The edge that serves an endpoint of type `edge`. */
  edge: ref("edge").maybe(),
  /** The local address that a tunnel forwards to. */
  upstreamUrl: text().computed().maybe(),
  /** The protocol in which an agent forwards. */
  upstreamProtocol: text().computed().maybe(),
  /** The user or bot user that owns the endpoint. */
  principal: ref("principal").maybe(),
  /** The session of the tunnel that serves the endpoint. */
  tunnelSession: ref("tunnel_session").maybe(),
  /** The name that a user gave the endpoint. */
  name: text().computed().maybe(),
};

/** What the service reports about an endpoint. Specification: Endpoint. */
export interface Served extends Readonly<typeof serving> {}
export const served: Served = serving;

const switching = {
  /** Whether the module is on. Default: true. */
  enabled: flag().serverDefault(true).means("who gets in", comparedByOwnRule),
};

/** Whether a module is on. Specification: Module objects. */
export interface Switchable extends Readonly<typeof switching> {}
export const switchable: Switchable = switching;

const restricting = {
  ...switching,
  /**
   * The IP policies (`ipp_…`) that decide which traffic passes, in any order. The edge or its module changes after
   * the rules that the program declares for them.
   */
  ipPolicyIds: set(id("ipp_"))
    .alwaysShown()
    .means("who gets in", comparedByOwnRule)
    .fromRef("ip_policies")
    .afterContents(),
};

/** A module that lets pass only what its IP policies allow. Specification: Module objects. */
export interface IpRestricted extends Readonly<typeof restricting> {}
export const ipRestricted: IpRestricted = restricting;

/** The id prefixes of the four kinds of routing backends. */
export const backendPrefixes = ["bkdtg_", "bkdhr_", "bkdwd_", "bkdfo_"] as const;

/** The id of a backend within another one: services refuse weighted and failover backends there. */
export const childBackend: Format = idFormat("bkdtg_", "bkdhr_");

/** A part of a module's path. Specification: Edge route and edge modules. */
export const pathPart = id().required().replace().means("who gets in", comparedByOwnRule).inPath();

const onEdgeRoute = {
  /** The HTTPS edge that the route belongs to. Changing it moves the module: it is replaced. */
  edgeId: pathPart,
  /** The route that the module belongs to. Changing it moves the module: it is replaced. */
  routeId: pathPart,
};

/** The route that a module belongs to; it is the module's address. Specification: Edge route and edge modules. */
export interface OnRoute extends Readonly<typeof onEdgeRoute> {}
export const onRoute: OnRoute = onEdgeRoute;

const seconds = number(uint32).serverDefault(0).means("who signs in", endsSooner);

const keepingSession = {
  ...switching,
  /** Whether HTTP OPTIONS requests pass without authentication, as CORS needs it. Default: false. */
  optionsPassthrough: flag().serverDefault(false).means("who gets in", becomes(false)),
  /**
   * The prefix of the session cookie's name; "" is the default. Default: the name of the service, followed by a
   * period.
   */
  cookiePrefix: text()
    .serverDefault()
    .filledIn(/^[\w-]+\.$/)
    .emptyIsDefault()
    .means("none"),
  /** The seconds without activity after which a session ends, 0 to 4294967295. Default: 0. */
  inactivityTimeout: seconds,
  /** The seconds after which a session ends, also when it is in use, 0 to 4294967295. Default: 0. */
  maximumDuration: seconds,
};

/** How a module that signs users in keeps their sessions. Specification: HTTPS edge route OIDC module. */
export interface SessionKeeping extends Readonly<typeof keepingSession> {}
export const session: SessionKeeping = keepingSession;

/** A route has one module that signs users in, and a program creates the new one before it deletes the old one. */
export const oneSignIn =
  "A route may have only one of OIDC and OAuth on. To change from one to the other, keep the old module with " +
  "enabled false, let the new one depend on it (dependsOn), and remove it the next time. Between the two writes the route " +
  "has no sign-in";

/** The types of keys. Specification: SSH user certificate (key_type), TLS certificate (private_key_type). */
export const KeyType = { Rsa: "rsa", Ecdsa: "ecdsa", Ed25519: "ed25519" } as const;
export type KeyType = "rsa" | "ecdsa" | "ed25519";

/** A type of keys, in an answer. */
export const keyType = oneOf<KeyType>("rsa", "ecdsa", "ed25519").computed().fixed();

/** A time as the SSH certificate protocol holds it: in whole seconds since 1970. */
const wholeSeconds: Format = {
  example: time.example,
  check: (value) =>
    time.check(value) ??
    (time.toInstant(value)! < 0 ? "must not be before 1970, when SSH's time begins" : undefined),
  canonical: (value) => time.canonical(value).replace(/\.\d+Z$/, "Z"),
};

/** The longest time that a certificate may be valid for, in hours: the year of its end has four digits. */
const mostHours = 50_000_000;

const signing = {
  /** The authority that signs the certificate (`sshca_…`). Changing it replaces the certificate. */
  sshCertificateAuthorityId: id("sshca_").required().replace().means("who may act"),
  /**
   * The public key to sign, in OpenSSH authorized-keys format, of the type rsa, ecdsa or ed25519. A comment does not
   * count. Changing it replaces the certificate.
   */
  publicKey: text({ ...sshKey, advise: sshKey.adviseSigned })
    .required()
    .replace()
    .means("who may act"),
  /** From when on the certificate is valid, RFC 3339. Default: now. Changing it replaces the certificate. */
  validAfter: text(wholeSeconds)
    .replace()
    .means("who may act", comparedByOwnRule)
    .serviceMayChange()
    .serverDefault(),
  /**
   * How many hours the certificate is valid, from `validAfter` or from its creation: each creation computes `validUntil`
   * from it. More than 0 and at most 50000000, and not with `validUntil`. Never sent; a change takes effect when the
   * next certificate is created. Default: as for `validUntil`.
   */
  validForHours: number(amountOf("hours", mostHours)).means("who may act", comparedByOwnRule).local(),
  /**
   * How many hours before its end the certificate is replaced by a new one, by the first deployment after that: more than
   * 0 and less than `validForHours` or its default, and neither with `validAfter` nor with `validUntil`. Never sent.
   * Default: it is never renewed.
   */
  earlyRenewalHours: number().means("who may act", happensAlready).local(),
};

/** What an SSH certificate signs, when it is valid, and when it is renewed. No update can send it. */
export interface Signed extends Readonly<typeof signing> {}
export const signed: Signed = signing;

/** What the two kinds of SSH certificates document differently. */
export const signedParts = {
  principals: set(text({ advise: advisePrincipal }))
    .alwaysShown()
    .replace()
    .means("who may act", comparedByOwnRule),
  validUntil: text({
    ...wholeSeconds,
    example: time.exampleEnd,
    advise: time.adviseEnd("the certificate is not valid"),
  })
    .replace()
    .means("who may act", comparedByOwnRule)
    .serviceMayChange()
    .serverDefault(),
};

const issuing = {
  ...owningByCreator,
  /** The type of the public key: `rsa`, `ecdsa` or `ed25519`. */
  keyType: keyType,
  /** The signed certificate, in OpenSSH authorized-keys format. */
  certificate: text().computed().fixed(),
};

/** What an SSH certificate is, once it is signed. */
export interface Issued extends Readonly<typeof issuing> {}
export const issued: Issued = issuing;

/**
 * The rules of `signed`, and the validity. A certificate with a fixed start or end is not renewed: the new one would have
 * the same end.
 * @param defaultHours the validity if the program sets none, in hours.
 * @param withoutPrincipals what a certificate without principals permits: a clause.
 */
export function signedFor(defaultHours: number, withoutPrincipals: string) {
  const validity = {
    from: "validAfter",
    until: "validUntil",
    forHours: "validForHours",
    renewalHours: "earlyRenewalHours",
    defaultHours,
  } as const;
  const adviseNone = ({ principals }: Json): string | undefined =>
    isAbsent(principals) || isEmptyList(principals) ? `is empty, so ${withoutPrincipals}` : undefined;
  const rules: readonly FieldRule[] = [
    inOrder("validAfter", "validUntil"),
    ahead("validUntil", "validAfter"),
    atMostOneOf("validUntil", "validForHours"),
    atMostOneOf("validAfter", "earlyRenewalHours"),
    atMostOneOf("validUntil", "earlyRenewalHours"),
    shorterThanLife(validity),
    advisory(presenceOnly(about("principals", [], adviseNone))),
  ];
  const renews = ({ earlyRenewalHours }: Json): "validUntil"[] =>
    typeof earlyRenewalHours === "number" ? ["validUntil"] : [];
  return { rules, validity, renews, withoutPrincipals };
}

/** A certificate whose renewal time is longer than its validity would be renewed in every deployment. */
function shorterThanLife({ renewalHours, forHours, defaultHours }: Validity): FieldRule {
  return about(renewalHours, [forHours], (values) => {
    const [early, life = defaultHours] = [values[renewalHours], values[forHours]];
    if (typeof early !== "number" || typeof life !== "number" || (early > 0 && early < life))
      return undefined;
    return `must be a number of hours above 0 and below ${life}, the life of a certificate; got ${early}`;
  });
}

const certifying = {
  /** The common name of the certificate's subject. */
  subjectCommonName: text().computed(),
  /** When the certificate's validity begins, RFC 3339. */
  notBefore: text(time).computed(),
  /** When the certificate's validity ends, RFC 3339. */
  notAfter: text(time.endOf()).computed(),
  /** The actions that the private key may be used for. */
  keyUsages: set(text()).computed(),
  /** The extended set of actions that the private key may be used for. */
  extendedKeyUsages: set(text()).computed(),
};

/** What the service reads from an uploaded certificate. Specification: Certificate authority. */
export interface Certified extends Readonly<typeof certifying> {}
export const certified: Certified = certifying;
