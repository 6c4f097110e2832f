/** Every declaration, by its type. */
import type { Declaration } from "../schema/declaration";
import { apiKey } from "./api-key";
import { botUser } from "./bot-user";
import { certificateAuthority } from "./certificate-authority";
import { cloudEndpoint } from "./cloud-endpoint";
import { eventDestination } from "./event-destination";
import { eventSource } from "./event-source";
import { eventSubscription } from "./event-subscription";
import { failoverBackend } from "./failover-backend";
import { httpResponseBackend } from "./http-response-backend";
import { httpsEdgeRouteOauth } from "./https-edge-route-oauth";
import { httpsEdgeRouteOidc } from "./https-edge-route-oidc";
import { httpsEdgeRouteWebhookVerification } from "./https-edge-route-webhook-verification";
import { ipPolicy } from "./ip-policy";
import { ipPolicyRule } from "./ip-policy-rule";
import { ipPolicyRuleSet } from "./ip-policy-rule-set";
import { kubernetesOperator } from "./kubernetes-operator";
import { sshCredential } from "./ssh-credential";
import { sshHostCertificate } from "./ssh-host-certificate";
import { sshUserCertificate } from "./ssh-user-certificate";
import { tcpEdge } from "./tcp-edge";
import { tlsCertificate } from "./tls-certificate";
import { tlsEdgeIpRestriction } from "./tls-edge-ip-restriction";
import { tunnelGroupBackend } from "./tunnel-group-backend";
import { weightedBackend } from "./weighted-backend";

export const declarations: readonly Declaration[] = [
  apiKey,
  botUser,
  certificateAuthority,
  cloudEndpoint,
  eventDestination,
  eventSource,
  eventSubscription,
  failoverBackend,
  httpResponseBackend,
  httpsEdgeRouteOauth,
  httpsEdgeRouteOidc,
  httpsEdgeRouteWebhookVerification,
  ipPolicy,
  ipPolicyRule,
  ipPolicyRuleSet,
  kubernetesOperator,
  sshCredential,
  sshHostCertificate,
  sshUserCertificate,
  tcpEdge,
  tlsCertificate,
  tlsEdgeIpRestriction,
  tunnelGroupBackend,
  weightedBackend,
];

/** The declaration of a type; a type that a state names and this version does not know is an error. */
export function declarationOf(type: string): Declaration {
  const found = declarations.find((declaration) => declaration.type === type);
  if (!found) throw new Error(`this version of pulumi-tunnel-gateway knows no resource type ${type}`);
  return found;
}
