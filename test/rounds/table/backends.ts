/** Backends and TCP edges. */
import { record, remove, update } from "../subject";
import type { Subject } from "../subject";
import { described, driftedTexts, texts } from "./texts";

export const backends: Subject[] = [
  {
    name: "group",
    type: "TunnelGroupBackend",
    args: { ...texts, labels: { service: "web", some_Key: "kept" } },
    changes: [
      ...described,
      update("labels", { service: "web2", __proto: "kept" }),
      update("labels", { a: "" }),
    ],
    drift: { ...driftedTexts, labels: { service: "web", some_key: "kept" } },
  },
  {
    name: "response",
    type: "HttpResponseBackend",
    args: { ...texts, body: "first", headers: { "X-One": "1", some_Header: "kept" }, statusCode: 503 },
    changes: [
      ...described,
      update("body", "another"),
      update("headers", { "X-One": "1", "x-two": "" }),
      update("statusCode", 404),
    ],
    drift: { ...driftedTexts, body: "by hand", headers: { "x-one": "2" }, status_code: 500 },
  },
  {
    name: "response-removed",
    type: "HttpResponseBackend",
    args: { body: "first", headers: { "X-One": "1" }, statusCode: 503 },
    changes: [remove("body", { body: "" }), remove("headers", { headers: {} }), record("statusCode")],
    stray: driftedTexts,
  },
  {
    name: "weighted",
    type: "WeightedBackend",
    args: { ...texts, backends: { "@group": 10, bkdhr_out: 90 } },
    changes: [
      ...described,
      update("backends", { "@group": 0, bkdhr_out: 90 }),
      update("backends", { "@group": 10000, "@response": 5 }),
    ],
    drift: { ...driftedTexts, backends: { bkdhr_out: 90 } },
  },
  {
    name: "failover",
    type: "FailoverBackend",
    args: { ...texts, backends: ["@group", "bkdhr_out"] },
    changes: [
      ...described,
      // Their order counts.
      update("backends", ["bkdhr_out", "@group"]),
      update("backends", ["bkdhr_out"]),
    ],
    drift: { ...driftedTexts, backends: ["bkdtg_out", "bkdhr_out"] },
  },
];

export const edges: Subject[] = [
  {
    name: "edge",
    type: "TcpEdge",
    args: {
      ...texts,
      hostports: ["1.tcp.example.com:1", "2.tcp.example.com:2"],
      backend: { enabled: true, backendId: "@group" },
      ipRestriction: { enabled: true, ipPolicyIds: ["@policy", "ipp_one"] },
      trafficPolicy: { enabled: true, value: "first" },
    },
    changes: [
      ...described,
      update("hostports", ["1.tcp.example.com:1"]),
      remove("hostports", { hostports: [] }),
      // A module that is taken out cannot be removed; it is switched off.
      remove("backend", { backend: { enabled: false } }),
      remove("ipRestriction", { ip_restriction: { enabled: false } }),
      remove("trafficPolicy", { traffic_policy: { enabled: false } }),
    ],
    drift: {
      ...driftedTexts,
      hostports: ["3.tcp.example.com:3"],
      backend: { enabled: false, backend_id: "bkdtg_out" },
      ip_restriction: { enabled: false, ip_policy_ids: ["ipp_two"] },
      traffic_policy: { enabled: false, value: "by hand" },
    },
  },
  {
    name: "edge-modules",
    type: "TcpEdge",
    args: {
      backend: { enabled: true, backendId: "@group" },
      ipRestriction: { enabled: true, ipPolicyIds: ["ipp_one"] },
      trafficPolicy: { enabled: true, value: "first" },
    },
    changes: [
      // An included module goes along whole, and the others not at all.
      update("backend.enabled", false),
      update("backend.backendId", "bkdtg_out"),
      update("ipRestriction.enabled", false),
      update("ipRestriction.ipPolicyIds", ["ipp_two", "ipp_one"]),
      update("trafficPolicy.enabled", false),
      update("trafficPolicy.value", "another"),
      remove("backend.backendId", { backend: { enabled: false } }),
      remove("ipRestriction.ipPolicyIds", { ip_restriction: { enabled: false } }),
      remove("trafficPolicy.value", { traffic_policy: { enabled: false } }),
    ],
    stray: { ...driftedTexts, hostports: ["3.tcp.example.com:3"] },
  },
  {
    name: "edge-bare",
    type: "TcpEdge",
    args: {},
    changes: [
      // Modules that the program leaves out are left as they are, until it gives them.
      update("backend", { enabled: false, backendId: "@group" }),
      remove("backend.enabled", { backend: { backend_id: "@group" } }),
      update("ipRestriction", { enabled: false }),
      remove("ipRestriction.enabled", { ip_restriction: {} }),
      update("trafficPolicy", { enabled: false, value: "first" }),
      remove("trafficPolicy.enabled", { traffic_policy: { value: "first" } }),
    ],
    stray: {
      backend: { backend_id: "bkdtg_out" },
      ip_restriction: { ip_policy_ids: ["ipp_two"] },
      traffic_policy: { value: "by hand" },
    },
  },
];
