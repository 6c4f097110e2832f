import type { MapEdge, MapNode, TrafficMap } from "../../../src/tools/map/model";

/** The nodes and edges of a map in short: "IP policy office changed: allows …", "office → database". */
export function inShort(map: TrafficMap): { nodes: string[]; edges: string[] } {
  const names = new Map(map.nodes.map((node) => [node.key, nameOf(node)]));
  return { nodes: map.nodes.map(nodeText), edges: map.edges.map((edge) => edgeText(edge, names)) };
}

function nameOf({ kind, name }: MapNode): string {
  return name === "" ? kind : name;
}

function nodeText({ kind, name, facts, presence, change, isUnmanaged, count }: MapNode): string {
  const marks = [
    ...(presence === "shown" ? [] : [presence]),
    ...(change === "same" ? [] : [change]),
    ...(isUnmanaged ? ["unmanaged"] : []),
    ...(count === 1 ? [] : [`× ${count}`]),
  ];
  const head = [kind, name, ...marks.map((mark) => `[${mark}]`)].filter((part) => part !== "").join(" ");
  return facts.length === 0 ? head : `${head}: ${facts.join(" | ")}`;
}

function edgeText(
  { from, to, passage, label, change, count }: MapEdge,
  names: ReadonlyMap<string, string>,
): string {
  const marks = [
    ...(passage === "normal" ? [] : [passage]),
    ...(change === "same" ? [] : [change]),
    ...(count === 1 ? [] : [`× ${count}`]),
  ];
  const tail = [label === "" ? "" : `(${label})`, ...marks.map((mark) => `[${mark}]`)];
  return [`${names.get(from)} → ${names.get(to)}`, ...tail].filter((part) => part !== "").join(" ");
}

/** A node with defaults. */
export function node(values: Pick<MapNode, "key" | "role" | "kind"> & Partial<MapNode>): MapNode {
  const defaults = {
    facts: [],
    presence: "shown",
    change: "same",
    isUnmanaged: false,
    isOpen: false,
    count: 1,
  } as const;
  return { name: values.key, ...defaults, ...values };
}

/** An edge with defaults. */
export function edge(from: string, to: string, values: Partial<MapEdge> = {}): MapEdge {
  return { from, to, passage: "normal", label: "", change: "same", count: 1, ...values };
}
