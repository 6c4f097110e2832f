/** The layout of a picture from left to right. */
import { graphlib, layout } from "@dagrejs/dagre";
import { labelled } from "./labels";
import type { LabelledNode, Line } from "./labels";
import { roles } from "./model";
import type { MapEdge, TrafficMap } from "./model";
import { widthOf } from "../output/width";

/** Sizes in pixels. */
export const lineHeight = 17;
const fontSize = { title: 11, name: 13, fact: 12, label: 11 } as const;
export const padding = 11;
const margin = 14;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Way {
  readonly edge: MapEdge;
  readonly text: string;
  /** The line, as SVG writes it. */
  readonly path: string;
  /** The left side of the box that it leads to. */
  readonly end: Point;
  /** The middle of the text. */
  readonly label: Point;
}

export interface Layout {
  readonly boxes: readonly (LabelledNode & Box)[];
  readonly ways: readonly Way[];
  readonly width: number;
  readonly height: number;
}

export function inColumns(map: TrafficMap): Layout {
  const { nodes, edges } = labelled(map);
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 22, edgesep: 14, ranksep: 56, marginx: margin, marginy: margin });
  for (const { id, lines } of nodes) graph.setNode(id, sizeOf(lines));
  const columns = roles.filter((role) => nodes.some(({ node }) => node.role === role));
  const column = ({ node }: LabelledNode): number => columns.indexOf(node.role);
  edges.forEach(({ from, to, text }, index) => {
    const size = text === "" ? {} : { width: labelWidth(text), height: lineHeight };
    const minlen = Math.max(1, column(to) - column(from));
    // An object that the clients reach directly stays in its column, even if its backend is far away.
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
    return { edge, text, path: curve([start, ...points.slice(1, -1), end]), end, label };
  });
  const boxes = nodes.map((each) => ({ ...each, ...box(each) }));
  return { boxes, ways, width: Math.ceil(width), height: Math.ceil(height) };
}

/** Places nodes without an incoming edge in the column of their role, by edges that are not drawn. */
function keepColumns(graph: graphlib.Graph, columns: readonly number[]): void {
  const first = columns.indexOf(0);
  columns.forEach((column, index) => {
    const name = `n${index}`;
    if (column > 0 && graph.inEdges(name)?.length === 0)
      graph.setEdge(`n${first}`, name, { minlen: column, weight: 0 }, "column");
  });
}

export function labelWidth(text: string): number {
  return widthOf(text, fontSize.label) + 8;
}

function sizeOf(lines: readonly Line[]): { width: number; height: number } {
  const widths = lines.map(lineWidth);
  return {
    width: Math.ceil(widths.reduce((most, width) => Math.max(most, width), 60)) + 2 * padding,
    height: heightOf(lines),
  };
}

export function heightOf(lines: readonly Line[]): number {
  return lines.length * lineHeight + 2 * padding - 3;
}

/** The width of a line of a box. */
export function lineWidth({ text, style }: Line): number {
  return widthOf(text, fontSize[style]) * (style === "fact" ? 1 : 1.06);
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

export function at({ x, y }: Point): string {
  return `${px(x)},${px(y)}`;
}

/** A length with at most one decimal. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
