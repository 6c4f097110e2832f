/** The map as an SVG picture. It contains no script, link or font, and loads nothing. */
import { graphlib, layout } from "@dagrejs/dagre";
import { counted, inDigits } from "../../schema/text/phrase";
import { condensed } from "./condense";
import { labelled } from "./labels";
import type { LabelledNode, Line } from "./labels";
import { lookOf, roles } from "./model";
import type { MapEdge, MapNode, TrafficMap } from "./model";
import { styleSheet } from "./svg-style";
import { widthOf } from "../output/width";

/** Sizes in pixels. */
const lineHeight = 17;
const fontSize = { title: 11, name: 13, fact: 12, label: 11 } as const;
const padding = 11;
const margin = 14;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

interface Way {
  readonly edge: MapEdge;
  readonly text: string;
  /** From the right side of one box to the left side of another one. */
  readonly points: readonly Point[];
  /** The middle of the text. */
  readonly label: Point;
}

/**
 * The map as one `<svg>` element, in light or dark colors as the reader's system prefers. Large maps are grouped. The
 * same map gives the same text. All texts are escaped.
 *
 * The element can be a file of its own or a part of an HTML page, also several times: it has no ids, and its style rules
 * apply to its class `tg-map` alone. It shrinks to the width of its parent. Its colors are the custom properties of
 * svg-style.ts.
 */
export function renderSvg(full: TrafficMap): string {
  const { boxes, ways, width, height } = laidOut(condensed(full));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="tg-map" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(titleOf(full))}</title>`,
    `<style>${styleSheet}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...ways.map(wayPart),
    ...boxes.map(nodePart),
    ...ways.flatMap(labelPart),
    "</svg>\n",
  ].join("\n");
}

/** "Map of 12 objects: 1 added, 2 changed". */
function titleOf({ nodes }: TrafficMap): string {
  const objects = nodes.filter(({ role }) => role !== "clients");
  const changes = (["added", "changed", "replaced", "removed"] as const).flatMap((change) => {
    const changed = countOf(objects.filter((node) => node.change === change));
    return changed === 0 ? [] : [`${inDigits(changed)} ${change}`];
  });
  return [`Map of the traffic: ${counted(countOf(objects), "object")}`, ...changes].join(", ");
}

function countOf(nodes: readonly MapNode[]): number {
  return nodes.reduce((sum, { count }) => sum + count, 0);
}

interface Layout {
  readonly boxes: readonly (LabelledNode & Box)[];
  readonly ways: readonly Way[];
  readonly width: number;
  readonly height: number;
}

function laidOut(map: TrafficMap): Layout {
  const { nodes, edges } = labelled(map);
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 22, edgesep: 14, ranksep: 56, marginx: margin, marginy: margin });
  for (const { id, lines } of nodes) graph.setNode(id, sizeOf(lines));
  const columns = roles.filter((role) => nodes.some(({ node }) => node.role === role));
  const column = ({ node }: LabelledNode): number => columns.indexOf(node.role);
  edges.forEach(({ from, to, text }, index) => {
    const size = text === "" ? {} : { width: labelWidth(text), height: lineHeight };
    const minlen = Math.max(1, column(to) - column(from));
    // What the clients reach directly stays in its column, even if it is far from its backend.
    const weight = from.node.role === "clients" ? 2 : 1;
    graph.setEdge(from.id, to.id, { ...size, labelpos: "c", minlen, weight }, `e${index}`);
  });
  keepColumns(graph, nodes.map(column));
  if (nodes.length > 0) layout(graph);
  const box = ({ id }: LabelledNode): Box => graph.node(id) as Box;
  const { width = 2 * margin, height = 2 * margin } = graph.graph() as Partial<Box>;
  const ways = edges.map(({ edge, from, to, text }, index): Way => {
    const line: unknown = graph.edge(from.id, to.id, `e${index}`);
    const { points, ...label } = line as Point & { points: readonly Point[] };
    const start = { x: box(from).x + box(from).width / 2, y: box(from).y };
    const end = { x: box(to).x - box(to).width / 2, y: box(to).y };
    return { edge, text, points: [start, ...points.slice(1, -1), end], label };
  });
  const boxes = nodes.map((each) => ({ ...each, ...box(each) }));
  return { boxes, ways, width: Math.ceil(width), height: Math.ceil(height) };
}

/** Places what no edge leads to in the column of its role, by edges that are not drawn. */
function keepColumns(graph: graphlib.Graph, columns: readonly number[]): void {
  const first = columns.indexOf(0);
  columns.forEach((column, index) => {
    const name = `n${index}`;
    if (column > 0 && graph.inEdges(name)?.length === 0)
      graph.setEdge(`n${first}`, name, { minlen: column, weight: 0 }, "column");
  });
}

function labelWidth(text: string): number {
  return widthOf(text, fontSize.label) + 8;
}

function sizeOf(lines: readonly Line[]): { width: number; height: number } {
  const widths = lines.map(
    ({ text, style }) => widthOf(text, fontSize[style]) * (style === "fact" ? 1 : 1.06),
  );
  return {
    width: Math.ceil(widths.reduce((most, width) => Math.max(most, width), 60)) + 2 * padding,
    height: lines.length * lineHeight + 2 * padding - 3,
  };
}

function nodePart({ node, lines, x, y, width, height }: LabelledNode & Box): string {
  const { role, presence, change, isUnmanaged, isOpen } = node;
  const classes = classNames(
    "node",
    role,
    presence,
    lookOf(change, isOpen),
    isUnmanaged ? "unmanaged" : undefined,
  );
  const [left, top] = [x - width / 2, y - height / 2];
  const radius = role === "clients" || role === "agents" ? Math.min(18, height / 2) : 6;
  const texts = lines.map(
    ({ text, style }, index) =>
      `<text class="${style}" x="${px(left + padding)}" y="${px(top + padding + lineHeight * (index + 0.7))}">${escaped(text)}</text>`,
  );
  return [
    `<g class="${classes}">`,
    `<rect class="box" x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}" rx="${px(radius)}"/>`,
    ...texts,
    "</g>",
  ].join("");
}

function wayPart({ edge, points }: Way): string {
  const path = `<path class="way" d="${curve(points)}"/>`;
  return `<g class="${edgeClasses(edge)}">${path}<path class="head" d="${arrow(points.at(-1)!)}"/></g>`;
}

function labelPart({ edge, text, label: { x, y } }: Way): string[] {
  if (text === "") return [];
  const width = labelWidth(text);
  const plate = `<rect class="plate" x="${px(x - width / 2)}" y="${px(y - lineHeight / 2)}" width="${px(width)}" height="${lineHeight}" rx="3"/>`;
  const words = `<text class="label" x="${px(x)}" y="${px(y + 4)}" text-anchor="middle">${escaped(text)}</text>`;
  return [`<g class="${edgeClasses(edge)}">${plate}${words}</g>`];
}

function edgeClasses({ passage, change }: MapEdge): string {
  const look = lookOf(change, passage === "open");
  return classNames("edge", passage === "normal" ? undefined : passage, look === "open" ? undefined : look);
}

function classNames(...names: (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(" ");
}

/** A smooth curve through the points, which is horizontal at each of them. */
function curve(points: readonly Point[]): string {
  const parts = points.slice(1).map((point, index) => {
    const before = points[index]!;
    const middle = (before.x + point.x) / 2;
    return `C${at({ x: middle, y: before.y })} ${at({ x: middle, y: point.y })} ${at(point)}`;
  });
  return `M${at(points[0]!)}${parts.join("")}`;
}

/** The head of an arrow that ends at a point, from the left. */
function arrow({ x, y }: Point): string {
  return `M${at({ x, y })}L${at({ x: x - 8, y: y - 4 })}L${at({ x: x - 8, y: y + 4 })}Z`;
}

function at({ x, y }: Point): string {
  return `${px(x)},${px(y)}`;
}

/** A length with at most one decimal. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Text for an element of XML or HTML. Characters that XML does not allow are replaced. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}
