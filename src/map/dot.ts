/** The map in the language of Graphviz. */
import { edgeLabel, nodeLabel } from "./labels";
import type { Change, MapEdge, MapNode, Passage, Role, TrafficMap } from "./model";

const shapes: Readonly<Record<Role, string>> = {
  clients: 'shape=box, style="rounded,filled", fillcolor="#f6f8fa"',
  policy: 'shape=hexagon, style=filled, fillcolor="#fff8e6"',
  guard: 'shape=hexagon, style=filled, fillcolor="#fff8e6"',
  entry: 'shape=box, style=filled, fillcolor="#eaf4ff"',
  backend: 'shape=box, style="rounded,filled", fillcolor="#f5f0ff"',
  agents: 'shape=box, style="rounded,filled", fillcolor="#e8f8f5"',
};

const colors: Readonly<Record<Exclude<Change, "same">, string>> = {
  ...{ added: "#1a7f37", changed: "#9a6700", replaced: "#9a6700", removed: "#cf222e" },
};

const passages: Readonly<Record<Passage, readonly string[]>> = {
  normal: [],
  open: ['color="#cf222e"', "penwidth=2"],
  off: ["style=dotted"],
};

/** The graph, with all nodes: `dot -Tpdf` draws it. */
export function renderDot({ nodes, edges }: TrafficMap): string {
  const ids = new Map(nodes.map((node, index) => [node.key, { node, id: `n${index}` }]));
  const lines = [
    "digraph traffic {",
    "  rankdir=LR;",
    '  node [fontname="Helvetica", fontsize=11];',
    '  edge [fontname="Helvetica", fontsize=10];',
    ...nodes.map((node) => `  ${ids.get(node.key)!.id} [${attributes(node).join(", ")}];`),
    ...edges.map((edge) => {
      const [from, to] = [ids.get(edge.from)!, ids.get(edge.to)!];
      const list = edgeAttributes(edge, [from.node, to.node]).join(", ");
      return `  ${from.id} -> ${to.id}${list === "" ? "" : ` [${list}]`};`;
    }),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function attributes(node: MapNode): string[] {
  const { title, name, facts } = nodeLabel(node);
  const lines = [title, ...(name === undefined ? [] : [name]), ...facts];
  return [`label="${lines.map(escaped).join("\\n")}"`, shapes[node.role], ...border(node)];
}

function border({ change, presence }: MapNode): string[] {
  if (change !== "same") return [`color="${colors[change]}"`, "penwidth=2"];
  return presence === "missing" ? ['color="#cf222e"'] : presence === "shown" ? [] : ['color="#818b98"'];
}

function edgeAttributes(edge: MapEdge, ends: readonly MapNode[]): string[] {
  const text = edgeLabel(edge, ends);
  const change = edge.change === "same" ? [] : [`color="${colors[edge.change]}"`, "penwidth=2"];
  const passage =
    edge.change === "same" ? passages[edge.passage] : edge.change === "removed" ? ["style=dashed"] : [];
  return [...(text === "" ? [] : [`label="${escaped(text)}"`]), ...passage, ...change];
}

/** Text for a string in quotes. A backslash begins an escape of Graphviz, such as `\N` for the name of the node. */
function escaped(text: string): string {
  return text.replace(/["\\]/g, "\\$&").replace(/&/g, "&amp;");
}
