/** The map in the language of Graphviz. */
import { labelled } from "./labels";
import type { LabelledEdge, LabelledNode } from "./labels";
import { lookOf } from "./model";
import type { MapNode, Passage, Role, TrafficMap } from "./model";

const shapes: Readonly<Record<Role, string>> = {
  clients: 'shape=box, style="rounded,filled", fillcolor="#f6f8fa"',
  policy: 'shape=hexagon, style=filled, fillcolor="#fff8e6"',
  guard: 'shape=hexagon, style=filled, fillcolor="#fff8e6"',
  entry: 'shape=box, style=filled, fillcolor="#eaf4ff"',
  backend: 'shape=box, style="rounded,filled", fillcolor="#f5f0ff"',
  agents: 'shape=box, style="rounded,filled", fillcolor="#e8f8f5"',
};

const colors = { added: "#1a7f37", changed: "#9a6700", removed: "#cf222e" } as const;

const passages: Readonly<Record<Passage, readonly string[]>> = {
  normal: [],
  open: ['color="#cf222e"', "penwidth=2"],
  off: ["style=dotted"],
};

/** The graph, with all nodes: `dot -Tpdf` draws it. */
export function renderDot(map: TrafficMap): string {
  const { nodes, edges } = labelled(map);
  const lines = [
    "digraph traffic {",
    "  rankdir=LR;",
    '  node [fontname="Helvetica", fontsize=11];',
    '  edge [fontname="Helvetica", fontsize=10];',
    ...nodes.map((each) => `  ${each.id} [${attributes(each).join(", ")}];`),
    ...edges.map((each) => {
      const list = edgeAttributes(each).join(", ");
      return `  ${each.from.id} -> ${each.to.id}${list === "" ? "" : ` [${list}]`};`;
    }),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function attributes({ node, lines }: LabelledNode): string[] {
  const label = lines.map(({ text }) => escaped(text)).join("\\n");
  return [`label="${label}"`, shapes[node.role], ...border(node)];
}

function border({ change, presence }: MapNode): string[] {
  const look = lookOf(change);
  if (look) return [`color="${colors[look]}"`, "penwidth=2"];
  return presence === "missing" ? ['color="#cf222e"'] : presence === "shown" ? [] : ['color="#818b98"'];
}

function edgeAttributes({ edge, text }: LabelledEdge): string[] {
  const label = text === "" ? [] : [`label="${escaped(text)}"`];
  const look = lookOf(edge.change);
  if (look === undefined) return [...label, ...passages[edge.passage]];
  return [...label, ...(look === "removed" ? ["style=dashed"] : []), `color="${colors[look]}"`, "penwidth=2"];
}

/** Text for a string in quotes. A backslash begins an escape of Graphviz, such as `\N` for the name of the node. */
function escaped(text: string): string {
  return text.replace(/["\\]/g, "\\$&").replace(/&/g, "&amp;");
}
