import { unknown } from "../../../src/schema/unknown";
import { adviceOnArguments } from "../../../src/schema/validate";
import { Life, problems } from "../../support/life";
import { changes, created, refreshed, stateOf, updated } from "./mapping";
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
  expect(adviceOnArguments(kubernetesOperator, { enabledFeatures: ["ingress"], binding })).toEqual([text]);
  expect(adviceOnArguments(kubernetesOperator, { enabledFeatures: [], binding })).toEqual([text]);
  for (const right of [
    { binding },
    { enabledFeatures: ["Bindings"], binding },
    { enabledFeatures: ["ingress"] },
    { enabledFeatures: [unknown], binding },
  ]) {
    expect(adviceOnArguments(kubernetesOperator, right)).toEqual([]);
    expect(problems(kubernetesOperator, right)).toEqual([]);
  }
});

test("the request is kept, as no answer holds it", async () => {
  expect(await created(kubernetesOperator, args)).toMatchObject({
    deployment: answer.deployment,
    binding: { endpoint_selectors: ["a == 'b'"], csr: "request" },
  });
  const state = await refreshed(kubernetesOperator, await stateOf(kubernetesOperator, args, answer), answer);
  expect(state.binding).toEqual(args.binding);
  expect(await changes(kubernetesOperator, state, args)).toEqual([]);
});

test("the certificate is an output of its own, and null in the state while it is empty", async () => {
  expect((await stateOf(kubernetesOperator, args, answer)).bindingCert).toBeNull();
  const cert = { cert: "PEM", not_before: "2030-01-01T00:00:00Z", not_after: "2031-01-01T00:00:00Z" };
  const state = await stateOf(kubernetesOperator, args, { ...answer, binding: { ...answer.binding, cert } });
  expect(state.bindingCert).toEqual({ cert: "PEM", notBefore: cert.not_before, notAfter: cert.not_after });
});

test("a binding that the service always holds is no difference to a program without one", async () => {
  const state = await stateOf(kubernetesOperator, {}, answer);
  expect(await changes(kubernetesOperator, state, {})).toEqual([]);
});

test("namespace and cluster name replace, and name and version go together", async () => {
  const state = await stateOf(kubernetesOperator, args, answer);
  const moved = { ...deployment, namespace: "other", clusterName: "d" };
  expect(await changes(kubernetesOperator, state, { ...args, deployment: moved })).toEqual([
    "deployment.namespace!",
    "deployment.clusterName!",
  ]);
  const upgraded = { ...args, deployment: { ...deployment, version: "2" } };
  const second = { ...answer.deployment, version: "2" };
  const life = new Life(kubernetesOperator, () => ({ ...answer, deployment: second }));
  await life.update(state, upgraded);
  expect(life.sent).toEqual([{ verb: "update", body: { deployment: { name: "op", version: "2" } } }]);
});

test("the request is sent again only when it changed", async () => {
  const state = await stateOf(kubernetesOperator, args, answer);
  const selected = { ...args, binding: { ...args.binding, endpointSelectors: ["true"] } };
  expect(await updated(kubernetesOperator, state, selected)).toEqual({
    binding: { endpoint_selectors: ["true"] },
  });
  const renewed = { ...args, binding: { ...args.binding, csr: "another" } };
  expect(await updated(kubernetesOperator, state, renewed)).toEqual({
    binding: { endpoint_selectors: ["a == 'b'"], csr: "another" },
  });
});

test("taking the request out sends nothing, and taking all out sends the defaults", async () => {
  const state = await stateOf(kubernetesOperator, { ...args, region: "eu" }, { ...answer, region: "eu" });
  const without = { ...args, region: "eu", binding: { endpointSelectors: ["a == 'b'"] } };
  expect(await updated(kubernetesOperator, state, without)).toEqual({});
  expect(await updated(kubernetesOperator, state, { deployment })).toEqual({
    enabled_features: [],
    region: "global",
    binding: { endpoint_selectors: [] },
  });
});

test.each([[["ingress", "bindings"]], [["Bindings", "Ingress"]]])(
  "the features %j may be written and answered in any case",
  async (written) => {
    const given = { ...args, enabledFeatures: written };
    expect(problems(kubernetesOperator, { enabledFeatures: written })).toEqual([]);
    for (const answered of [
      ["ingress", "bindings"],
      ["Ingress", "BINDINGS"],
    ]) {
      const state = await stateOf(kubernetesOperator, given, { ...answer, enabled_features: answered });
      expect(state.enabledFeatures).toEqual(written);
      expect(await changes(kubernetesOperator, state, given)).toEqual([]);
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
