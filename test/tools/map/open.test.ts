import { unknownSemantics } from "../../../src/tools/access/semantics";
import type { Semantics } from "../../../src/tools/access/semantics";
import { readPreview } from "../../../src/tools/inventory/read-preview";
import { mapOfPreview } from "../../../src/tools/map/preview-map";
import { renderMermaid } from "../../../src/tools/map/mermaid";
import { renderPage } from "../../../src/tools/map/map-page";
import { previewOf } from "../review/access-preview";
import type { Network } from "../review/access-preview";

const nothing: Network = { policies: [], rules: [], edges: {} };
const now = Date.parse("2026-11-25T12:00:00Z");

/** The network with a policy that also allows this range. */
function allowing(cidr: string): Network {
  const { rules, ...others } = network(["office"], "allow");
  return { ...others, rules: [...rules, { name: "all", policy: "office", action: "allow", cidr }] };
}

function network(edge: readonly string[], ...actions: readonly ("allow" | "deny")[]): Network {
  const rules = actions.map((action, i) => ({
    ...{ name: `rule-${i}`, policy: "office", action, cidr: `203.0.${i}.0/24` },
  }));
  return { policies: ["office"], rules, edges: { database: edge } };
}

const mapOf = (after: Network, semantics = unknownSemantics) =>
  mapOfPreview(readPreview(previewOf(nothing, after)), semantics);

describe("a new edge", () => {
  it.each<[string, Network, Semantics]>([
    ["deny rules alone", network(["office"], "deny"), unknownSemantics],
    ["a policy without rules", network(["office"]), unknownSemantics],
    [
      "deny rules that let all others in",
      network(["office"], "deny"),
      { ...unknownSemantics, unmatched: "allowed" },
    ],
    ["an empty policy that is open", network(["office"]), { ...unknownSemantics, empty: "open" }],
    ["a policy that allows every address", allowing("0.0.0.0/0"), unknownSemantics],
    ["a policy that allows every IPv6 address", allowing("::/0"), unknownSemantics],
  ])("with %s is not green, and neither is the way to it", (_, after, semantics) => {
    const map = mapOf(after, semantics);
    const text = renderMermaid(map);
    expect(text).not.toMatch(/classDef added|stroke:#1a7f37/);
    expect(text).toContain("classDef open");
    expect(renderPage(map, { of: "the preview of network/test", now })).toMatch(
      /<h1>Map of the preview of network\/test: 1 object without a guard<\/h1>/,
    );
  });

  it.each<[string, Network, Semantics]>([
    ["an allow rule", network(["office"], "allow", "deny"), unknownSemantics],
    [
      "deny rules that deny all others",
      network(["office"], "deny"),
      { ...unknownSemantics, unmatched: "denied" },
    ],
    ["an empty policy that is closed", network(["office"]), { ...unknownSemantics, empty: "closed" }],
  ])("with %s is an addition", (_, after, semantics) => {
    const map = mapOf(after, semantics);
    expect(renderMermaid(map)).not.toContain("classDef open");
    expect(renderPage(map, { of: "the preview of network/test", now })).toContain("everything is guarded");
  });
});

it("is red with a red way where an edge that does not change becomes open, and where it was open before", () => {
  const [guarded, open] = [network(["office"], "allow"), allowing("0.0.0.0/0")];
  const change = (before: Network, after: Network) =>
    mapOfPreview(readPreview(previewOf(before, after)), unknownSemantics);
  const textOf = (before: Network, after: Network): string => renderMermaid(change(before, after));
  for (const text of [textOf(guarded, open), textOf(open, open)]) {
    expect(text).toMatch(/n0 ==> n1\n {2}n1 ==> n2\n/);
    expect(text).toContain("class n1,n2 open");
    expect(text).toContain("linkStyle 0,1 stroke:#cf222e");
  }
  expect(textOf(open, guarded)).not.toContain("#cf222e");
  const titles = [open, nothing].map((after) => renderPage(change(open, after), { of: "x", now }));
  expect(titles.map((text) => /<h1>.*: (.*)<\/h1>/.exec(text)![1])).toEqual([
    ...["1 object without a guard", "everything is guarded"],
  ]);
});

it.each([
  [network(["office"], "allow"), unknownSemantics, "all others: not specified"],
  [network(["office"], "allow"), { ...unknownSemantics, unmatched: "denied" } as const, "all others: denied"],
  [
    network(["office"], "allow"),
    { ...unknownSemantics, unmatched: "allowed" } as const,
    "all others: allowed",
  ],
  [network(["office"]), unknownSemantics, "no rules"],
  [network(["office"]), { ...unknownSemantics, empty: "closed" } as const, "no rules: closed"],
])("a policy says what happens to all other addresses", (after, semantics, fact) => {
  const policy = mapOf(after, semantics).nodes.find(({ role }) => role === "policy");
  expect(policy!.facts.at(-1)).toBe(fact);
});

it("a policy whose rules cover every address has no others", () => {
  const all = {
    policies: ["office"],
    rules: [],
    sets: { office: { "0.0.0.0/0": "deny", "::/0": "deny" } as const },
  };
  const { nodes } = mapOf({ ...all, edges: { database: ["office"] } });
  expect(nodes.find(({ role }) => role === "policy")!.facts.join()).not.toContain("all others");
});
