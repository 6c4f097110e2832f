/** What an ordinary change shows: no error, and one warning at most. Who sees more each day stops reading. */
import { secretMask } from "../../../src/tools/stack/mask";
import { unknown } from "../../../src/schema/unknown";
import { makeCertificate } from "../../support/x509";
import { rehearsedReview, urnOf, writtenPreview, type Written } from "./support";

type Values = Readonly<Record<string, unknown>>;

/** A resource that stays as it is, or changes by some values. */
const of = (type: string, name: string, id: string, values: Values, changes?: Values): Written => ({
  ...{ type, name, id, before: values, after: { ...values, ...changes } },
});

const office = (changes?: Values) =>
  of("IpPolicy", "office", "ipp_office", { description: "office" }, changes);
const rule = (cidr: string, name = cidr, changes?: Values): Written =>
  of(
    "IpPolicyRule",
    name,
    `ipr_${name.replace(/\W/g, "")}`,
    { ipPolicyId: "ipp_office", cidr, action: "allow" },
    changes,
  );
const backend = (changes?: Values) =>
  of("TunnelGroupBackend", "app", "bkdtg_app", { labels: { app: "shop" }, description: "shop" }, changes);
const edge = (changes?: Values) =>
  of(
    ...(["TcpEdge", "db", "edgtcp_db"] as const),
    {
      hostports: ["1.tcp.example.com:5001"],
      ipRestriction: { enabled: true, ipPolicyIds: ["ipp_office"] },
      backend: { enabled: true, backendId: "bkdtg_app" },
    },
    changes,
  );
const kept = [office(), rule("203.0.113.0/24"), backend(), edge()];
const { pem } = makeCertificate({ dnsNames: ["shop.example.com"] });
const certificate = { certificatePem: pem, privateKeyPem: secretMask, description: "shop" };
const oidc = {
  ...{ edgeId: "edghts_1", routeId: "edghtsrt_1", issuer: "https://id.example.com", clientId: "shop" },
  clientSecret: secretMask,
};
const set = (...ranges: string[]): Values => ({
  ...{ ipPolicyId: "ipp_office", exclusive: false },
  rules: Object.fromEntries(ranges.map((range) => [range, "allow"])),
});
const made = (
  { type, name, id, before }: Written,
  ...sources: (readonly [string, string, string])[]
): Written => {
  const from = Object.fromEntries(sources.map(([argument, ...source]) => [argument, [urnOf(...source)]]));
  const after = { ...before, ...Object.fromEntries(sources.map(([argument]) => [argument, unknown])) };
  return { type, name, id, after, from };
};

/** The steps of a replacement. */
const replaced = (each: Written): Written[] => [
  { ...each, op: "create-replacement" },
  { ...each, op: "replace", reasons: ["description"] },
  { ...each, op: "delete-replaced", after: undefined },
];

interface Step {
  readonly op: string;
  readonly urn: string;
  readonly newState: object;
}

it.each<[string, Written[], ((step: Step) => object)?]>([
  ["a description", [office({ description: "offices" }), ...kept.slice(1)]],
  ["a new backend", [...kept, made(of("TunnelGroupBackend", "blue", "", { labels: { app: "blue" } }))]],
  ["a narrow range", [...kept, made(rule("198.51.100.7/32"))]],
  [
    "an edge with an existing policy",
    [
      ...kept,
      made({ ...edge(), name: "db2", before: { ...edge().before, hostports: ["2.tcp.example.com:5002"] } }),
    ],
  ],
  [
    "a rotated secret",
    [...kept, { ...of("HttpsEdgeRouteOidc", "staff", "edghts_1/edghtsrt_1", oidc), op: "update" }],
    (step) => (step.op === "update" ? { ...step, diffReasons: ["clientSecret"] } : step),
  ],
  ["metadata", [office({ metadata: "owner: network team" }), ...kept.slice(1)]],
  ["labels", [office(), rule("203.0.113.0/24"), backend({ labels: { app: "shop", version: "2" } }), edge()]],
  [
    "an unused backend that is deleted",
    [
      ...kept,
      { type: "TunnelGroupBackend", name: "old", id: "bkdtg_old", before: { labels: { app: "old" } } },
    ],
  ],
  [
    "a component, with aliases for what moves into it",
    kept,
    (step) => {
      const urn = step.urn.replace("::pulumi-nodejs:", "::shop:index:Shop$pulumi-nodejs:");
      const parent = "urn:pulumi:test::written::shop:index:Shop::shop";
      return { ...step, urn, newState: { ...step.newState, urn, parent, aliases: [step.urn] } };
    },
  ],
  [
    "reordered rules",
    [
      office(),
      of(
        "IpPolicyRuleSet",
        "rules",
        "ipp_office",
        set("203.0.113.0/24", "198.51.100.0/24"),
        set("198.51.100.0/24", "203.0.113.0/24"),
      ),
      backend(),
      edge(),
    ],
  ],
  [
    "the description of a certificate",
    [...kept, ...replaced(of("TlsCertificate", "site", "cert_1", certificate, { description: "the shop" }))],
  ],
  [
    "a new stack",
    [
      made(office()),
      made(rule("203.0.113.0/24"), ["ipPolicyId", "IpPolicy", "office"]),
      made(backend()),
      {
        ...{ type: "TcpEdge", name: "db", id: "edgtcp_db" },
        after: {
          ...edge().before,
          ipRestriction: { enabled: true, ipPolicyIds: [unknown] },
          backend: { enabled: true, backendId: unknown },
        },
        from: { ipRestriction: [urnOf("IpPolicy", "office")], backend: [urnOf("TunnelGroupBackend", "app")] },
      },
    ],
  ],
])("shows no error and at most one warning: %s", async (_, resources, shown = (step) => step) => {
  const preview = JSON.parse(writtenPreview(resources)) as { steps: Step[] };
  const text = JSON.stringify({ ...preview, steps: preview.steps.map(shown) });
  const { findings, skippedRules } = await rehearsedReview(text);
  const said = findings.map(
    ({ severity, rule: code, name, message }) => `${severity} ${code} ${name}: ${message}`,
  );
  expect(said.filter((text) => text.startsWith("error"))).toEqual([]);
  expect(said.filter((text) => text.startsWith("warning")).slice(1)).toEqual([]);
  expect(skippedRules).toEqual([]);
});
