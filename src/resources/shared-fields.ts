/** Fields that many collections have in common. */
import type { Validity } from "../schema/declaration";
import type { Field, Format, ReplaceWhen, FieldRule } from "../schema/field";
import { format as idFormat } from "../schema/formats/id";
import { amountOf, uint32 } from "../schema/formats/number";
import { advisePrincipal } from "../schema/formats/ssh-certificate";
import * as sshKey from "../schema/formats/ssh-key";
import * as time from "../schema/formats/time";
import type { Json } from "../schema/json";
import { bytes, flag, id, number, oneOf, ref, set, text } from "../schema/kinds";
import { about, advisory, ahead, atMostOneOf, inOrder, presenceOnly } from "../schema/rules";
import { isAbsent, isEmptyList } from "../schema/unknown";
import { becomes, comparedByOwnRule, endsSooner, happensAlready } from "../schema/meaning";

/** description and metadata, their limits in bytes unless said. Specification: Conventions and Limits. */
export function described(limited: (limit: number) => Field<string> = bytes) {
  return { description: limited(255).means("none"), metadata: limited(4096).means("none") };
}

/**
 * A change in a collection whose update the specification does not show: it replaces the object, unless the
 * user says that the service's update takes it. Specification: Create and update parameters, "see gaps".
 */
export const undocumented: ReplaceWhen = (_change, { patchUndocumented }) => !patchUndocumented;

/** description and metadata of a collection whose update the specification does not show. */
export function describedByReplacement() {
  const { description, metadata } = described();
  return { description: description.replace(undocumented), metadata: metadata.replace(undocumented) };
}

/** uri and createdAt. Specification: Conventions. */
export function recorded() {
  return { uri: text().computed(), createdAt: text(time).computed() };
}

/**
 * The user or bot user that owns a credential, fixed at its creation. What the service sets without it is
 * known to the service only. Specification: Authentication 3.
 */
export function owned() {
  const clause = "only admins may set an owner other than themselves";
  return {
    ownerId: id("usr_", "bot_")
      .means("who may act")
      .replace()
      .serverDefault()
      .refused({ status: [403], clause }),
  };
}

/** The user or bot user that owns a certificate; the service sets it. Specification: Authentication 3. */
export function ownedByCreator() {
  return { ownerId: id("usr_", "bot_").computed() };
}

/** When the object last changed. */
export function updated() {
  return { updatedAt: text(time).computed() };
}

/** What the service says of an endpoint. Specification: Endpoint. */
export function served() {
  return {
    region: text().computed(),
    publicUrl: text().computed(),
    proto: oneOf("http", "https", "tcp", "tls").computed(),
    scheme: text().computed(),
    host: text().computed(),
    hostport: text().computed(),
    port: number().computed(),
    domain: ref("domain"),
    tcpAddr: ref("tcp_addr"),
    tunnel: ref("tunnel"),
    edge: ref("edge"),
    upstreamUrl: text().computed(),
    upstreamProtocol: text().computed(),
    principal: ref("principal"),
    tunnelSession: ref("tunnel_session"),
    name: text().computed(),
  };
}

/** Whether a module is on. Specification: Module objects. */
export function switchable() {
  return { enabled: flag().serverDefault(true).means("who gets in", comparedByOwnRule) };
}

/** A module that lets pass only what its IP policies allow. Specification: Module objects. */
export function ipRestricted() {
  return {
    ...switchable(),
    ipPolicyIds: set(id("ipp_"))
      .means("who gets in", comparedByOwnRule)
      .fromRef("ip_policies")
      .afterContents(),
  };
}

/** The id prefixes of the four kinds of routing backends. */
export const backendPrefixes = ["bkdtg_", "bkdhr_", "bkdwd_", "bkdfo_"] as const;

/** The id of a backend within another one: services refuse weighted and failover backends there. */
export const childBackend: Format = idFormat("bkdtg_", "bkdhr_");

/** The route that a module belongs to; it is the module's address. Specification: Edge route and edge modules. */
export function onRoute() {
  const part = id().required().replace().means("who gets in", comparedByOwnRule).inPath();
  return { edgeId: part, routeId: part };
}

/** How a module that signs users in keeps their sessions. Specification: HTTPS edge route OIDC module. */
export function session() {
  const seconds = number(uint32).serverDefault(0).means("who signs in", endsSooner);
  return {
    ...switchable(),
    optionsPassthrough: flag().serverDefault(false).means("who gets in", becomes(false)),
    cookiePrefix: text().serverDefault().emptyIsDefault().means("none"),
    inactivityTimeout: seconds,
    maximumDuration: seconds,
  };
}

/** A route has one module that signs users in, and a program makes the new one before it deletes the old one. */
export const oneSignIn =
  "A route may have only one of OIDC and OAuth on. To change from one to the other, keep the old module with " +
  "enabled false, let the new one depend on it (dependsOn), and remove it the next time";

/** The types of keys. Specification: SSH user certificate (key_type), TLS certificate (private_key_type). */
export const KeyType = { Rsa: "rsa", Ecdsa: "ecdsa", Ed25519: "ed25519" } as const;
export type KeyType = "rsa" | "ecdsa" | "ed25519";

/** A type of keys, in an answer. */
export function keyType(): Field<KeyType, "computed"> {
  return oneOf("rsa", "ecdsa", "ed25519").computed();
}

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

/** What both kinds of SSH certificates have in common, none of which an update can send. */
export function signed() {
  return {
    sshCertificateAuthorityId: id("sshca_").required().replace().means("who may act"),
    publicKey: text({ ...sshKey, advise: sshKey.adviseSigned })
      .required()
      .replace()
      .means("who may act"),
    principals: set(text({ advise: advisePrincipal }))
      .replace()
      .means("who may act", comparedByOwnRule),
    validAfter: text(wholeSeconds)
      .replace()
      .means("who may act", comparedByOwnRule)
      .serviceMayChange()
      .serverDefault(),
    validUntil: text({
      ...wholeSeconds,
      example: time.exampleEnd,
      advise: time.adviseEnd("the certificate is not valid"),
    })
      .replace()
      .means("who may act", comparedByOwnRule)
      .serviceMayChange()
      .serverDefault(),
    validForHours: number(amountOf("hours", mostHours)).means("who may act", comparedByOwnRule).local(),
    earlyRenewalHours: number().means("who may act", happensAlready).local(),
    ...ownedByCreator(),
    keyType: keyType(),
    certificate: text().computed(),
  };
}

/**
 * The rules and the validity of `signed`. A certificate with a fixed start or end is not renewed: the new one would have
 * the same end.
 * @param defaultHours how long the certificate is valid when the program does not say, in hours.
 * @param withoutPrincipals what a certificate without principals is good for.
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
  return { rules, validity, withoutPrincipals };
}

/** With a longer renewal time than its validity, a certificate would be renewed in every deployment. */
function shorterThanLife({ renewalHours, forHours, defaultHours }: Validity): FieldRule {
  return about(renewalHours, [forHours], (values) => {
    const [early, life = defaultHours] = [values[renewalHours], values[forHours]];
    if (typeof early !== "number" || typeof life !== "number" || (early > 0 && early < life))
      return undefined;
    return `must be a number of hours above 0 and below ${life}, the life of a certificate; got ${early}`;
  });
}

/** What the service reads from an uploaded certificate. Specification: Certificate authority. */
export function certified() {
  return {
    subjectCommonName: text().computed(),
    notBefore: text(time).computed(),
    notAfter: text({ ...time, example: time.exampleEnd }).computed(),
    keyUsages: set(text()).computed(),
    extendedKeyUsages: set(text()).computed(),
  };
}
