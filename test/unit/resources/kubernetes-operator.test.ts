import { unknown } from "../../../src/schema/unknown";
import { advice } from "../../support/life";
import { changes, created, problems, refreshed, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const kubernetesOperator = declarationOf("KubernetesOperator");

const deployment = { name: "op", namespace: "ns", version: "1", clusterName: "c" };
const args = {
  enabledFeatures: ["ingress", "bindings"],
  deployment,
  binding: { endpointSelectors: ["a == 'b'"], csr: "request" },
};
const noCert = { cert: "", not_before: "0001-01-01T00:00:00Z", not_after: "0001-01-01T00:00:00Z" };
const answer = {
  id: "op",
  enabled_features: ["bindings", "ingress"],
  region: "global",
  deployment: { name: "op", namespace: "ns", version: "1", cluster_name: "c" },
  binding: { endpoint_selectors: ["a == 'b'"], ingress_endpoint: "", cert: noCert },
};

test("a binding without its feature is a warning, and none where the features are the service's", () => {
  const text = 'binding: has no effect, because enabledFeatures does not hold "bindings"';
  const binding = { endpointSelectors: ["true"] };
  expect(advice(kubernetesOperator, { enabledFeatures: ["ingress"], binding })).toEqual([text]);
  expect(advice(kubernetesOperator, { enabledFeatures: [], binding })).toEqual([text]);
  for (const right of [
    { binding },
    { enabledFeatures: ["Bindings"], binding },
    { enabledFeatures: ["ingress"] },
    { enabledFeatures: [unknown], binding },
  ]) {
    expect(advice(kubernetesOperator, right)).toEqual([]);
    expect(problems(kubernetesOperator, right)).toEqual([]);
  }
});

test("the request is kept, as no answer holds it", () => {
  expect(created(kubernetesOperator, args)).toMatchObject({
    deployment: answer.deployment,
    binding: { endpoint_selectors: ["a == 'b'"], csr: "request" },
  });
  const state = refreshed(kubernetesOperator, stateOf(kubernetesOperator, args, answer), answer);
  expect(state.binding).toEqual(args.binding);
  expect(changes(kubernetesOperator, state, args)).toEqual([]);
});

test("the certificate is an output of its own, and undefined while its dates are zero", () => {
  expect(stateOf(kubernetesOperator, args, answer).bindingCert).toBeUndefined();
  const cert = { cert: "PEM", not_before: "2030-01-01T00:00:00Z", not_after: "2031-01-01T00:00:00Z" };
  const state = stateOf(kubernetesOperator, args, { ...answer, binding: { ...answer.binding, cert } });
  expect(state.bindingCert).toEqual({ cert: "PEM", notBefore: cert.not_before, notAfter: cert.not_after });
});

test("a binding that the service always holds is no difference to a program without one", () => {
  const state = stateOf(kubernetesOperator, {}, answer);
  expect(changes(kubernetesOperator, state, {})).toEqual([]);
});

test("namespace and cluster name replace, and name and version go together", () => {
  const state = stateOf(kubernetesOperator, args, answer);
  const moved = { ...deployment, namespace: "other", clusterName: "d" };
  expect(changes(kubernetesOperator, state, { ...args, deployment: moved })).toEqual([
    "deployment.namespace!",
    "deployment.clusterName!",
  ]);
  const upgraded = { ...args, deployment: { ...deployment, version: "2" } };
  expect(updated(kubernetesOperator, state, upgraded)).toEqual({ deployment: { name: "op", version: "2" } });
});

test("the request is sent again only when it changed", () => {
  const state = stateOf(kubernetesOperator, args, answer);
  const selected = { ...args, binding: { ...args.binding, endpointSelectors: ["true"] } };
  expect(updated(kubernetesOperator, state, selected)).toEqual({ binding: { endpoint_selectors: ["true"] } });
  const renewed = { ...args, binding: { ...args.binding, csr: "another" } };
  expect(updated(kubernetesOperator, state, renewed)).toEqual({
    binding: { endpoint_selectors: ["a == 'b'"], csr: "another" },
  });
});

test("taking the request out sends nothing, and taking all out sends the defaults", () => {
  const state = stateOf(kubernetesOperator, { ...args, region: "eu" }, { ...answer, region: "eu" });
  const without = { ...args, region: "eu", binding: { endpointSelectors: ["a == 'b'"] } };
  expect(updated(kubernetesOperator, state, without)).toEqual({});
  expect(updated(kubernetesOperator, state, { deployment })).toEqual({
    enabled_features: [],
    region: "global",
    binding: { endpoint_selectors: [] },
  });
});

test.each([[["ingress", "bindings"]], [["Bindings", "Ingress"]]])(
  "the features %j may be written and answered in any case",
  (written) => {
    const given = { ...args, enabledFeatures: written };
    expect(problems(kubernetesOperator, { enabledFeatures: written })).toEqual([]);
    for (const answered of [
      ["ingress", "bindings"],
      ["Ingress", "BINDINGS"],
    ]) {
      const state = stateOf(kubernetesOperator, given, { ...answer, enabled_features: answered });
      expect(state.enabledFeatures).toEqual(written);
      expect(changes(kubernetesOperator, state, given)).toEqual([]);
    }
  },
);

test("wrong features, selectors and requests are found, and no request is shown", () => {
  const found = problems(kubernetesOperator, {
    enabledFeatures: ["ingress", "Binding"],
    binding: { endpointSelectors: ["a ==", "true"], csr: "-----BEGIN PRIVATE KEY-----hush" },
  });
  expect(found).toEqual([
    expect.stringMatching(/^enabledFeatures\[1\]: must be "bindings" or "ingress" or "gateway"/),
    expect.stringMatching(/^binding\.endpointSelectors\[0\]: must be a CEL expression/),
    expect.stringMatching(/^binding\.csr: must be a certificate request; it is a private key$/),
  ]);
  expect(found.join()).not.toContain("hush");
});
