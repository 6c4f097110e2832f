/**
 * The tables of the specification as data, written by hand from spec.txt and from nothing else; where the
 * specification is silent the project's decisions speak, each by its number. Names are those of the wire.
 * It imports nothing from src, so that a misreading there shows.
 */

export type Members = Readonly<Record<string, Type>>;

export type Type =
  | "string"
  | "boolean"
  | "int32"
  | "int64"
  | "uint32"
  | "Ref"
  | "List<Ref>"
  | "List<string>"
  | "Map<string,string>"
  | "Map<string,int64>"
  | { readonly members: Members }
  | { readonly listOf: Members }
  /** Alternatives, of which one is set; `orNone`: or none. */
  | { readonly oneOf: Members; readonly orNone?: true };

/** Where the value of a response field is found in the outputs, and in which form. */
export type Form = "whole" | "id" | "ids" | "types";

interface Values {
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

export interface ManagedObject {
  /** Design, Names. */
  readonly class: string;
  readonly path: string;
  /** The arguments that the `{}` segments of the path are, in order. Design, Names. */
  readonly pathArguments?: readonly string[];
  readonly idPrefix?: string;
  readonly listKey?: string;
  /** Of a module: PUT, GET and DELETE; else POST, GET, PATCH and DELETE. */
  readonly isModule?: true;
  /** What create takes; of a module what PUT takes. */
  readonly create: Members;
  /** What an update may send: paths of create parameters, each with all that is below it. */
  readonly update: readonly string[] | "not shown";
  /** Changes that replace although an update may send the parameter. */
  readonly replacedByScheme?: readonly string[];
  /** Changes to another alternative that replace whatever an update may send. */
  readonly replacedByKind?: readonly string[];
  readonly response: Members;
  /** Response fields that the outputs hold otherwise than under their own name. */
  readonly outputs?: Readonly<Record<string, Readonly<Record<string, Form>>>>;
  /** The required arguments. */
  readonly required: readonly string[];
  /** For example privateKeyPem. */
  readonly requiredToCreate?: readonly string[];
  /** The provider of an OAuth module, unless it is off. */
  readonly requiredUnlessOff?: readonly string[];
  /** Every client secret, webhook secret, access key, api_key, private key and csr; and tokens. */
  readonly secrets?: readonly string[];
  /** What the service holds where a parameter is left out, as far as the specification states it. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** The same of defaults that are no values, in the words of the pages. */
  readonly defaultsInWords?: Readonly<Record<string, string>>;
  /** Limits, enumerations and formats: values on both sides of each border. */
  readonly values?: Readonly<Record<string, Values>>;
  /** Arguments that no request carries. */
  readonly localArguments?: readonly string[];
  /** Outputs that no answer holds. */
  readonly localOutputs?: readonly string[];
}

const described: Members = { description: "string", metadata: "string" };
const recorded: Members = { id: "string", uri: "string", created_at: "string" };

/** Limits: at most 255 and 4096 bytes, where "é" is two. */
const inBytes: Readonly<Record<string, Values>> = {
  description: {
    accepts: ["a".repeat(255), `${"é".repeat(127)}a`],
    refuses: ["a".repeat(256), "é".repeat(128)],
  },
  metadata: { accepts: ["a".repeat(4096), "é".repeat(2048)], refuses: ["a".repeat(4097), "é".repeat(2049)] },
};

/** Limits: at most 255 and 4096 characters. */
const inCharacters: Readonly<Record<string, Values>> = {
  description: { accepts: ["é".repeat(255)], refuses: ["é".repeat(256), "a".repeat(256)] },
  metadata: { accepts: ["é".repeat(4096)], refuses: ["é".repeat(4097), "a".repeat(4097)] },
};

/** API key: "Defaults to the authenticated User or Bot". */
const ownerInWords = { owner_id: "the owner of the key that Pulumi works with" };
/** OIDC: "default is the service name followed by a period". */
const cookieInWords = { cookie_prefix: "the name of the service, followed by a period" };

const boolean: Values = { accepts: [true, false], refuses: ["true", 1] };
const uint32: Values = { accepts: [0, 4294967295], refuses: [-1, 4294967296, 0.5] };
const time: Values = {
  accepts: ["2099-01-01T00:00:00Z", "2099-01-01T00:00:00.5+02:00"],
  refuses: ["2099-01-01", "tomorrow", "2099-13-01T00:00:00Z"],
};
const oneWordOf = (...words: string[]): Values => ({
  accepts: words,
  refuses: ["", "another", words[0]!.toUpperCase()],
});
const idWith = (...prefixes: string[]): Values => ({
  accepts: prefixes.map((prefix) => `${prefix}2NMRVf`),
  refuses: ["", "2NMRVf", "xx_2NMRVf", prefixes[0]!],
});
const owner = idWith("usr_", "bot_");
const backend = idWith("bkdtg_", "bkdhr_", "bkdwd_", "bkdfo_");
const policies: Values = { accepts: [["ipp_1", "ipp_2"], []], refuses: [["ipr_1"], [""]] };
const keyType = oneWordOf("rsa", "ecdsa", "ed25519");

const sessionOptions: Members = {
  options_passthrough: "boolean",
  cookie_prefix: "string",
  inactivity_timeout: "uint32",
  maximum_duration: "uint32",
};
/** "defaults filled in (for example numeric timeouts 0 and options_passthrough false when unset)" */
const sessionDefaults = {
  enabled: true,
  options_passthrough: false,
  inactivity_timeout: 0,
  maximum_duration: 0,
};
const sessionValues = { inactivity_timeout: uint32, maximum_duration: uint32, options_passthrough: boolean };

const oidc: Members = {
  enabled: "boolean",
  ...sessionOptions,
  issuer: "string",
  client_id: "string",
  client_secret: "string",
  scopes: "List<string>",
};

const webhookVerification: Members = { enabled: "boolean", provider: "string", secret: "string" };

const oauthApp: Members = {
  client_id: "string",
  client_secret: "string",
  scopes: "List<string>",
  email_addresses: "List<string>",
  email_domains: "List<string>",
};
const oauthProviders: Members = {
  code_host: { members: { ...oauthApp, teams: "List<string>", organizations: "List<string>" } },
  social: { members: oauthApp },
  software_vendor: { members: oauthApp },
  search_vendor: { members: oauthApp },
  professional: { members: oauthApp },
  source_control: { members: oauthApp },
  streaming: { members: oauthApp },
  retail: { members: oauthApp },
};
const oauth: Members = {
  enabled: "boolean",
  provider: { oneOf: oauthProviders, orNone: true },
  ...sessionOptions,
  auth_check_interval: "uint32",
};

const cloudAuth: Type = {
  oneOf: {
    role: { members: { role_ref: "string" } },
    creds: { members: { access_key_id: "string", secret_access_key: "string" } },
  },
};
const eventTarget: Type = {
  oneOf: {
    stream: { members: { auth: cloudAuth, stream_ref: "string" } },
    delivery_stream: { members: { auth: cloudAuth, delivery_stream_ref: "string" } },
    log_group: { members: { auth: cloudAuth, log_group_ref: "string" } },
    monitoring: { members: { api_key: "string", ddtags: "string", service: "string", ddsite: "string" } },
    logs_ingestion: {
      members: {
        tenant_id: "string",
        client_id: "string",
        client_secret: "string",
        logs_ingestion_uri: "string",
        data_collection_rule_id: "string",
        data_collection_stream_name: "string",
      },
    },
  },
};

const hostCertificate: Members = {
  ssh_certificate_authority_id: "string",
  public_key: "string",
  principals: "List<string>",
  valid_after: "string",
  valid_until: "string",
  ...described,
};
const userCertificate: Members = {
  ...hostCertificate,
  critical_options: "Map<string,string>",
  extensions: "Map<string,string>",
};
/** Authentication 3: certificates have an owner_id too. */
const signedResponse: Members = {
  ...recorded,
  owner_id: "string",
  key_type: "string",
  certificate: "string",
};
const signedValues = {
  ...inBytes,
  ssh_certificate_authority_id: idWith("sshca_"),
  valid_after: time,
  valid_until: time,
  owner_id: owner,
  key_type: keyType,
};

const validity: Members = {
  subject_common_name: "string",
  not_before: "string",
  not_after: "string",
  key_usages: "List<string>",
  extended_key_usages: "List<string>",
};

const operatorDeployment: Type = {
  members: { name: "string", namespace: "string", version: "string", cluster_name: "string" },
};

export const specification: readonly ManagedObject[] = [
  {
    class: "ApiKey",
    path: "/api_keys",
    idPrefix: "ak_",
    listKey: "keys",
    create: { ...described, owner_id: "string" },
    update: ["description", "metadata"],
    response: { ...recorded, ...described, token: "string", owner_id: "string" },
    required: [],
    secrets: ["token"],
    defaultsInWords: ownerInWords,
    values: { ...inBytes, owner_id: owner },
    localArguments: ["sealTo"],
    localOutputs: ["sealedToken"],
  },
  {
    class: "SshCredential",
    path: "/ssh_credentials",
    idPrefix: "sshcr_",
    listKey: "ssh_credentials",
    create: { ...described, acl: "List<string>", public_key: "string", owner_id: "string" },
    update: ["description", "metadata", "acl"],
    response: { ...recorded, ...described, public_key: "string", acl: "List<string>", owner_id: "string" },
    required: ["public_key"],
    defaults: { acl: ["*"] },
    defaultsInWords: ownerInWords,
    values: {
      ...inBytes,
      owner_id: owner,
      acl: {
        accepts: [
          ["*"],
          [],
          ["bind:example.com", "bind:*.example.com", "bind:1.tcp.example.com:12345"],
          ["bind:key=value", "bind:*=value", "bind:key=*"],
        ],
        refuses: [["example.com"], ["deny:example.com"], ["bind:"], ["bind:a*.example.com"], [""]],
      },
    },
  },
  {
    class: "IpPolicy",
    path: "/ip_policies",
    idPrefix: "ipp_",
    listKey: "ip_policies",
    create: described,
    update: ["description", "metadata"],
    response: { ...recorded, ...described },
    required: [],
    values: inBytes,
  },
  {
    class: "IpPolicyRule",
    path: "/ip_policy_rules",
    idPrefix: "ipr_",
    listKey: "ip_policy_rules",
    create: { ...described, cidr: "string", ip_policy_id: "string", action: "string" },
    update: ["description", "metadata", "cidr"],
    response: { ...recorded, ...described, cidr: "string", ip_policy: "Ref", action: "string" },
    outputs: { ip_policy: { ip_policy_id: "id", ip_policy: "whole" } },
    required: ["cidr", "ip_policy_id", "action"],
    values: {
      ...inBytes,
      cidr: {
        accepts: ["203.0.113.0/24", "2001:db8::/32", "203.0.113.7", "2001:db8::1"],
        refuses: ["203.0.113.7/24", "203.0.113.0/33", "here"],
      },
      ip_policy_id: idWith("ipp_"),
      action: oneWordOf("allow", "deny"),
    },
  },
  {
    class: "SshUserCertificate",
    path: "/ssh_user_certificates",
    idPrefix: "sucrt_",
    listKey: "ssh_user_certificates",
    create: userCertificate,
    update: "not shown",
    response: { ...signedResponse, ...userCertificate },
    required: ["public_key", "ssh_certificate_authority_id"],
    defaults: { extensions: { "permit-pty": "", "permit-user-rc": "" } },
    defaultsInWords: { valid_after: "now", valid_until: "24 hours after its creation" },
    values: {
      ...signedValues,
      critical_options: {
        // The specification says which options the protocol defines, and not that others are refused: OpenSSH has
        // verify-required. Another one is a warning.
        accepts: [{ "force-command": "uptime", "source-address": "203.0.113.0/24", "verify-required": "" }],
        refuses: [],
      },
    },
    localArguments: ["earlyRenewalHours", "validForHours"],
  },
  {
    class: "SshHostCertificate",
    path: "/ssh_host_certificates",
    idPrefix: "shcrt_",
    listKey: "ssh_host_certificates",
    create: hostCertificate,
    update: ["description", "metadata"],
    response: { ...signedResponse, ...hostCertificate },
    required: ["public_key", "ssh_certificate_authority_id"],
    defaultsInWords: { valid_after: "now", valid_until: "one year after its creation" },
    values: signedValues,
    localArguments: ["earlyRenewalHours", "validForHours"],
  },
  {
    class: "TunnelGroupBackend",
    path: "/backends/tunnel_group",
    idPrefix: "bkdtg_",
    listKey: "backends",
    create: { ...described, labels: "Map<string,string>" },
    update: ["description", "metadata", "labels"],
    response: { ...recorded, ...described, labels: "Map<string,string>", tunnels: "List<Ref>" },
    required: ["labels"],
    values: inBytes,
  },
  {
    class: "HttpResponseBackend",
    path: "/backends/http_response",
    idPrefix: "bkdhr_",
    listKey: "backends",
    create: { ...described, body: "string", headers: "Map<string,string>", status_code: "int32" },
    update: ["description", "metadata", "body", "headers", "status_code"],
    response: {
      ...recorded,
      ...described,
      body: "string",
      headers: "Map<string,string>",
      status_code: "int32",
    },
    required: [],
    values: {
      ...inBytes,
      // Only the type is stated; what HTTP does not define is a warning.
      status_code: { accepts: [0, 99, 100, 200, 503, 999, 1000, 2 ** 31 - 1], refuses: [200.5, 2 ** 31] },
    },
  },
  {
    class: "WeightedBackend",
    path: "/backends/weighted",
    idPrefix: "bkdwd_",
    listKey: "backends",
    create: { ...described, backends: "Map<string,int64>" },
    update: ["description", "metadata", "backends"],
    response: { ...recorded, ...described, backends: "Map<string,int64>" },
    required: ["backends"],
    values: {
      ...inBytes,
      backends: {
        accepts: [{ bkdtg_1: 0, bkdhr_1: 10000 }],
        // The specification does not say that backends do not nest; services refuse it.
        refuses: [
          { bkdfo_1: 1 },
          { bkdwd_1: 1 },
          { bkdtg_1: -1 },
          { bkdtg_1: 10001 },
          { bkdtg_1: 0.5 },
          { ipp_1: 1 },
        ],
      },
    },
  },
  {
    class: "FailoverBackend",
    path: "/backends/failover",
    idPrefix: "bkdfo_",
    listKey: "backends",
    create: { ...described, backends: "List<string>" },
    update: ["description", "metadata", "backends"],
    response: { ...recorded, ...described, backends: "List<string>" },
    required: ["backends"],
    values: {
      ...inBytes,
      backends: { accepts: [["bkdtg_1", "bkdhr_1"]], refuses: [["ipp_1"], [""], ["bkdfo_1"]] },
    },
  },
  {
    class: "BotUser",
    path: "/bot_users",
    idPrefix: "bot_",
    listKey: "bot_users",
    create: { name: "string", active: "boolean" },
    update: ["name", "active"],
    response: { ...recorded, name: "string", active: "boolean" },
    required: ["name"],
    values: { active: boolean },
  },
  {
    class: "TcpEdge",
    path: "/edges/tcp",
    listKey: "tcp_edges",
    create: {
      ...described,
      hostports: "List<string>",
      backend: { members: { enabled: "boolean", backend_id: "string" } },
      ip_restriction: { members: { enabled: "boolean", ip_policy_ids: "List<string>" } },
      traffic_policy: { members: { enabled: "boolean", value: "string" } },
    },
    update: ["description", "metadata", "hostports", "backend", "ip_restriction", "traffic_policy"],
    response: {
      ...recorded,
      ...described,
      hostports: "List<string>",
      backend: { members: { enabled: "boolean", backend: "Ref" } },
      ip_restriction: { members: { enabled: "boolean", ip_policies: "List<Ref>" } },
      traffic_policy: { members: { enabled: "boolean", value: "string" } },
    },
    outputs: {
      "backend.backend": { "backend.backend_id": "id", backend_ref: "whole" },
      "ip_restriction.ip_policies": { "ip_restriction.ip_policy_ids": "ids", ip_policies: "whole" },
    },
    required: [],
    defaults: { "backend.enabled": true, "ip_restriction.enabled": true, "traffic_policy.enabled": true },
    values: {
      ...inBytes,
      hostports: { accepts: [["1.tcp.example.com:12345"]], refuses: [["1.tcp.example.com"], [":1"]] },
      "backend.backend_id": backend,
      "ip_restriction.ip_policy_ids": policies,
    },
  },
  {
    class: "CertificateAuthority",
    path: "/certificate_authorities",
    idPrefix: "ca_",
    listKey: "certificate_authorities",
    create: { ...described, ca_pem: "string" },
    update: "not shown",
    response: { ...recorded, ...described, ca_pem: "string", ...validity },
    required: ["ca_pem"],
    values: { ...inBytes, ca_pem: { accepts: [], refuses: ["", "no PEM"] } },
  },
  {
    class: "TlsCertificate",
    path: "/tls_certificates",
    idPrefix: "cert_",
    listKey: "tls_certificates",
    create: { ...described, certificate_pem: "string", private_key_pem: "string" },
    update: "not shown",
    response: {
      ...recorded,
      ...described,
      certificate_pem: "string",
      ...validity,
      owner_id: "string",
      subject_alternative_names: { members: { dns_names: "List<string>", ips: "List<string>" } },
      issued_at: "string",
      private_key_type: "string",
      issuer_common_name: "string",
      serial_number: "string",
      subject_organization: "string",
      subject_organizational_unit: "string",
      subject_locality: "string",
      subject_province: "string",
      subject_country: "string",
    },
    required: ["certificate_pem"],
    requiredToCreate: ["private_key_pem"],
    secrets: ["private_key_pem"],
    values: {
      ...inBytes,
      certificate_pem: { accepts: [], refuses: ["", "no PEM"] },
      private_key_pem: { accepts: [], refuses: ["", "no PEM"] },
      private_key_type: keyType,
      owner_id: owner,
    },
  },
  {
    class: "KubernetesOperator",
    path: "/kubernetes_operators",
    listKey: "operators",
    create: {
      ...described,
      enabled_features: "List<string>",
      region: "string",
      deployment: operatorDeployment,
      binding: { members: { endpoint_selectors: "List<string>", csr: "string", ingress_endpoint: "string" } },
    },
    update: [
      "description",
      "metadata",
      "enabled_features",
      "region",
      "binding",
      "deployment.name",
      "deployment.version",
    ],
    response: {
      ...recorded,
      updated_at: "string",
      ...described,
      principal: "Ref",
      enabled_features: "List<string>",
      region: "string",
      deployment: operatorDeployment,
      binding: {
        members: {
          endpoint_selectors: "List<string>",
          cert: { members: { cert: "string", not_before: "string", not_after: "string" } },
          ingress_endpoint: "string",
        },
      },
    },
    outputs: { "binding.cert": { binding_cert: "whole" } },
    required: [],
    secrets: ["binding.csr"],
    defaults: { region: "global" },
    values: {
      ...inBytes,
      enabled_features: { accepts: [["bindings", "ingress", "gateway"], []], refuses: [["another"]] },
      "binding.endpoint_selectors": {
        accepts: [["true", "endpoint.name == 'a'"]],
        refuses: [["endpoint.name =="]],
      },
      "binding.csr": { accepts: ["no PEM"], refuses: [] },
    },
  },
  {
    class: "CloudEndpoint",
    path: "/endpoints",
    listKey: "endpoints",
    create: {
      url: "string",
      type: "string",
      traffic_policy: "string",
      ...described,
      bindings: "List<string>",
      pooling_enabled: "boolean",
    },
    update: ["url", "traffic_policy", "description", "metadata", "bindings", "pooling_enabled"],
    replacedByScheme: ["url"],
    response: {
      ...recorded,
      updated_at: "string",
      region: "string",
      public_url: "string",
      proto: "string",
      scheme: "string",
      host: "string",
      hostport: "string",
      port: "int64",
      type: "string",
      ...described,
      domain: "Ref",
      tcp_addr: "Ref",
      tunnel: "Ref",
      edge: "Ref",
      upstream_url: "string",
      upstream_protocol: "string",
      url: "string",
      principal: "Ref",
      traffic_policy: "string",
      bindings: "List<string>",
      tunnel_session: "Ref",
      name: "string",
      pooling_enabled: "boolean",
    },
    required: ["url"],
    defaults: { type: "cloud" },
    values: {
      ...inBytes,
      type: oneWordOf("cloud"),
      proto: oneWordOf("http", "https", "tcp", "tls"),
      pooling_enabled: boolean,
      url: {
        accepts: [
          "https://example.com",
          "tcp://1.tcp.example.com:80",
          "example.com",
          "https://example.com/a?b",
        ],
        refuses: ["", "ftp://example.com"],
      },
    },
  },
  {
    class: "EventSubscription",
    path: "/event_subscriptions",
    idPrefix: "esb_",
    listKey: "event_subscriptions",
    create: { ...described, sources: { listOf: { type: "string" } }, destination_ids: "List<string>" },
    update: ["description", "metadata", "sources", "destination_ids"],
    response: {
      ...recorded,
      ...described,
      sources: { listOf: { type: "string", uri: "string" } },
      destinations: "List<Ref>",
    },
    outputs: {
      sources: { sources: "types", source_refs: "whole" },
      destinations: { destination_ids: "ids", destinations: "whole" },
    },
    required: [],
    values: { ...inCharacters, destination_ids: { accepts: [["ed_1", "ed_2"]], refuses: [["esb_1"], [""]] } },
  },
  {
    class: "EventSource",
    path: "/event_subscriptions/{subscription_id}/sources/{type}",
    pathArguments: ["subscription_id", "type"],
    listKey: "sources",
    create: { type: "string" },
    update: [],
    response: { type: "string", uri: "string" },
    required: ["subscription_id", "type"],
    values: { subscription_id: idWith("esb_") },
  },
  {
    class: "EventDestination",
    path: "/event_destinations",
    idPrefix: "ed_",
    listKey: "event_destinations",
    create: { ...described, format: "string", target: eventTarget },
    update: "not shown",
    replacedByKind: ["target"],
    response: { ...recorded, ...described, format: "string", target: eventTarget },
    required: ["target"],
    secrets: [
      "target.stream.auth.creds.access_key_id",
      "target.stream.auth.creds.secret_access_key",
      "target.delivery_stream.auth.creds.access_key_id",
      "target.delivery_stream.auth.creds.secret_access_key",
      "target.log_group.auth.creds.access_key_id",
      "target.log_group.auth.creds.secret_access_key",
      "target.monitoring.api_key",
      "target.logs_ingestion.client_secret",
    ],
    defaults: { format: "json" },
    values: { ...inBytes, format: oneWordOf("json") },
  },
  {
    class: "HttpsEdgeRouteOidc",
    path: "/edges/https/{edge_id}/routes/{id}/oidc",
    pathArguments: ["edge_id", "route_id"],
    isModule: true,
    create: oidc,
    update: Object.keys(oidc),
    response: oidc,
    required: ["edge_id", "route_id"],
    // Nothing says that a module that is off needs them.
    requiredUnlessOff: ["issuer", "client_id", "client_secret"],
    secrets: ["client_secret"],
    defaults: sessionDefaults,
    defaultsInWords: cookieInWords,
    values: {
      ...sessionValues,
      issuer: {
        accepts: ["https://login.example.com", "http://login.example.com/?a=b"],
        refuses: ["", "login.example.com"],
      },
    },
  },
  {
    class: "HttpsEdgeRouteWebhookVerification",
    path: "/edges/https/{edge_id}/routes/{id}/webhook_verification",
    pathArguments: ["edge_id", "route_id"],
    isModule: true,
    create: webhookVerification,
    update: Object.keys(webhookVerification),
    response: webhookVerification,
    required: ["edge_id", "route_id", "provider"],
    secrets: ["secret"],
    defaults: { enabled: true },
    // "uppercase in the shown form" is no rule: another spelling is a warning.
    values: { provider: { accepts: ["CODE_HOST", "code_host"], refuses: [""] }, enabled: boolean },
  },
  {
    class: "HttpsEdgeRouteOauth",
    path: "/edges/https/{edge_id}/routes/{id}/oauth",
    pathArguments: ["edge_id", "route_id"],
    isModule: true,
    create: oauth,
    update: Object.keys(oauth),
    response: oauth,
    required: ["edge_id", "route_id"],
    requiredUnlessOff: ["provider"],
    secrets: Object.keys(oauthProviders).map((member) => `provider.${member}.client_secret`),
    defaults: { ...sessionDefaults, auth_check_interval: 0 },
    defaultsInWords: {
      ...cookieInWords,
      // Rule 1 of the provider objects names four of the eight.
      ...Object.fromEntries(
        Object.keys(oauthProviders).map((member) => [
          `provider.${member}.client_id`,
          "an app of the service with extra restrictions, if the service has one: for `codeHost`, `social`, " +
            "`softwareVendor` and `searchVendor`",
        ]),
      ),
    },
    values: { ...sessionValues, auth_check_interval: uint32 },
  },
  {
    class: "TlsEdgeIpRestriction",
    path: "/edges/tls/{id}/ip_restriction",
    pathArguments: ["edge_id"],
    isModule: true,
    create: { enabled: "boolean", ip_policy_ids: "List<string>" },
    update: ["enabled", "ip_policy_ids"],
    response: { enabled: "boolean", ip_policies: "List<Ref>" },
    outputs: { ip_policies: { ip_policy_ids: "ids", ip_policies: "whole" } },
    required: ["edge_id"],
    defaults: { enabled: true },
    values: { ip_policy_ids: policies, enabled: boolean },
  },
];
