/** The map as a Mermaid flowchart, which GitHub, GitLab and others draw in Markdown. */
import type { Semantics } from "../access/semantics";
import { compareTexts } from "../../schema/text/compare-texts";
import { condensed, levels } from "./condense";
import { labelled } from "./labels";
import type { LabelledNode } from "./labels";
import { lookOf } from "./model";
import type { MapNode, Passage, Role, TrafficMap } from "./model";
import type { Preview } from "../inventory/read-preview";
import { mapOfChanges } from "./preview-map";

/** Mermaid refuses a text of more than 50,000 characters, and a graph of more than 500 edges, which no readable map has. */
const mostCharacters = 40_000;

/** The flowchart. Large maps are grouped, so that the text stays below the limits of Mermaid. */
export function renderMermaid(full: TrafficMap): string {
  let text = "";
  for (const map of levels(condensed(full))) {
    text = flowchart(map);
    if (text.length <= mostCharacters) break;
  }
  return text;
}

/** The most objects in the comment of a pull request, so that a reviewer can read them at a glance. */
const mostInComment = 40;

/** The flowchart of the changes for the comment of a pull request; undefined if the map has none, or too many. */
export function commentMap(preview: Preview, semantics?: Semantics): string | undefined {
  const map = mapOfChanges(preview, semantics);
  return map.nodes.length === 0 || map.nodes.length > mostInComment ? undefined : renderMermaid(map);
}

const shapes: Readonly<Record<Role, readonly [string, string]>> = {
  clients: ["([", "])"],
  policy: ["[[", "]]"],
  guard: ["[[", "]]"],
  entry: ["[", "]"],
  backend: ["(", ")"],
  agents: ["([", "])"],
};

const arrows: Readonly<Record<Passage, string>> = { normal: "-->", open: "==>", off: "-.->" };

/** Fill, line and text: readable on light and on dark pages. */
const nodeStyles = {
  open: "fill:#ffebe9,stroke:#cf222e,stroke-width:2px,color:#1f2328",
  added: "fill:#dafbe1,stroke:#1a7f37,stroke-width:2px,color:#1f2328",
  changed: "fill:#fff8c5,stroke:#9a6700,stroke-width:2px,color:#1f2328",
  removed: "fill:#f6f8fa,stroke:#59636e,stroke-width:2px,stroke-dasharray:6 4,color:#1f2328",
  missing: "fill:#ffebe9,stroke:#cf222e,stroke-dasharray:2 3,color:#1f2328",
  unknown: "fill:#f6f8fa,stroke:#59636e,stroke-dasharray:5 4,color:#1f2328",
  unmanaged: "fill:#f6f8fa,stroke:#9a6700,stroke-dasharray:5 4,color:#1f2328",
} as const;
type NodeStyle = keyof typeof nodeStyles;

const edgeStyles = {
  open: "stroke:#cf222e",
  added: "stroke:#1a7f37,stroke-width:2px",
  changed: "stroke:#9a6700,stroke-width:2px",
  removed: "stroke:#59636e,stroke-width:2px,stroke-dasharray:6 4",
} as const;
type EdgeStyle = keyof typeof edgeStyles;

function flowchart(map: TrafficMap): string {
  const { nodes, edges } = labelled(map);
  const lines = [
    "flowchart LR",
    ...nodes.map(box),
    ...edges.map(({ edge, from, to, text }) => {
      const label = text === "" ? "" : `|"${escaped(text)}"|`;
      return `  ${from.id} ${arrows[edge.passage]}${label} ${to.id}`;
    }),
    ...styleLines(
      nodes.map(({ id, node }): [string, NodeStyle | undefined] => [id, nodeStyle(node)]),
      (style, members) => [`  classDef ${style} ${nodeStyles[style]}`, `  class ${members} ${style}`],
    ),
    ...styleLines(
      edges.map(({ edge: { change, passage } }, index): [string, EdgeStyle | undefined] => [
        String(index),
        lookOf(change, passage === "open"),
      ]),
      (style, members) => [`  linkStyle ${members} ${edgeStyles[style]}`],
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function box({ id, node, lines }: LabelledNode): string {
  const [before, after] = shapes[node.role];
  return `  ${id}${before}"${lines.map(({ text }) => escaped(text)).join("<br/>")}"${after}`;
}

/** The lines of each style, with the members that have it. */
function styleLines<S extends string>(
  members: readonly (readonly [string, S | undefined])[],
  linesOf: (style: S, members: string) => string[],
): string[] {
  return [...Map.groupBy(members, ([, style]) => style)]
    .sort(([a = ""], [b = ""]) => compareTexts(a, b))
    .flatMap(([style, group]) =>
      style === undefined ? [] : linesOf(style, group.map(([member]) => member).join(",")),
    );
}

function nodeStyle({ change, presence, isUnmanaged, isOpen }: MapNode): NodeStyle | undefined {
  const look = lookOf(change, isOpen);
  if (look !== undefined || presence === "missing") return look ?? "missing";
  if (presence !== "shown") return "unknown";
  return isUnmanaged ? "unmanaged" : undefined;
}

/**
 * Text for a label in quotes. Mermaid reads labels as Markdown and HTML, so everything but letters, digits and harmless
 * punctuation becomes a character code. Mermaid acts on formulas (`$$`), icons (`fa:…`) and line breaks (`\n`) even in
 * codes, so an invisible space separates their characters. In lines with the words of its styles it drops a semicolon.
 */
function escaped(text: string): string {
  return text
    .replace(/\$(?=\$)|fa\w?(?=:)|\\(?=n)/gi, "$&\u200b")
    .replace(/(?!:[ \d]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))[^\p{L}\p{N} .,/=()…×→-]/gu, code)
    .replace(/^[^\p{L}\p{N}#×]/u, code)
    .replace(/(?<=^\d+)[.)](?= |$)|(?<=www)\.|s(?=tyle)|c(?=lassDef)/gi, code);
}

function code(character: string): string {
  return `#${character.codePointAt(0)!};`;
}
