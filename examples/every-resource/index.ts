/**
 * A shop behind the tunnel gateway: its tunnels and their fallback, its access policies, the sign-in of its operators, its
 * certificates, its cluster, and the events for its auditors. It uses every resource of the package at least once.
 *
 * The configuration contains the ids of objects that the API cannot create: HTTPS edges, their routes, TLS edges and the
 * authority that signs SSH certificates.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import {
  ApiKey,
  BotUser,
  CertificateAuthority,
  CloudEndpoint,
  EventDestination,
  EventSource,
  EventSubscription,
  FailoverBackend,
  HttpResponseBackend,
  HttpsEdgeRouteOauth,
  HttpsEdgeRouteOidc,
  HttpsEdgeRouteWebhookVerification,
  IpPolicy,
  IpPolicyRule,
  IpPolicyRuleSet,
  KubernetesOperator,
  RotatingApiKey,
  SshCredential,
  SshHostCertificate,
  SshUserCertificate,
  TcpEdge,
  TlsCertificate,
  TlsEdgeIpRestriction,
  TunnelGroupBackend,
  WeightedBackend,
} from "pulumi-tunnel-gateway";

const config = new pulumi.Config();
const edgeId = config.require("edgeId");
const sshCertificateAuthorityId = config.require("sshCertificateAuthorityId");
const file = (name: string): string => readFileSync(join(config.get("keys") ?? "keys", name), "utf8");

// A bot user for deployments, with its own API key and an SSH key for its tunnels.
const deployer = new BotUser("deployer", { name: "shop deployer" });
const deployKey = new ApiKey("deploy-key", { ownerId: deployer.id, description: "deploys the shop" });
const reportsKey = new RotatingApiKey("reports-key", {
  ownerId: deployer.id,
  rotateAfterDays: 30,
  overlapDays: 3,
  description: "reads the shop's account for reports",
});
new SshCredential("deploy-tunnels", {
  ownerId: deployer.id,
  publicKey: file("deployer.pub"),
  acl: ["bind:*.shop.example.com", "bind:service=shop"],
});

// Routing: nine of ten requests go to the stable version, and to a fixed page while no tunnel is online.
const stable = new TunnelGroupBackend("stable", { labels: { service: "shop", version: "1" } });
const canary = new TunnelGroupBackend("canary", { labels: { service: "shop", version: "2" } });
const closed = new HttpResponseBackend("closed", {
  statusCode: 503,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Retry-After": "300" },
  body: "The shop is closed for a moment.\n",
});
new WeightedBackend("shop", {
  backends: pulumi.all([stable.id, canary.id]).apply(([one, other]) => ({ [one]: 90, [other]: 10 })),
});
const shopOrNotice = new FailoverBackend("shop-or-notice", { backends: [stable.id, closed.id] });

// Access policies for what is not public.
const office = new IpPolicy("office", { description: "the office and its VPN" });
for (const [name, cidr] of Object.entries({ lan: "203.0.113.0/24", vpn: "2001:db8:1::/48" })) {
  new IpPolicyRule(`office-${name}`, { ipPolicyId: office.id, cidr, action: "allow" });
}
// A rule set manages a longer list as one resource. Its policy contains these ranges and no others.
const blocked = new IpPolicy("blocked", { description: "threat list" });
const scanners = new IpPolicyRuleSet("blocked", {
  ipPolicyId: blocked.id,
  rules: { "192.0.2.0/24": "deny", "198.51.100.0/24": { action: "deny", description: "scanner" } },
});
// Edges wait for the rules of their policies by themselves.
const database = new TcpEdge("database", {
  description: "the shop's database, for the office",
  hostports: ["1.tcp.example.com:5432"],
  backend: { backendId: shopOrNotice.id },
  ipRestriction: { ipPolicyIds: [office.id, scanners.ipPolicyId] },
});
new TlsEdgeIpRestriction("admin-from-the-office", {
  edgeId: config.require("tlsEdgeId"),
  ipPolicyIds: [office.id],
});

// Sign-in: staff at the company's own provider, partners at their code host. Webhooks are verified by their signature.
new HttpsEdgeRouteOidc("staff", {
  edgeId,
  routeId: config.require("staffRouteId"),
  issuer: "https://login.example.com",
  clientId: "shop-admin",
  clientSecret: config.requireSecret("oidcClientSecret"),
  scopes: ["openid", "email"],
  maximumDuration: 8 * 3600,
});
new HttpsEdgeRouteOauth("partners", {
  edgeId,
  routeId: config.require("partnersRouteId"),
  provider: { codeHost: { organizations: ["example-partners"] } },
  authCheckInterval: 900,
});
new HttpsEdgeRouteWebhookVerification("payments", {
  edgeId,
  routeId: config.require("paymentsRouteId"),
  provider: "PAYMENTS",
  secret: config.requireSecret("paymentsWebhookSecret"),
});

// Certificates for the site, for the tills' own authority, and for SSH to the bastion.
const site = new TlsCertificate("site", {
  description: "shop.example.com",
  certificatePem: file("site.pem"),
  privateKeyPem: pulumi.secret(file("site.key")),
});
const tills = new CertificateAuthority("tills", {
  description: "issues the certificates of the tills",
  caPem: file("tills.pem"),
});
const bastion = new SshHostCertificate("bastion", {
  sshCertificateAuthorityId,
  publicKey: file("bastion.pub"),
  principals: ["bastion.shop.example.com"],
  earlyRenewalHours: 30 * 24,
});
const onCall = new SshUserCertificate("on-call", {
  sshCertificateAuthorityId,
  publicKey: file("on-call.pub"),
  principals: ["operations"],
  criticalOptions: { "source-address": "203.0.113.0/24" },
  earlyRenewalHours: 6,
});

// An endpoint in the cloud, with a traffic policy that terminates TLS with the two certificates above.
const till = new CloudEndpoint("till", {
  url: "tls://till.shop.example.com",
  trafficPolicy: pulumi.jsonStringify({
    on_tcp_connect: [
      {
        actions: [
          {
            type: "terminate-tls",
            config: { certificate: site.id, mutual_tls_certificate_authorities: [tills.id] },
          },
        ],
      },
    ],
  }),
});

// The shop's cluster, which binds its endpoints by a selector.
const cluster = new KubernetesOperator("cluster", {
  enabledFeatures: ["bindings"],
  deployment: { name: "gateway-operator", namespace: "gateway", version: "1.4.0", clusterName: "shop" },
  binding: { endpointSelectors: ["endpoint.metadata.service == 'shop'"], csr: file("cluster.csr") },
});

// Events for the auditors: every change of the access policies.
const audit = new EventDestination("audit", {
  target: {
    monitoring: {
      apiKey: config.requireSecret("monitoringApiKey"),
      service: "shop",
      ddtags: "team:security",
    },
  },
});
const changes = new EventSubscription("policy-changes", {
  description: "changes of who may pass",
  destinationIds: [audit.id],
});
for (const type of ["ip_policy_created.v0", "ip_policy_updated.v0", "ip_policy_deleted.v0"]) {
  new EventSource(type, { subscriptionId: changes.id, type });
}

export const deployToken = deployKey.token;
export const reportsToken = reportsKey.token;
export const databaseAddresses = database.hostports;
export const tillAddress = till.publicUrl;
export const clusterCertificate = cluster.bindingCert;
export const bastionCertificate = bastion.certificate;
export const onCallCertificate = onCall.certificate;
