/** The texts of nodes and edges for all formats. They are plain text, and each format escapes them. */
import { escapeControls } from "../../schema/text/escape";
import type { MapEdge, MapNode, TrafficMap } from "./model";
import { clipped, inDigits, later } from "../../schema/text/phrase";

const longest = 48;

/** A line of a node: what it is and what happens to it; its name, which a group and the clients do not have; a fact. */
export interface Line {
  readonly text: string;
  readonly style: "title" | "name" | "fact";
}

export interface LabelledNode {
  readonly node: MapNode;
  /** Distinct within the map, and fit for a variable. */
  readonly id: string;
  readonly lines: readonly Line[];
}

export interface LabelledEdge {
  readonly edge: MapEdge;
  readonly from: LabelledNode;
  readonly to: LabelledNode;
  /** May be empty. */
  readonly text: string;
}

export function labelled({ nodes, edges }: TrafficMap): { nodes: LabelledNode[]; edges: LabelledEdge[] } {
  const byKey = new Map(
    nodes.map((node, index) => [node.key, { node, id: `n${index}`, lines: linesOf(node) }]),
  );
  return {
    nodes: [...byKey.values()],
    edges: edges.map((edge) => {
      const [from, to] = [byKey.get(edge.from)!, byKey.get(edge.to)!];
      return { edge, from, to, text: textOf(edge, [from.node, to.node]) };
    }),
  };
}

function linesOf(node: MapNode): Line[] {
  const { kind, name, facts, presence, change, isUnmanaged } = node;
  const title = [kind, ...times(node)].join(" ");
  const remarks = [
    ...(presence === "outside" ? ["outside this program"] : []),
    ...(presence === "missing" ? ["does not exist"] : []),
    ...(isUnmanaged ? ["not in the stack"] : []),
  ];
  const shown = presence === "unknown" && name === "" ? later : name;
  const lines: Line[] = [
    { text: change === "same" ? title : `${title}: ${change}`, style: "title" },
    ...(shown === "" ? [] : [{ text: shown, style: "name" } as const]),
    ...[...facts, ...remarks].map((text) => ({ text, style: "fact" }) as const),
  ];
  return lines.map(({ text, style }) => ({ text: bounded(text), style }));
}

/** The text of an edge, without a change that one of its ends shows. */
function textOf(edge: MapEdge, ends: readonly MapNode[]): string {
  const { label, change } = edge;
  const text = [...(label === "" ? [] : [label]), ...times(edge)].join(" ");
  const isShown =
    change === "same" ||
    (change === "changed" && label !== "") ||
    ends.some((node) => node.change === change);
  if (isShown) return bounded(text);
  return bounded(text === "" ? change : `${text}: ${change}`);
}

function times({ count }: { readonly count: number }): string[] {
  return count > 1 ? [`× ${inDigits(count)}`] : [];
}

/** A line of bounded length without control characters. */
function bounded(text: string): string {
  return clipped(escapeControls(text), longest);
}
