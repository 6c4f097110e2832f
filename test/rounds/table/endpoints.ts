/** Kubernetes operators and cloud endpoints. */
import { drop, record, remove, replace, update } from "../subject";
import type { Subject } from "../subject";
import { request } from "../values";
import { described, driftedTexts, texts } from "./texts";

const sendable = { deployment: ["name", "version"], binding: ["endpointSelectors", "ingressEndpoint"] };
const deployment = { name: "op", namespace: "one", version: "1", clusterName: "one" };
const binding = { endpointSelectors: ["true"], csr: request(), ingressEndpoint: "one.example.com" };
const newRequest = request();

export const operators: Subject[] = [
  {
    name: "operator",
    type: "KubernetesOperator",
    args: { ...texts, enabledFeatures: ["bindings", "ingress"], region: "eu", deployment, binding },
    changes: [
      ...described,
      update("enabledFeatures", ["gateway"]),
      remove("enabledFeatures", { enabled_features: [] }),
      update("region", "us"),
      remove("region", { region: "global" }),
      remove("binding", { binding: { endpoint_selectors: [], ingress_endpoint: "" } }),
    ],
    sendable,
    drift: {
      ...driftedTexts,
      enabled_features: ["gateway"],
      region: "ap",
      deployment: { name: "by-hand", version: "9" },
      binding: { endpoint_selectors: ["false"], ingress_endpoint: "by-hand.example.com" },
    },
    exchanged: {
      ...texts,
      enabled_features: ["bindings", "ingress"],
      region: "eu",
      deployment: { name: "op", namespace: "other", version: "1", cluster_name: "other" },
      binding: { endpoint_selectors: ["true"], ingress_endpoint: "one.example.com" },
    },
  },
  {
    name: "operator-deployment",
    type: "KubernetesOperator",
    args: { deployment },
    changes: [
      update("deployment.name", "another"),
      update("deployment.version", "2"),
      replace({ "deployment.namespace": "another" }),
      replace({ "deployment.clusterName": "another" }),
      remove("deployment.name", { deployment: { name: "", version: "2" } }),
      remove("deployment.version", { deployment: { version: "" } }),
      drop("deployment.namespace"),
      drop("deployment.clusterName"),
      record("deployment"),
    ],
    sendable,
    stray: { ...driftedTexts, region: "ap", binding: { ingress_endpoint: "by-hand.example.com" } },
  },
  {
    name: "operator-binding",
    type: "KubernetesOperator",
    args: { binding },
    changes: [
      update("binding.endpointSelectors", ["endpoint.type == 'cloud'"]),
      // The request goes along only where it changed itself.
      update("binding.csr", newRequest, {
        binding: {
          endpoint_selectors: ["endpoint.type == 'cloud'"],
          csr: newRequest,
          ingress_endpoint: "one.example.com",
        },
      }),
      update("binding.ingressEndpoint", "two.example.com"),
      record("binding.csr"),
      remove("binding.endpointSelectors", {
        binding: { endpoint_selectors: [], ingress_endpoint: "two.example.com" },
      }),
      remove("binding.ingressEndpoint", { binding: { ingress_endpoint: "" } }),
    ],
    sendable,
  },
];

export const endpoints: Subject[] = [
  {
    name: "endpoint",
    type: "CloudEndpoint",
    args: {
      ...texts,
      url: "https://one.example.com",
      type: "cloud",
      trafficPolicy: "first\n",
      bindings: ["public"],
      poolingEnabled: false,
    },
    changes: [
      ...described,
      update("url", "https://two.example.com"),
      replace({ url: "tls://two.example.com" }),
      update("trafficPolicy", "another "),
      update("bindings", ["public", "internal"]),
      update("poolingEnabled", true),
    ],
    drift: {
      ...driftedTexts,
      url: "https://by-hand.example.com",
      traffic_policy: "by hand",
      bindings: [],
      pooling_enabled: true,
    },
    exchanged: {
      ...texts,
      url: "http://one.example.com",
      traffic_policy: "first\n",
      bindings: ["public"],
      pooling_enabled: false,
    },
  },
  {
    name: "endpoint-removed",
    type: "CloudEndpoint",
    args: {
      url: "tcp://1.tcp.example.com:1",
      type: "cloud",
      trafficPolicy: "first",
      bindings: ["public"],
      poolingEnabled: true,
    },
    changes: [
      record("type"),
      remove("trafficPolicy", { traffic_policy: "" }),
      remove("bindings", { bindings: [] }),
      record("poolingEnabled"),
    ],
    stray: driftedTexts,
  },
];
