/**
 * The tests that run for each mutant: those that reach the life cycle and the wire mapping. They are in one file,
 * because jest loads Pulumi's SDK again for each file, which takes longer than all of its tests. Each has a block of its
 * own, so that what it does before each test is done for its own tests alone.
 */
const files = [
  "unit/life-cycle/changes.test",
  "unit/life-cycle/hooks.test",
  "unit/life-cycle/not-returned.test",
  "unit/life-cycle/partial.test",
  "unit/life-cycle/unanswered.test",
  "unit/life-cycle/warnings.test",
  "unit/life-cycle/wire.test",
  "unit/orphans/match.test",
  "unit/provider/request-match.test",
  "unit/provider/response-schema.test",
  "unit/provider/renewal.test",
  "unit/provider/stamp.test",
  "unit/resources/api-key.test",
  "unit/resources/bot-user.test",
  "unit/resources/cloud-endpoint.test",
  "unit/resources/event-destination.test",
  "unit/resources/event-subscription.test",
  "unit/resources/https-edge-route-oauth.test",
  "unit/resources/https-edge-route-oidc.test",
  "unit/resources/https-edge-route-webhook-verification.test",
  "unit/resources/kubernetes-operator.test",
  "unit/resources/ssh-certificates.test",
  "unit/resources/tcp-edge.test",
  "unit/resources/tls-edge-ip-restriction.test",
  "unit/resources/weighted-backend.test",
  "unit/resources/x509-certificates.test",
  "faults/partial.test",
  "unit/life-cycle/properties.test",
  "faults/lost-creates.test",
  "faults/operations.test",
];

describe.each(files)("%s", (file) => {
  jest.requireActual(`../${file}`);
});

export {};
