/** An account as people make it by hand over years: every collection, with all the texts that break programs. */
import { generateKeyPairSync } from "node:crypto";
import type { Seed } from "../../src/emulator/types";
import { openSshKey } from "./ssh";
import { makeCertificate, makeCertificateRequest } from "./x509";

/** Descriptions that must each work as a name, a literal and a comment. */
export const oddTexts: readonly string[] = [
  "office network",
  "office network",
  "office network",
  "Büro Straße №5",
  "東京オフィス",
  "say \"hello\" to 'them'",
  "it's",
  "`backticks` and ${injected}",
  "line one\nline two\r\n\ttabbed",
  "*/ } ); // <!-- -->",
  "\\ back\\slash \\n \\u0041",
  "class",
  "delete",
  "await",
  "config",
  "pulumi",
  "constructor",
  "__proto__",
  "toString",
  "123 starts with a digit",
  "",
  "   ",
  "🙂👩‍👩‍👧 family",
  "\u202ereversed\u2066 \u2028 separators \u2029 \ufeff",
  "zero\u200bwidth",
  "\u001b]0;title\u0007\u001b[2J\u009b31m bell \u0085 next line",
  "line\u2028globalThis.ran = true;\u2029//\rglobalThis.ran = true;",
  "é e\u0301 combining",
  "x".repeat(255),
  "ä".repeat(127),
  "a b ".repeat(63),
  "---",
  "ipp_looks_like_an_id",
  "[secret]",
  "%s %d {{mustache}} $(command)",
  "null",
  "undefined",
  "04da6b54",
];

/** Ids of IP policies that are refused: they would end a comment of a program, or steer a terminal. */
export const oddIds: readonly string[] = [
  "ipp_\nglobalThis.ran = true;//",
  "ipp_\u2028globalThis.ran = true;//",
  "ipp_\u001b[2J\u0007",
  "ipp_a/b",
];

const text = (i: number): string => oddTexts[i % oddTexts.length]!;
const list = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const described = (i: number): object => ({
  ...(i % 7 === 5 ? {} : { description: text(i) }),
  ...(i % 3 === 0 ? { metadata: JSON.stringify({ i, text: text(i + 4) }) } : {}),
});

/** Secrets that the service returns. None may be in plaintext in a file or state. */
export const echoedSecrets: string[] = [];
function secret(name: string): string {
  const value = `echoed-${name}-"'\`\${x}\\n-äß`;
  echoedSecrets.push(`echoed-${name}-`);
  return value;
}

function sshKey(): string {
  return openSshKey(generateKeyPairSync("ed25519").publicKey);
}

const oauthMembers = [
  "code_host",
  "social",
  "software_vendor",
  "search_vendor",
  "professional",
  "source_control",
  "streaming",
  "retail",
];

const own = (name: string): object => ({
  client_id: `client of ${name}`,
  client_secret: secret(`oauth-${name}`),
  scopes: ["openid", "email"],
  email_addresses: ["ann@example.com"],
  email_domains: ["example.com", "example.org"],
  ...(name === "code_host" ? { teams: ["org/team"], organizations: ["org"] } : {}),
});

const auths = [
  { role: { role_ref: "arn:role/deliver" } },
  { creds: { access_key_id: "AKIA", secret_access_key: "never-returned-key" } },
];

const targets: object[] = [
  ...auths.flatMap((auth) => [
    { stream: { auth, stream_ref: "arn:stream" } },
    { delivery_stream: { auth, delivery_stream_ref: "arn:delivery" } },
    { log_group: { auth, log_group_ref: "arn:logs" } },
  ]),
  { monitoring: { api_key: "never-returned-api-key" } },
  { monitoring: { api_key: "never-returned-api-key", ddtags: "a:b", service: "s", ddsite: "example.com" } },
  {
    logs_ingestion: {
      tenant_id: "t",
      client_id: "c",
      client_secret: "never-returned-secret",
      logs_ingestion_uri: "https://logs.example.com",
      data_collection_rule_id: "dcr-1",
      data_collection_stream_name: "Custom-x",
    },
  },
];

/** The routes and edges that an import needs as options. */
export const routes = [...oauthMembers, "managed", "oidc", "oidc-full", "off"].map(
  (name) => `edghts_odd/route_${name}`,
);
export const tlsEdges = ["edgtls_1", "edgtls_2", "edgtls_3"];

/** Objects of all collections: at least 250, or at most so many of each collection. */
export function oddAccount(most = Infinity): Seed {
  const times = <T>(count: number, make: (i: number) => T): T[] => list(Math.min(count, most), make);
  const groups = Math.min(20, most);
  const later = new Date(Date.now() + 40 * 86_400_000).toISOString();
  return {
    ssh_certificate_authorities: [{ id: "sshca_odd" }],
    bot_users: times(10, (i) => ({
      id: `bot_${i}odd`,
      name: `${["delete", "日本語", "bot `${x}`", "office network"][i % 4]!} ${i}`,
      active: i % 3 !== 0,
    })),
    event_destinations: [
      ...targets.map((target, i) => ({ id: `ed_${i}odd`, ...described(i), format: "json", target })),
      { id: "ed_unknown", description: "object storage", target: {} },
    ],
    api_keys: times(14, (i) => ({
      ...described(i),
      ...(i % 4 === 1 ? { owner_id: `bot_${i % 10}odd` } : {}),
    })),
    ssh_credentials: times(10, (i) => ({
      ...described(i + 5),
      public_key: sshKey(),
      ...(i % 2 === 0 ? { acl: ["bind:*.example.com", "bind:team=web"] } : {}),
      ...(i === 3 ? { acl: [] } : {}),
      ...(i === 4 ? { owner_id: "bot_2odd" } : {}),
    })),
    ip_policies: [
      ...times(40, (i) => ({ id: `ipp_${i}odd`, ...described(i) })),
      ...oddIds.map((id) => ({ id, description: "an id that no path can carry" })),
    ],
    ip_policy_rules: times(90, (i) => ({
      ...(i % 5 === 0 ? described(i / 5) : {}),
      cidr: i % 4 === 0 ? `2001:db8:${i.toString(16)}::/48` : `10.${i}.0.0/16`,
      ip_policy_id: `ipp_${i < 63 ? i % 13 : i - 50}odd`, // several rules, or one
      action: i % 2 === 0 ? "allow" : "deny",
    })),
    "backends/tunnel_group": times(20, (i) => ({
      id: `bkdtg_${i}odd`,
      ...described(i),
      labels:
        i % 4 === 0
          ? { constructor: "c", "a-b": text(i + 3).replace(/=/g, ""), 日本: "🙂", "1": "one" }
          : { service: `s${i}` },
    })),
    "backends/http_response": times(14, (i) => ({
      id: `bkdhr_${i}odd`,
      ...described(i + 3),
      ...(i % 2 === 0
        ? { body: `<p>\`${text(i)}\`</p>\n`, headers: { "X-Odd": '"quoted"', "content-type": "text/html" } }
        : {}),
      ...(i % 3 === 0 ? { status_code: 503 } : {}),
    })),
    "backends/weighted": times(8, (i) => ({
      id: `bkdwd_${i}odd`,
      ...described(i),
      backends: { [`bkdtg_${i}odd`]: 90, ...(i > 2 ? { [`bkdhr_${i}odd`]: 0 } : {}) },
    })),
    "backends/failover": times(8, (i) => ({
      ...described(i + 2),
      backends: list(i + 1, (j) => `bkdtg_${(j * 3 + i) % groups}odd`).filter(
        (id, at, all) => all.indexOf(id) === at,
      ),
    })),
    certificate_authorities: times(4, (i) => ({
      ...described(i),
      ca_pem: makeCertificate({ ca: true }).pem,
    })),
    tls_certificates: times(6, (i) => {
      const made = makeCertificate({ subject: `site${i}.example.com`, dnsNames: [`site${i}.example.com`] });
      return { ...described(i + 6), certificate_pem: made.pem, private_key_pem: made.privateKeyPem };
    }),
    ssh_user_certificates: times(6, (i) => ({
      ...described(i),
      ssh_certificate_authority_id: "sshca_odd",
      public_key: sshKey(),
      ...(i % 2 === 0 ? { principals: ["root", "o'neil"] } : {}),
      ...(i === 1 ? { extensions: {} } : {}),
      ...(i === 2
        ? { extensions: { "permit-pty": "" }, critical_options: { "force-command": 'echo "${HOME}"' } }
        : {}),
      ...(i === 3 ? { valid_until: later } : {}),
    })),
    ssh_host_certificates: times(5, (i) => ({
      ...described(i + 7),
      ssh_certificate_authority_id: "sshca_odd",
      public_key: sshKey(),
      ...(i % 2 === 0 ? { principals: ["host.example.com"] } : {}),
    })),
    "edges/tcp": times(14, (i) => ({
      ...described(i),
      hostports: i % 5 === 4 ? [] : [`${i}.tcp.example.com:12345`],
      ...(i % 3 !== 0 ? { backend: { backend_id: `bkdtg_${i}odd`, enabled: i % 2 === 0 } } : {}),
      ...(i % 4 === 1 ? { ip_restriction: { ip_policy_ids: list(i % 3, (j) => `ipp_${i + j}odd`) } } : {}),
      ...(i % 4 === 2 ? { traffic_policy: { value: `{"on": "\${x}"}\n` } } : {}),
      ...(i === 7 ? { traffic_policy: { enabled: false } } : {}),
    })),
    kubernetes_operators: times(6, (i) => ({
      ...described(i),
      ...(i % 2 === 0 ? { enabled_features: ["ingress", "gateway"] } : {}),
      ...(i > 1
        ? { deployment: { name: `operator ${i}`, namespace: "ns", version: "1.2.3", cluster_name: "c" } }
        : {}),
      ...(i === 3
        ? {
            enabled_features: ["bindings"],
            binding: {
              endpoint_selectors: ["true", "endpoint.proto == 'https'"],
              csr: makeCertificateRequest().pem,
            },
          }
        : {}),
      ...(i === 4 ? { region: "eu" } : {}),
    })),
    endpoints: [
      ...times(14, (i) => ({
        ...described(i + 4),
        url: i % 2 === 0 ? `https://e${i}.example.com` : `tcp://e${i}.example.com:${2000 + i}`,
        ...(i % 3 === 0 ? { traffic_policy: `{"x": "\`\${y}\`"}`, bindings: ["public"] } : {}),
        ...(i % 5 === 0 ? { pooling_enabled: true } : {}),
      })),
      { id: "ep_agent", type: "ephemeral", url: "https://agent.example.com" },
      { id: "ep_edge", type: "edge", url: "https://edge.example.com" },
    ],
    event_subscriptions: times(8, (i) => ({
      ...described(i),
      sources: list(i, (j) => ({ type: `event_type_number_${j}_created.v0` })),
      destination_ids: list(i % 4, (j) => `ed_${j}odd`),
    })),
    https_edges: [
      {
        id: "edghts_odd",
        routes: [
          ...oauthMembers.map((name) => ({
            id: `route_${name}`,
            oauth: { provider: { [name]: own(name) }, maximum_duration: 3600 },
            webhook_verification: { provider: name.toUpperCase(), secret: secret(`webhook-${name}`) },
          })),
          {
            id: "route_managed",
            oauth: { provider: { social: {} } },
            webhook_verification: { provider: "CLOUD_NOTIFICATION" },
          },
          {
            id: "route_oidc",
            oidc: { issuer: "https://id.example.com", client_id: "c", client_secret: secret("oidc") },
          },
          {
            id: "route_oidc-full",
            oidc: {
              enabled: false,
              issuer: "https://id.example.com",
              client_id: "`${c}`",
              client_secret: secret("oidc-full"),
              scopes: ["openid"],
              cookie_prefix: "mine.",
              inactivity_timeout: 60,
              options_passthrough: true,
            },
          },
          { id: "route_off", oauth: { enabled: false } },
        ],
      },
    ],
    tls_edges: [
      { id: "edgtls_1", ip_restriction: { ip_policy_ids: ["ipp_1odd", "ipp_2odd"] } },
      { id: "edgtls_2", ip_restriction: { enabled: false } },
      { id: "edgtls_3" },
    ],
  };
}
