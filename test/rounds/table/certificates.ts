/** Certificates and authorities. */
import { drop, record, replace } from "../subject";
import type { Subject } from "../subject";
import { authority, days, leaf, sshKey } from "../values";
import { described, describedByReplacement, driftedTexts, texts } from "./texts";

const [pairOne, pairTwo, pairOther] = [leaf("one"), leaf("two"), leaf("other")];
const [caOther, caTwo] = [authority(), authority()];
const [until, later] = [days(300), days(310)];
const sshBase = { ...texts, sshCertificateAuthorityId: "sshca_one", publicKey: sshKey("one") };

export const certificates: Subject[] = [
  {
    name: "authority",
    type: "CertificateAuthority",
    args: { ...texts, caPem: authority() },
    changes: [...describedByReplacement, replace({ caPem: caTwo })],
    exchanged: { ...driftedTexts, ca_pem: caOther },
  },
  {
    name: "certificate",
    type: "TlsCertificate",
    args: { ...texts, ...pairOne },
    changes: [
      ...describedByReplacement,
      replace({ ...pairTwo }),
      // Nobody else has the key: it is forgotten, and may come back.
      record("privateKeyPem"),
      record("privateKeyPem", pairTwo.privateKeyPem),
    ],
    exchanged: {
      ...driftedTexts,
      certificate_pem: pairOther.certificatePem,
      private_key_pem: pairOther.privateKeyPem,
    },
  },
  {
    name: "user-certificate",
    type: "SshUserCertificate",
    args: {
      ...sshBase,
      principals: ["ada"],
      criticalOptions: { "force-command": "uptime" },
      extensions: { "permit-pty": "", some_Extension: "kept" },
      validAfter: days(-1),
      validUntil: until,
    },
    changes: [
      ...describedByReplacement,
      replace({ sshCertificateAuthorityId: "sshca_two" }),
      replace({ publicKey: sshKey("two") }),
      replace({ principals: ["ada", "bob"] }),
      drop("principals"),
      replace({ validUntil: later }),
    ],
    exchanged: {
      ...driftedTexts,
      ssh_certificate_authority_id: "sshca_other",
      public_key: sshKey("other"),
      principals: ["eve"],
      critical_options: { "source-address": "203.0.113.0/24" },
      extensions: {},
      valid_after: days(-2),
      valid_until: days(100),
    },
  },
  {
    name: "user-certificate-removed",
    type: "SshUserCertificate",
    args: {
      ...sshBase,
      criticalOptions: { "force-command": "uptime" },
      extensions: { "permit-pty": "" },
      validAfter: days(-1),
      validUntil: until,
    },
    changes: [
      replace({ criticalOptions: { "force-command": "date", "source-address": "203.0.113.0/24" } }),
      drop("criticalOptions"),
      replace({ extensions: { "permit-port-forwarding": "" } }),
      drop("extensions"),
      replace({ validAfter: days(-3) }),
      drop("validAfter"),
      drop("validUntil"),
      record("earlyRenewalHours", 2),
      record("earlyRenewalHours", 3),
    ],
  },
  {
    name: "host-certificate",
    type: "SshHostCertificate",
    args: { ...sshBase, principals: ["one.example.com"], validAfter: days(-1), validUntil: until },
    changes: [
      ...described,
      replace({ sshCertificateAuthorityId: "sshca_two" }),
      replace({ publicKey: sshKey("two") }),
      replace({ principals: ["203.0.113.1", "one.example.com"] }),
      replace({ validAfter: days(-3) }),
      replace({ validUntil: later }),
    ],
    drift: driftedTexts,
    exchanged: {
      ...texts,
      ssh_certificate_authority_id: "sshca_other",
      public_key: sshKey("other"),
      principals: [],
      valid_after: days(-2),
      valid_until: days(100),
    },
  },
  {
    name: "host-certificate-removed",
    type: "SshHostCertificate",
    args: { ...sshBase, principals: ["one.example.com"], validAfter: days(-1), validUntil: until },
    changes: [
      drop("principals"),
      drop("validAfter"),
      drop("validUntil"),
      record("earlyRenewalHours", 10),
      record("earlyRenewalHours", 20),
      record("validForHours", 100),
      record("validForHours", 200),
      record("validForHours"),
      record("earlyRenewalHours"),
    ],
  },
  {
    name: "renewed-certificate",
    type: "SshUserCertificate",
    args: { ...sshBase, earlyRenewalHours: 2 },
    changes: [
      record("earlyRenewalHours", 3),
      record("validForHours", 48),
      record("validForHours", 72),
      record("validForHours"),
      record("earlyRenewalHours"),
    ],
  },
];
