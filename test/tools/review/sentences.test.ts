/** What findings say where values are hidden, not known yet, or many. */
import { unknown } from "../../../src/schema/unknown";
import { saidOf, type Written } from "./support";

const certificate = {
  ...{ publicKey: "ssh-ed25519 AAAA", principals: ["deploy"], sshCertificateAuthorityId: "sshca_1" },
  ...{ validForHours: 48, earlyRenewalHours: 24 },
};
const renewed: Written = {
  ...{ type: "SshUserCertificate", name: "deploy", op: "replace", reasons: ["validUntil"] },
  ...{ before: certificate, after: certificate },
  outputs: { validAfter: "2026-11-20T00:00:00Z", validUntil: "2026-11-22T00:00:00Z" },
};
const rules = (action: string): object => ({ "10.1.0.0/16": action, "10.2.0.0/16": action });
const subscription = { destinationIds: ["ed_1"], sources: [{ type: "ip_policy_created.v0" }] };
const signIn = (provider: unknown): object => ({ edgeId: "edghts_1", routeId: "edghtsrt_1", provider });
const codeHost = { clientId: "c", emailDomains: ["a.example"] };

it.each<[string, Written, readonly string[]]>([
  [
    "a certificate that only time replaces is a note",
    renewed,
    [
      "note interruption/certificate-replaced SshUserCertificate deploy: renewed before it expires because of " +
        "earlyRenewalHours; it gets a new id; the new one is created first. Install the new one where the old one is in use",
    ],
  ],
  [
    "a certificate that the program has renewed earlier is a warning",
    { ...renewed, before: { ...certificate, earlyRenewalHours: 3 } },
    [
      "warning interruption/certificate-replaced SshUserCertificate deploy: it gets a new id; the new one is created first. " +
        "Install the new one where the old one is in use",
    ],
  ],
  [
    "the ranges whose action changes are counted",
    {
      ...{ type: "IpPolicyRuleSet", name: "lan", before: { ipPolicyId: "ipp_1", rules: rules("allow") } },
      after: { ipPolicyId: "ipp_1", rules: rules("deny") },
    },
    [
      "warning interruption/access-lost IpPolicyRuleSet lan: 10.1.0.0/16 and 10.2.0.0/16 (131,072 addresses) are no longer " +
        'allowed because IpPolicyRuleSet "lan" is updated; 10.1.0.0/16 and 10.2.0.0/16 (131,072 addresses) are newly denied ' +
        'because IpPolicyRuleSet "lan" is updated',
      "warning interruption/delete-first IpPolicyRuleSet lan: 10.1.0.0/16 changes from allow to deny. A range can exist only " +
        "once in a policy: the old rule is deleted before the new one is created, and for a moment the policy has no rule for " +
        "the range; and 1 more range",
    ],
  ],
  [
    "a backend without backends has no weight",
    { type: "WeightedBackend", name: "w", after: { backends: {} } },
    [
      "warning interruption/weights-zero WeightedBackend w: it has no backends: its traffic has no destination",
    ],
  ],
  [
    "weights that are not known may be above 0",
    { type: "WeightedBackend", name: "w", after: { backends: { bkdhr_1: unknown } } },
    [],
  ],
  [
    "a validity that is not known is no longer one",
    { ...renewed, reasons: [], after: { ...certificate, validForHours: unknown } },
    [
      "error access/unknown SshUserCertificate deploy: known only after the deployment: validForHours",
      "warning interruption/certificate-replaced SshUserCertificate deploy: it gets a new id; the new one is created first. " +
        "Install the new one where the old one is in use",
    ],
  ],
  [
    "destinations that are not known may be some",
    {
      ...{ type: "EventSubscription", name: "s", before: subscription },
      after: { ...subscription, destinationIds: unknown },
    },
    [
      "warning flow/where-data-goes EventSubscription s: destinationIds changes from ed_1 to an object that is known after " +
        "the deployment",
    ],
  ],
  [
    "an identity provider that is not known lets nobody in by name",
    {
      ...{ type: "HttpsEdgeRouteOauth", name: "o", id: "edghts_1/edghtsrt_1" },
      ...{ before: { ...signIn({ codeHost }) }, after: { ...signIn(unknown) } },
    },
    ["error access/unknown HttpsEdgeRouteOauth o: known only after the deployment: provider"],
  ],
  [
    "what seems removed from a list may be its unknown member",
    {
      ...{ type: "HttpsEdgeRouteOauth", name: "o", id: "edghts_1/edghtsrt_1" },
      before: { ...signIn({ codeHost }) },
      after: { ...signIn({ codeHost: { ...codeHost, emailDomains: ["b.example", unknown] } }) },
    },
    [
      "error access/unknown HttpsEdgeRouteOauth o: known only after the deployment: provider.codeHost.emailDomains[1]",
      "error access/who-signs-in HttpsEdgeRouteOauth o: emailDomains: added b.example",
    ],
  ],
])("%s", (_, resource, expected) => {
  const said = saidOf([resource]);
  expect(said.filter((line) => !line.startsWith("note hygiene/"))).toEqual(expected);
});
