/** Programs that somebody wrote to get past the gate. docs/security.md lists them. */
import { unknown } from "../../../src/schema/unknown";
import type { Finding } from "../../../src/tools/output/finding";
import { markdown } from "../../../src/tools/review/output/forms";
import { silencer } from "../../../src/tools/review/silence";
import { readPreview } from "../../../src/tools/inventory/read-preview";
import { reviewText, saidOf, tcpEdge, urnOf, writtenPreview, type Written } from "./support";

const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
const inputs = { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" };
const lan: Written = { type: "IpPolicyRule", name: "lan", id: "ipr_lan", before: inputs, after: inputs };
const restricted = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };
const db = "1.tcp.example.com:5001";
const game = "2.tcp.example.com:5002";

/** The errors about these resources. */
function errorsOf(...resources: Written[]): string[] {
  return saidOf([policy, lan, ...resources]).filter((text) => text.startsWith("error"));
}

describe("an address that moves to what restricts nobody already", () => {
  const open = "restricts nobody already is an error, although the same was found of that resource before";

  it(`of an edge to another edge ${open}`, () => {
    const moved = errorsOf(
      tcpEdge("db", { hostports: [db], ...restricted }, undefined),
      tcpEdge("game", { hostports: [game] }, { hostports: [game, db] }),
    );
    expect(moved).toEqual([
      "error access/unguarded TcpEdge game: it has no IP restriction, so nothing restricts who gets in",
    ]);
  });

  it(`of an edge that swaps its object with another one through aliases, and ${open}`, () => {
    const swapped = errorsOf(
      tcpEdge("db", { hostports: [game] }, { hostports: [db] }),
      tcpEdge("game", { hostports: [db], ...restricted }, { hostports: [game], ...restricted }),
    );
    expect(swapped).toEqual([
      "error access/unguarded TcpEdge db: it has no IP restriction, so nothing restricts who gets in",
    ]);
  });

  it("is one where the address is known only after the deployment", () => {
    expect(errorsOf(tcpEdge("game", { hostports: [game] }, { hostports: [game, unknown] }))).toHaveLength(1);
  });

  it(`of an endpoint to another endpoint ${open}`, () => {
    const endpoint = (name: string, url: readonly string[], trafficPolicy: string): Written => ({
      ...{ type: "CloudEndpoint", name, id: `ep_${name}` },
      before: { url: `https://${url[0]}.example.com`, trafficPolicy },
      after: { url: `https://${url[1]}.example.com`, trafficPolicy },
    });
    const guarded = JSON.stringify({ on_http_request: [{ actions: [{ type: "restrict-ips" }] }] });
    const moved = errorsOf(endpoint("api", ["api", "old"], guarded), endpoint("blog", ["blog", "api"], "{}"));
    expect(moved).toEqual([
      "error access/unguarded CloudEndpoint blog: its traffic policy has no rules, so nothing restricts who gets in",
    ]);
  });

  it("is none where the resource serves no other address", () => {
    expect(errorsOf(tcpEdge("game", { hostports: [game, db] }, { hostports: [game] }))).toEqual([]);
  });
});

it("reports a module that only an interrupted replacement has left, and that the next deployment deletes", () => {
  const module = { edgeId: "edgtls_1", ipPolicyIds: ["ipp_office"] };
  const left: Written = {
    type: "TlsEdgeIpRestriction",
    name: "admin",
    op: "delete-replaced",
    before: module,
  };
  expect(errorsOf(left)).toEqual([
    "error access/module-deleted TlsEdgeIpRestriction admin: IP restriction of edgtls_1 is deleted",
  ]);
});

it("does not take what an interrupted replacement has left for the resource itself", () => {
  const all = { ...inputs, cidr: "0.0.0.0/0" };
  const left: Written = { ...lan, op: "delete-replaced", before: all, after: undefined };
  const next: Written = { ...lan, after: all };
  for (const steps of [
    [left, next],
    [next, left],
  ])
    expect(saidOf([policy, ...steps])).toContainEqual(
      expect.stringMatching(/^error access\/open-cidr IpPolicyRule lan/),
    );
});

it("silences no resource of another type whose name is the type and name of the silenced one", () => {
  const silenceOf = silencer([{ rule: "access/*", resource: "TcpEdge game", reason: "A public game." }]);
  const finding = (type: string, name: string): Finding => ({
    ...{ rule: "access/open-cidr", severity: "error", message: "it is open", place: undefined },
    ...{ urn: urnOf(type, name), type, name },
  });
  expect(silenceOf(finding("TcpEdge", "game"))).toBeDefined();
  expect(silenceOf(finding("IpPolicyRule", "TcpEdge game"))).toBeUndefined();
});

it("reports a new endpoint whose traffic policy only seems to deny", () => {
  const endpoint = (rule: object): Written => ({
    ...{ type: "CloudEndpoint", name: "api", id: "ep_api" },
    after: { url: "https://api.example.com", trafficPolicy: JSON.stringify({ on_http_request: [rule] }) },
  });
  const only = { type: "log", config: { type: "deny", actions: [{ type: "deny" }] } };
  for (const rule of [{ actions: [only] }, { enabled: false, actions: [{ type: "deny" }] }])
    expect(errorsOf(endpoint(rule))).toEqual([
      expect.stringMatching(/^error access\/unguarded CloudEndpoint api: its traffic policy has no /),
    ]);
});

describe("a preview with --target or --exclude", () => {
  // The engine shows a create that it skips as an unchanged resource without an id, on both sides.
  const skipped = (type: string, name: string): object => {
    const state = {
      type: `pulumi-nodejs:dynamic/tunnel-gateway:${type}`,
      custom: true,
      inputs: {},
      outputs: {},
    };
    return { op: "same", urn: urnOf(type, name), oldState: state, newState: state };
  };
  const place = "edghts_1/edghtsrt_1";
  const module = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
  const oidc: Written = {
    ...{ type: "HttpsEdgeRouteOidc", name: "sign-in", id: place },
    before: { ...module, issuer: "https://id.example.com", clientId: "a", clientSecret: "[secret]" },
  };
  const preview = (): string => {
    const written = JSON.parse(writtenPreview([oidc])) as { steps: object[] };
    return JSON.stringify({ ...written, steps: [...written.steps, skipped("HttpsEdgeRouteOauth", "new")] });
  };

  it("counts nothing that it does not create: an error names it, and what else guards the place counts alone", () => {
    // The engine counts what it skips as unchanged.
    const { findings, skippedRules } = reviewText(
      preview().replace('"changeSummary":{}', '"changeSummary":{"same":1}'),
    );
    expect(skippedRules).toEqual([]);
    const errors = findings.filter(({ severity }) => severity === "error");
    expect(errors.map(({ rule, type, name, message }) => `${rule} ${type} ${name}: ${message}`)).toEqual([
      expect.stringMatching(/^access\/identity .*HttpsEdgeRouteOauth new: the preview does not create it/),
      "access/module-deleted HttpsEdgeRouteOidc sign-in: sign-in by OIDC of edghts_1/edghtsrt_1 is deleted",
    ]);
  });

  it("counts only the steps that it shows", () => {
    const { changes } = readPreview(preview());
    expect(changes.map(({ urn }) => urn)).toEqual([urnOf("HttpsEdgeRouteOidc", "sign-in")]);
  });
});

it("keeps the cells of a table whatever backslashes, pipes and backticks names have", () => {
  const names = ["a\\\\|b", "a\\|b", "|", "\\", "`|`", "x`\\| note | all is well |"];
  const rules = names.map((name): Written => ({
    ...{ type: "IpPolicyRule", name },
    after: { ...inputs, cidr: "0.0.0.0/0", description: name },
  }));
  const edges = names.map((name, i) =>
    tcpEdge(name, undefined, { hostports: [`${i}.tcp.example.com:500${i}`] }),
  );
  const page = markdown(reviewText(writtenPreview([policy, ...rules, ...edges])));
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  expect(rows.length).toBeGreaterThan(2 * names.length);
  // GitHub and GitLab end a cell at each pipe that no backslash precedes, in code too.
  for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
});
