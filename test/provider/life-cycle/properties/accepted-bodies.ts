/**
 * Bodies of creates on the wire, by class: made from the specification alone, right ones and wrong ones. Values at the
 * edges of what the specification allows are frequent. A body refers to objects of `account` in arbitraries.ts.
 */
import { generateKeyPairSync } from "node:crypto";
import * as fc from "../../../support/fast-check";
import { openSshKey, sshLine } from "../../../support/ssh";
import { makeCertificate, makeCertificateRequest, makeKeyPair } from "../../../support/x509";
import type { Json } from "./arbitraries";
import { codePoint } from "../../../support/any-text";

const odd = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 10 }),
  fc.string({ unit: codePoint, maxLength: 6 }),
  fc.constantFrom("", " ", "a\nb", "a=b", "*", "x,y", "a/b", "__proto__", "é".repeat(127), "x".repeat(256)),
);
const word = fc.stringMatching(/^[a-z0-9_-]{1,8}$/);
const flag = fc.boolean();
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const dictionary = <T>(key: fc.Arbitrary<string>, value: fc.Arbitrary<T>) =>
  fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true });

/** A body with the required members, and some of the others. */
function body(
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>>,
) {
  return fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required), noNullPrototype: true },
  );
}

const described = {
  description: odd,
  metadata: fc.oneof(odd, fc.constantFrom("x".repeat(4096), "é".repeat(2049))),
};
const owner = { owner_id: fc.constantFrom("usr_ada", "bot_one") };

const pairs = (["rsa", "ecdsa", "ed25519"] as const).map((keyType) => makeKeyPair(keyType).publicKey);
const rare = [
  generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey,
  generateKeyPairSync("dsa", { modulusLength: 1024, divisorLength: 160 }).publicKey,
  generateKeyPairSync("ed448").publicKey,
];
const lines = [
  ...[...pairs, rare[0]!].map((key) => openSshKey(key)),
  sshLine("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 5), Buffer.from("ssh:")),
  sshLine("ssh-dss", ...[129, 21, 128, 127].map((size) => Buffer.alloc(size, 3))),
  sshLine("ssh-rsa", Buffer.of(3)),
];
const line = fc
  .tuple(
    fc.constantFrom("", " "),
    fc.constantFrom(...lines),
    fc.constantFrom("", "\n", " me@host", "\tü, #1\r\n"),
  )
  .map((parts) => parts.join(""));
const pemKey = fc.constantFrom(
  ...[...pairs, ...rare].map((key) => key.export({ type: "spki", format: "pem" }).toString()),
);

const target = fc.oneof(
  fc.domain(),
  fc.domain().map((name) => `*.${name}`),
  fc.tuple(fc.domain(), fc.integer({ min: 0, max: 70_000 })).map(([name, port]) => `${name}:${port}`),
  fc
    .tuple(fc.oneof(word, fc.constant("*"), odd), fc.oneof(word, fc.constant("*"), odd))
    .map((parts) => parts.join("=")),
  odd,
);
const rule = fc.oneof(
  fc.constant("*"),
  target.map((text) => `bind:${text}`),
  odd,
);

const instant = fc
  .tuple(
    fc.integer({ min: 0, max: 4_000_000_000 }),
    fc.constantFrom("Z", "Z", "z", ".5Z", ".123456789+02:00", "+23:59", "-00:00", "+24:00"),
    fc.constantFrom("T", "T", "T", "t", " "),
  )
  .map(
    ([seconds, end, mark]) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", mark) + end,
  );
const time = fc.oneof(
  { weight: 8, arbitrary: instant },
  { weight: 1, arbitrary: fc.constantFrom("2030-02-30T00:00:00Z", "2030-01-01T24:00:00Z", "2030-06-30") },
);

const network = fc
  .tuple(fc.constantFrom(32, 128), fc.nat(130), fc.bigInt(0n, (1n << 128n) - 1n))
  .map(([width, mask, bits]) => {
    const hosts = BigInt(Math.max(0, width - mask));
    const hex = ((BigInt.asUintN(width, bits) >> hosts) << hosts).toString(16).padStart(width / 4, "0");
    const bytes = hex.match(/../g)!.map((byte) => parseInt(byte, 16));
    return `${width === 32 ? bytes.join(".") : hex.match(/..../g)!.join(":")}/${mask}`;
  });
const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended());
const cidr = fc.oneof(
  network,
  address,
  fc.tuple(address, fc.nat(130)).map(([ip, mask]) => `${ip}/${mask}`),
  odd,
);

const root = makeCertificate({ ca: true, subject: "Root" });
const middle = makeCertificate({ ca: true, subject: "Middle", issuer: root });
const leaf = makeCertificate({ issuer: middle, dnsNames: ["www.example.com"] });
const otherRoot = makeCertificate({ ca: true, subject: "Other root" });
const cross = makeCertificate({ ca: true, subject: "Root", privateKey: root.privateKey, issuer: otherRoot });
const old = makeCertificate({ version: 1, subject: "Old root" });
const silent = makeCertificate({ ca: null, keyUsage: [] });
const bundle = (certificates: readonly { pem: string }[]) =>
  fc
    .tuple(fc.shuffledSubarray([...certificates]), fc.constantFrom("", "# text\n", "\r\n"))
    .map(([chosen, between]) => chosen.map(({ pem }) => pem).join(between));
const chain = fc.oneof(
  bundle([middle, root, cross, otherRoot]).map((rest) => leaf.pem + rest),
  bundle([leaf, middle, root, silent]),
);

const request = makeCertificateRequest();
const csr = fc.constantFrom(
  request.pem,
  `CN=x\n${request.pem.replace(/\n/g, "\r\n")}`,
  request.pem.replace(/CERTIFICATE/g, "NEW CERTIFICATE"),
  request.der.toString("base64"),
  "",
  "no request",
);

const celLiterals = [
  ...["true", "null", "a", "_b1", "1", "0xFFu", ".5", "1.5e-3", "99999999999999999999", "1e999", "[]", "{}"],
  ...["'x'", '"\\n\\x41\\u00e9"', "r'\\'", "br'x'", "B'''it's'''", 'bR"""a\nb"""', "// c\na", "a\f"],
];

/** Expressions of the grammar in the definition of CEL, section "Syntax". */
const cel = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthIdentifier: "cel" },
    fc.constantFrom(...celLiterals),
    fc
      .tuple(tie("expression"), fc.constantFrom("+", "&&", "==", " in ", "<", "%"), tie("expression"))
      .map((parts) => `(${parts.join("")}\n)`),
    fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `((${a}\n) ? (${b}\n) : c)`),
    fc
      .tuple(
        tie("expression"),
        fc.constantFrom(".namespace", ".f(1, 'x')", "[0]", ".all(x, x.y > .5)", ".?d"),
      )
      .map(([a, rest]) => `(${a}\n)${rest}`),
    tie("expression").map((a) => `[!(${a}\n), -1u, {'k': size(${a}\n)}]`),
  ),
})).expression;

const host = fc.oneof(
  fc.domain(),
  fc.domain().map((name) => `*.${name}`),
  fc.ipV4(),
  fc.constantFrom("[::1]", "localhost", "a_b", "-a", "ü.example", ""),
);
const scheme = fc.constantFrom("http", "https", "tcp", "tls", "HTTPS", "ftp");
const port = fc.oneof(
  fc.constant(""),
  fc.integer({ min: 0, max: 70_000 }).map((number) => `:${number}`),
);
const rest = fc.constantFrom("", "/", "/a/b", "?a=b", "/x?y#z", "#", "/ü%20");
const url = fc.tuple(scheme, fc.constantFrom("://", ":"), host, port, rest).map((parts) => parts.join(""));
const issuer = fc.oneof(
  url,
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom("https://u:p@a.example.com"),
  odd,
);
const hostport = fc.oneof(
  fc.tuple(host, port).map((parts) => parts.join("")),
  odd,
);

const seconds = fc.oneof(fc.nat(4_294_967_295), fc.constantFrom(-1, 4_294_967_296, 1.5));
const session = {
  enabled: flag,
  options_passthrough: flag,
  cookie_prefix: odd,
  inactivity_timeout: seconds,
  maximum_duration: seconds,
};
const identity = {
  client_id: odd,
  client_secret: odd,
  scopes: list(odd),
  email_addresses: list(fc.oneof(fc.emailAddress(), odd)),
  email_domains: list(fc.oneof(fc.domain(), odd)),
};
const codeHost = {
  ...identity,
  teams: list(
    fc.oneof(
      fc.tuple(word, word).map((parts) => parts.join("/")),
      odd,
    ),
  ),
  organizations: list(odd),
};
const providers = fc.oneof(
  fc.record({ code_host: body({}, codeHost) }, { noNullPrototype: true }),
  ...[
    "social",
    "software_vendor",
    "search_vendor",
    "professional",
    "source_control",
    "streaming",
    "retail",
  ].map((name) =>
    fc.record(
      { [name]: body({}, identity), code_host: fc.constant(null) },
      { requiredKeys: [name], noNullPrototype: true },
    ),
  ),
);

const cloudAuth = fc.oneof(
  fc.record(
    { role: fc.record({ role_ref: odd }, { noNullPrototype: true }), creds: fc.constant(null) },
    { requiredKeys: ["role"], noNullPrototype: true },
  ),
  fc.record(
    { creds: fc.record({ access_key_id: odd, secret_access_key: odd }, { noNullPrototype: true }) },
    { noNullPrototype: true },
  ),
);
const one = (name: string, value: fc.Arbitrary<unknown>) =>
  fc.record({ [name]: value }, { noNullPrototype: true });
const eventTarget = fc.oneof(
  one("stream", body({ auth: cloudAuth, stream_ref: odd }, {})),
  one("delivery_stream", body({ auth: cloudAuth, delivery_stream_ref: odd }, {})),
  one("log_group", body({ auth: cloudAuth, log_group_ref: odd }, {})),
  one("monitoring", body({ api_key: odd }, { ddtags: odd, service: odd, ddsite: odd })),
  one(
    "logs_ingestion",
    body(
      {
        tenant_id: odd,
        client_id: odd,
        client_secret: odd,
        logs_ingestion_uri: fc.oneof(url, odd),
        data_collection_rule_id: odd,
        data_collection_stream_name: odd,
      },
      {},
    ),
  ),
);
const eventType = fc.oneof(
  fc.tuple(fc.oneof(word, odd), fc.nat(12)).map(([name, version]) => `${name}.v${version}`),
  fc.constantFrom("ip_policy_created.v0", "Ip/Policy.v01", "a b.v0", "ip_policy_created"),
);

const signed = {
  ssh_certificate_authority_id: fc.constant("sshca_one"),
  public_key: fc.oneof({ weight: 9, arbitrary: line }, { weight: 1, arbitrary: pemKey }),
};
const validity = { valid_after: time, valid_until: time };
const policies = list(fc.constantFrom("ipp_one", "ipp_two"));
const children = fc.constantFrom("bkdtg_one", "bkdhr_one");

/** The bodies by class. */
export const bodies: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  ApiKey: body({}, { ...described, ...owner }),
  BotUser: body({ name: odd }, { active: flag }),
  SshCredential: body(
    { public_key: fc.oneof(line, pemKey, odd) },
    { ...described, ...owner, acl: list(rule) },
  ),
  SshUserCertificate: body(signed, {
    ...described,
    ...validity,
    principals: list(odd),
    critical_options: body({}, { "force-command": odd, "source-address": fc.oneof(cidr, odd) }),
    extensions: dictionary(odd, odd),
  }),
  SshHostCertificate: body(signed, { ...described, ...validity, principals: list(odd) }),
  IpPolicy: body({}, described),
  IpPolicyRule: body(
    { ip_policy_id: fc.constant("ipp_one"), cidr, action: fc.constantFrom("allow", "deny") },
    described,
  ),
  TunnelGroupBackend: body({ labels: dictionary(odd, odd) }, described),
  HttpResponseBackend: body(
    {},
    {
      ...described,
      body: odd,
      headers: dictionary(fc.oneof(word, odd), fc.oneof(word, odd, fc.constantFrom(" a", "a\t"))),
      status_code: fc.integer({ min: 90, max: 1010 }),
    },
  ),
  WeightedBackend: body({ backends: dictionary(children, fc.integer({ min: -1, max: 10_001 })) }, described),
  FailoverBackend: body({ backends: list(children) }, described),
  TcpEdge: body(
    {},
    {
      ...described,
      hostports: list(hostport),
      backend: body({}, { enabled: flag, backend_id: children }),
      ip_restriction: body({}, { enabled: flag, ip_policy_ids: policies }),
      traffic_policy: body({}, { enabled: flag, value: odd }),
    },
  ),
  CertificateAuthority: body(
    { ca_pem: fc.oneof(bundle([root, middle, old, cross, silent]), bundle([root, leaf])) },
    described,
  ),
  TlsCertificate: body(
    {
      certificate_pem: chain,
      private_key_pem: fc.constantFrom(leaf, root, middle, silent).map((each) => each.privateKeyPem),
    },
    described,
  ),
  KubernetesOperator: body(
    {},
    {
      ...described,
      enabled_features: list(fc.constantFrom("bindings", "Ingress", "GATEWAY", "other")),
      region: odd,
      deployment: body({}, { name: odd, namespace: odd, version: odd, cluster_name: odd }),
      binding: body({}, { endpoint_selectors: list(cel), csr, ingress_endpoint: odd }),
    },
  ),
  CloudEndpoint: body(
    { url: fc.oneof(url, odd) },
    {
      ...described,
      type: fc.constant("cloud"),
      traffic_policy: odd,
      bindings: list(odd),
      pooling_enabled: flag,
    },
  ),
  EventSubscription: body(
    {},
    {
      ...described,
      sources: list(fc.record({ type: eventType }, { noNullPrototype: true })),
      destination_ids: list(fc.constantFrom("ed_one", "ed_two")),
    },
  ),
  EventSource: body({ type: eventType }, {}),
  EventDestination: body({ target: eventTarget }, { ...described, format: fc.constant("json") }),
  HttpsEdgeRouteOidc: body({ issuer, client_id: odd, client_secret: odd }, { ...session, scopes: list(odd) }),
  HttpsEdgeRouteOauth: body({}, { ...session, provider: providers, auth_check_interval: seconds }),
  HttpsEdgeRouteWebhookVerification: body(
    { provider: fc.constantFrom("PAYMENTS", "CODE_HOST2", "CLOUD_NOTIFICATION", "payments") },
    { enabled: flag, secret: odd },
  ),
  TlsEdgeIpRestriction: body({}, { enabled: flag, ip_policy_ids: policies }),
};
