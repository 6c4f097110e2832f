import { apiKeys } from "./api-keys";
import { failoverBackends, httpResponseBackends, tunnelGroupBackends, weightedBackends } from "./backends";
import { botUsers } from "./bot-users";
import { certificateAuthorities, tlsCertificates } from "./certificates";
import type { Collection } from "./collection";
import { endpoints } from "./endpoints";
import { eventDestinations } from "./event-destinations";
import { eventSubscriptions } from "./event-subscriptions";
import { ipPolicies } from "./ip-policies";
import { ipPolicyRules } from "./ip-policy-rules";
import { kubernetesOperators } from "./kubernetes-operators";
import { sshHostCertificates, sshUserCertificates } from "./ssh-certificates";
import { sshCredentials } from "./ssh-credentials";
import { tcpEdges } from "./tcp-edges";

/** The specification's table of collections, in its order. */
export const COLLECTIONS: Collection[] = [
  apiKeys,
  sshCredentials,
  ipPolicies,
  ipPolicyRules,
  sshHostCertificates,
  sshUserCertificates,
  tunnelGroupBackends,
  httpResponseBackends,
  weightedBackends,
  failoverBackends,
  botUsers,
  tcpEdges,
  certificateAuthorities,
  tlsCertificates,
  kubernetesOperators,
  endpoints,
  eventSubscriptions,
  eventDestinations,
];
