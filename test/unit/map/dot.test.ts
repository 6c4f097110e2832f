import fc from "fast-check";
import { renderDot } from "../../../src/map/dot";
import { edge, node } from "./support";

describe("the Graphviz text", () => {
  it("names every object and edge", () => {
    const text = renderDot({
      nodes: [
        node({ key: "clients", role: "clients", kind: "Clients", name: "" }),
        node({ key: "a", role: "policy", kind: "IP policy", change: "removed", facts: ["no rules"] }),
        node({ key: "b", role: "entry", kind: "TCP edge", presence: "missing" }),
      ],
      edges: [
        edge("clients", "b", { passage: "open", label: "no IP restriction" }),
        edge("a", "b", { passage: "off", change: "removed" }),
      ],
    });
    expect(text).toBe(`digraph traffic {
  rankdir=LR;
  node [fontname="Helvetica", fontsize=11];
  edge [fontname="Helvetica", fontsize=10];
  n0 [label="Clients", shape=box, style="rounded,filled", fillcolor="#f6f8fa"];
  n1 [label="IP policy: removed\\na\\nno rules", shape=hexagon, style=filled, fillcolor="#fff8e6", color="#cf222e", penwidth=2];
  n2 [label="TCP edge\\nb\\ndoes not exist", shape=box, style=filled, fillcolor="#eaf4ff", color="#cf222e"];
  n0 -> n2 [label="no IP restriction", color="#cf222e", penwidth=2];
  n1 -> n2 [style=dashed, color="#cf222e", penwidth=2];
}
`);
  });

  it("escapes quotes, backslashes and entities, and every text stays in its line and string", () => {
    const hostile = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(hostile, hostile, (name, label) => {
        const nodes = [
          node({ key: "a", role: "entry", kind: "TCP edge", name: `${name}\\N"]; evil [label="` }),
          node({ key: "b", role: "backend", kind: "Backend", facts: [name] }),
        ];
        const lines = renderDot({ nodes, edges: [edge("a", "b", { label })] }).split("\n");
        const string = String.raw`"(?:[^"\\&]|\\[\\"n]|&amp;)*"`;
        expect(lines).toHaveLength(9);
        expect(lines[4]).toMatch(
          new RegExp(String.raw`^  n0 \[label=${string}, shape=box, [^"]*"#eaf4ff"\];$`, "u"),
        );
        expect(lines[5]).toMatch(new RegExp(String.raw`^  n1 \[label=${string}, shape=box, .*\];$`, "u"));
        expect(lines[6]).toMatch(new RegExp(String.raw`^  n0 -> n1(?: \[label=${string}\])?;$`, "u"));
      }),
    );
  });
});
