/** What the table cannot show, and why: `Class.path` to the reason. */

export const unchangeable: Readonly<Record<string, string>> = {
  "CloudEndpoint.type": "there is one value only",
  "EventDestination.format": "there is one value only",
};
export const unremovable: Readonly<Record<string, string>> = Object.fromEntries(
  ["issuer", "clientId", "clientSecret"].map((name) => [
    `HttpsEdgeRouteOidc.${name}`,
    "only a module that is off may lack it; the unit test of the module takes it out",
  ]),
);
export const missingDrift: Readonly<Record<string, string>> = {
  "CloudEndpoint.type": "the type of an endpoint never changes",
  "EventDestination.format": "there is one value only",
  ...Object.fromEntries(
    ["deliveryStream", "logGroup"].flatMap((kind) =>
      ["creds", "creds.accessKeyId", "creds.secretAccessKey"].map((member) => [
        `EventDestination.target.${kind}.auth.${member}`,
        "the same CloudAuth as of stream, whose drift the table has",
      ]),
    ),
  ),
  "EventDestination.target.monitoring.apiKey": "answers redact it",
  "EventDestination.target.logsIngestion.clientSecret": "answers leave it out",
  "KubernetesOperator.binding.csr": "no answer holds it",
  "TlsCertificate.privateKeyPem": "no answer holds it",
  ...Object.fromEntries(
    [
      "EventSource.subscriptionId",
      "EventSource.type",
      "HttpsEdgeRouteOauth.edgeId",
      "HttpsEdgeRouteOauth.routeId",
      "HttpsEdgeRouteOidc.edgeId",
      "HttpsEdgeRouteOidc.routeId",
      "HttpsEdgeRouteWebhookVerification.edgeId",
      "HttpsEdgeRouteWebhookVerification.routeId",
      "TlsEdgeIpRestriction.edgeId",
    ].map((name) => [name, "it is the object's address"]),
  ),
  "ApiKey.sealTo": "it is never sent",
  "SshHostCertificate.earlyRenewalHours": "it is never sent",
  "SshUserCertificate.earlyRenewalHours": "it is never sent",
  "SshHostCertificate.validForHours": "it is never sent",
  "SshUserCertificate.validForHours": "it is never sent",
};
