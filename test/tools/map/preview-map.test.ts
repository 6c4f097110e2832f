import fc from "../../support/fast-check";
import { mapOfChanges, mapOfPreview } from "../../../src/tools/map/preview-map";
import { previewOf } from "../review/access-preview";
import { previewText } from "../review/support";
import { inShort } from "./support";
import { readPreview } from "../../support/recorded";

const mapOf = (name: string): ReturnType<typeof inShort> =>
  inShort(mapOfPreview(readPreview(previewText(name))));
const changesOf = (name: string): ReturnType<typeof inShort> =>
  inShort(mapOfChanges(readPreview(previewText(name))));

describe("the map of what changes", () => {
  it("keeps the arrow from the clients to a policy that stays, because an edge beside it changes", () => {
    const { edges } = changesOf("new-policy");
    expect(edges).toEqual(expect.arrayContaining(["office → db", "Clients → office"]));
  });
});

describe("a policy whose ranges are others, but as many and as large", () => {
  const rules = (net: number) => ({
    office: { [`203.0.${net}.0/24`]: "allow", [`198.51.${net}.0/24`]: "allow" } as const,
  });
  const network = { policies: ["office"], rules: [], edges: { database: ["office"] } };

  it("has changed", () => {
    const text = previewOf({ ...network, sets: rules(112) }, { ...network, sets: rules(113) });
    expect(inShort(mapOfChanges(readPreview(text))).nodes).toContain(
      "IP policy office [changed]: allows 2 ranges (512 addresses) | all others: not specified | other ranges than before",
    );
  });

  it("has not, where one range is written as its halves", () => {
    const halves = { office: { "203.0.112.0/25": "allow", "203.0.112.128/25": "allow" } } as const;
    const whole = { office: { "203.0.112.0/24": "allow" } } as const;
    const text = previewOf({ ...network, sets: halves }, { ...network, sets: whole });
    expect(JSON.stringify(inShort(mapOfPreview(readPreview(text))))).not.toContain("other ranges");
  });
});

it("says in plain words that a guard is switched off, and that it is on again", () => {
  const rules = [{ name: "lan", policy: "office", action: "allow", cidr: "203.0.113.0/24" }] as const;
  const on = { policies: ["office"], rules, edges: { database: ["office"] } };
  const off = { ...on, off: ["database"] };
  const edges = (...change: Parameters<typeof previewOf>): string[] =>
    inShort(mapOfPreview(readPreview(previewOf(...change)))).edges;
  expect(edges(on, off)).toEqual([
    "Clients → office [off] [changed]",
    "Clients → database (IP restriction off) [open] [added]",
    "office → database (guard: off) [off] [changed]",
  ]);
  expect(edges(off, on)).toContain("office → database (guard: on) [changed]");
});

describe("the map of a preview", () => {
  it("marks what is added, changed and removed, and says what a policy allowed before", () => {
    expect(mapOf("pull-request")).toEqual({
      nodes: [
        "Clients",
        "IP policy office [changed]: allows 2 ranges (256 addresses) | all others: not specified | was: allows 203.0.113.0/24 (256 addresses) | was: denies 203.0.113.128/25 (128 addresses)",
        "IP restriction module admin-console [removed]",
        "OIDC module staff [changed]: https://id.example.com",
        "HTTPS edge route edghts_1/edghtsrt_1",
        "TCP edge database: 1.tcp.example.com:5432 | no backend",
        "TLS edge edgtls_1",
      ],
      edges: [
        "Clients → office",
        "Clients → staff",
        "office → admin-console [removed]",
        "office → database",
        "admin-console → edgtls_1 [removed]",
        "staff → edghts_1/edghtsrt_1",
      ],
    });
  });

  it("shows the weights and the order of backends, and how they change", () => {
    expect(mapOf("gates-backends-emptied")).toEqual({
      nodes: [
        "Clients",
        "OAuth module partners: search vendor",
        "OIDC module staff: https://id.example.com",
        "Cloud endpoint api: https://api.internal | with a traffic policy",
        "HTTPS edge route edghts_1/edghtsrt_1",
        "HTTPS edge route edghts_1/edghtsrt_2",
        "TCP edge database: 1.tcp.example.com:5432 | with a traffic policy | no backend",
        "Failover backend failover [changed]: no backend",
        "HTTP response backend spare: status code 200",
        "Tunnel group backend web: app=web",
        "Weighted backend weighted [changed]",
      ],
      edges: [
        "Clients → partners",
        "Clients → staff",
        "Clients → api (internal)",
        "Clients → database (no IP restriction) [open]",
        "partners → edghts_1/edghtsrt_2",
        "staff → edghts_1/edghtsrt_1",
        "failover → spare (2nd) [removed]",
        "failover → web (1st) [removed]",
        "weighted → spare (weight 0) [off]",
        "weighted → web (weight 100 → weight 0) [off] [changed]",
      ],
    });
  });

  it("shows a policy that the deployment deletes and an edge still names as missing", () => {
    expect(mapOf("policy-deleted-in-use")).toEqual({
      nodes: [
        "Clients",
        "IP policy ipp_7RPZsBjO05PAmEf4XTWlAwM6N1N [missing]",
        "IP policy office [removed]: allows 203.0.113.0/24 (256 addresses) | denies 203.0.113.128/25 (128 addresses) | all others: not specified",
        "IP restriction module tls",
        "Cloud endpoint api: https://api.example.com | with a traffic policy",
        "TCP edge db: 1.tcp.example.com:5432",
        "TLS edge edgtls_1",
        "Tunnel group backend web: app=web",
      ],
      edges: [
        "Clients → ipp_7RPZsBjO05PAmEf4XTWlAwM6N1N [added]",
        "Clients → office [removed]",
        "Clients → api (traffic policy without rules) [open]",
        "ipp_7RPZsBjO05PAmEf4XTWlAwM6N1N → tls [added]",
        "ipp_7RPZsBjO05PAmEf4XTWlAwM6N1N → db [added]",
        "office → tls [removed]",
        "office → db [removed]",
        "tls → edgtls_1",
        "db → web",
      ],
    });
  });

  it("shows a policy that is not part of the program as outside of it", () => {
    expect(mapOf("access-policy-outside")).toEqual({
      nodes: [
        "Clients",
        "IP policy ipp_outside [outside]",
        "IP policy locked: denies 0.0.0.0/0 (4,294,967,296 addresses) | all others: not specified",
        "IP policy office: allows 2 ranges (256 IPv4 and 2^80 IPv6 addresses) | all others: not specified",
        "IP policy staff: allows 2 ranges (128 IPv4 and 2^96 IPv6 addresses) | denies 192.0.2.7/32 (1 address) | all others: not specified",
        "IP policy vpn: allows 198.51.0.0/16 (65,536 addresses) | all others: not specified",
        "TCP edge admin: 1.tcp.example.com:22 | no backend",
        "TCP edge database [changed]: 1.tcp.example.com:5432 | no backend",
        "TCP edge plain: 1.tcp.example.com:80 | no backend",
        "TCP edge shop: 1.tcp.example.com:443 | no backend",
      ],
      edges: [
        "Clients → ipp_outside [added]",
        "Clients → locked [open]",
        "Clients → office",
        "Clients → staff",
        "Clients → plain (no IP restriction) [open]",
        "ipp_outside → database [added]",
        "locked → admin [open]",
        "office → database",
        "staff → shop",
      ],
    });
  });

  it("shows new objects with their references to each other", () => {
    expect(mapOf("new-policy")).toEqual({
      nodes: [
        "Clients",
        "IP policy home [added]: allows 198.51.100.0/24 (256 addresses) | all others: not specified",
        "IP policy office: allows 203.0.113.0/24 (256 addresses) | denies 203.0.113.128/25 (128 addresses) | all others: not specified",
        "IP policy used [added]: allows 198.51.100.0/25 (128 addresses) | all others: not specified",
        "IP restriction module tls",
        "Cloud endpoint api: https://api.example.com | with a traffic policy",
        "TCP edge db [changed]: 1.tcp.example.com:5432",
        "TLS edge edgtls_1",
        "Tunnel group backend web: app=web",
      ],
      edges: [
        "Clients → office",
        "Clients → used [added]",
        "Clients → api (traffic policy without rules) [open]",
        "office → tls",
        "office → db",
        "used → db [added]",
        "tls → edgtls_1",
        "db → web",
      ],
    });
  });

  it("does not depend on the order of the resources in the preview", () => {
    for (const name of ["pull-request", "gates-backends-emptied", "new-policy"]) {
      const { steps, ...rest } = JSON.parse(previewText(name)) as { steps: object[] };
      const mapOf = (all: readonly object[]): string =>
        JSON.stringify(mapOfPreview(readPreview(JSON.stringify({ ...rest, steps: all }))));
      const expected = mapOf(steps);
      fc.assert(
        fc.property(fc.shuffledSubarray(steps, { minLength: steps.length }), (shuffled) => {
          expect(mapOf(shuffled)).toBe(expected);
        }),
        { numRuns: 20 },
      );
    }
  });
});

describe("the map of what changes", () => {
  it("shows what changes and its neighbours, without the rest", () => {
    expect(changesOf("gates-backends-emptied")).toEqual({
      nodes: [
        "Failover backend failover [changed]: no backend",
        "HTTP response backend spare: status code 200",
        "Tunnel group backend web: app=web",
        "Weighted backend weighted [changed]",
      ],
      edges: [
        "failover → spare (2nd) [removed]",
        "failover → web (1st) [removed]",
        "weighted → spare (weight 0) [off]",
        "weighted → web (weight 100 → weight 0) [off] [changed]",
      ],
    });
  });

  it("is empty where nothing changes", () => {
    expect(changesOf("nothing-changed")).toEqual({ nodes: [], edges: [] });
  });
});
