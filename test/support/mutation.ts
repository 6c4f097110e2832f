/**
 * The tests that run for each mutant: those that reach the life cycle and the wire mapping. They are in one file,
 * because jest loads Pulumi's SDK again for each file, which takes longer than all of its tests.
 */
import "../unit/life-cycle/changes.test";
import "../unit/life-cycle/hooks.test";
import "../unit/life-cycle/properties.test";
import "../unit/life-cycle/wire.test";
import "../unit/provider/response-schema.test";
import "../unit/provider/renewal.test";
import "../unit/provider/stamp.test";
import "../unit/resources/api-key.test";
import "../unit/resources/bot-user.test";
import "../unit/resources/cloud-endpoint.test";
import "../unit/resources/event-destination.test";
import "../unit/resources/event-subscription.test";
import "../unit/resources/https-edge-route-oauth.test";
import "../unit/resources/https-edge-route-oidc.test";
import "../unit/resources/kubernetes-operator.test";
import "../unit/resources/ssh-certificates.test";
import "../unit/resources/tcp-edge.test";
import "../unit/resources/weighted-backend.test";
import "../unit/resources/x509-certificates.test";
import "../faults/lost-creates.test";
import "../faults/operations.test";
import "../faults/partial.test";
