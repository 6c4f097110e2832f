import fc from "../../support/fast-check";
import { renderMermaid } from "../../../src/tools/map/mermaid";
import type { MapEdge, MapNode } from "../../../src/tools/map/model";
import { edge, node } from "./support";
import { codePoint } from "../../support/any-text";

const hostile = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 80 }),
  fc.constantFrom(
    ...[
      "end",
      "click n0 call alert(1)",
      "%%{init: {}}%%",
      '"]; click n0 "javascript:alert(1)"',
      "`a`",
      "1. a",
    ],
    ...[
      "<img src=x onerror=alert(1)>",
      "a\nclick n0 b",
      "graph TD",
      "subgraph x",
      "#quot;",
      "$$x$$",
      "style a:#fff;",
      "a\\nb",
      "\u001b[31m",
    ],
  ),
);

describe("the Mermaid text", () => {
  it("names every object with its facts, and gives each change and remark its style", () => {
    const text = renderMermaid({
      nodes: [
        node({ key: "clients", role: "clients", kind: "Clients", name: "" }),
        node({ key: "a", role: "policy", kind: "IP policy", change: "replaced", facts: ["no rules"] }),
        node({ key: "b", role: "entry", kind: "TCP edge", change: "added" }),
        node({ key: "c", role: "backend", kind: "Backend", name: "", presence: "unknown" }),
        node({ key: "d", role: "backend", kind: "Weighted backend", presence: "missing" }),
        node({ key: "e", role: "agents", kind: "Agents online", count: 1200, name: "" }),
      ],
      edges: [
        edge("clients", "a", { passage: "off", label: "disabled" }),
        edge("clients", "b", { passage: "open", label: "no IP restriction" }),
        edge("a", "b", { change: "added" }),
        edge("b", "c", { change: "changed", label: "weight 1 → weight 2" }),
        edge("b", "d", { change: "removed" }),
        edge("d", "e", { count: 1200 }),
      ],
    });
    expect(text).toBe(`flowchart LR
  n0(["Clients"])
  n1[["IP policy: replaced<br/>a<br/>no rules"]]
  n2["TCP edge: added<br/>b"]
  n3("Backend<br/>known after the deployment")
  n4("Weighted backend<br/>d<br/>does not exist")
  n5(["Agents online × 1,200"])
  n0 -.->|"disabled"| n1
  n0 ==>|"no IP restriction"| n2
  n1 --> n2
  n2 -->|"weight 1 → weight 2"| n3
  n2 -->|"removed"| n4
  n4 -->|"× 1,200"| n5
  classDef added fill:#dafbe1,stroke:#1a7f37,stroke-width:2px,color:#1f2328
  class n2 added
  classDef changed fill:#fff8c5,stroke:#9a6700,stroke-width:2px,color:#1f2328
  class n1 changed
  classDef missing fill:#ffebe9,stroke:#cf222e,stroke-dasharray:2 3,color:#1f2328
  class n4 missing
  classDef unknown fill:#f6f8fa,stroke:#59636e,stroke-dasharray:5 4,color:#1f2328
  class n3 unknown
  linkStyle 2 stroke:#1a7f37,stroke-width:2px
  linkStyle 3 stroke:#9a6700,stroke-width:2px
  linkStyle 1 stroke:#cf222e
  linkStyle 4 stroke:#59636e,stroke-width:2px,stroke-dasharray:6 4
`);
  });

  it("contains no text of the account outside of quotes, and none that Mermaid reads as more than text", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (name, fact, label) => {
        const nodes = [
          node({ key: "a", role: "entry", kind: "TCP edge", name, facts: [fact] }),
          node({ key: "b", role: "backend", kind: "Backend", name: fact }),
        ];
        const lines = renderMermaid({ nodes, edges: [edge("a", "b", { label })] }).split("\n");
        expect(lines).toHaveLength(5);
        const harmless = /^(?:[\p{L}\p{N} .,/=()…×→:_-]|#\d+;|<br\/>)*$/u;
        const shape = [/^ {2}n0\["(.*)"\]$/u, /^ {2}n1\("(.*)"\)$/u, /^ {2}n0 -->(?:\|"(.*)"\|)? n1$/u];
        shape.forEach((pattern, index) => {
          const match = pattern.exec(lines[index + 1]!);
          expect(match).not.toBeNull();
          expect(match![1] ?? "").toMatch(harmless);
          expect(match![1] ?? "").not.toMatch(
            /style|:\/|www\.|(?:^|<br\/>)(?:[^\p{L}\p{N}#×]|\d+[.)](?: |$|<))/iu,
          );
        });
      }),
    );
  });

  it("stays below the limits of Mermaid with 2,000 objects of any texts, and counts them all", () => {
    const long = "x<".repeat(200);
    const services = Array.from({ length: 1000 }, (_, i): [MapNode[], MapEdge] => [
      [
        node({ key: `e${i}`, role: "entry", kind: "TCP edge", name: `${i}${long}`, facts: [long, long] }),
        node({ key: `b${i}`, role: "backend", kind: "Tunnel group backend", name: `${i}${long}` }),
      ],
      edge(`e${i}`, `b${i}`, { label: long }),
    ]);
    const text = renderMermaid({
      nodes: services.flatMap(([nodes]) => nodes),
      edges: services.map(([, each]) => each),
    });
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(text.match(/-->/g)!.length).toBeLessThanOrEqual(200);
    expect(text).toContain("TCP edge × 1,000");
    expect(text).toContain("Tunnel group backend × 1,000");
    expect(text).toContain("and 997 more");
  });

  it("stays below the limit of characters with a readable number of objects with long texts", () => {
    const nodes = Array.from({ length: 120 }, (_, i) =>
      node({
        key: `${i}`,
        role: "entry",
        kind: "TCP edge",
        facts: Array.from({ length: 5 }, () => "<".repeat(90)),
      }),
    );
    const text = renderMermaid({ nodes, edges: [] });
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(text).toContain("TCP edge × 120");
  });
});
