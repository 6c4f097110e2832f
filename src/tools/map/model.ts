/** The map as plain data, which the pictures of all formats show. */
import { compareTexts } from "../../schema/text/compare-texts";

/** What a deployment does to a node or an edge. */
export type MapChange = "same" | "added" | "changed" | "replaced" | "removed";

/**
 * How a picture shows an object or a way. An open one looks open, unless it is removed. A replaced one looks changed.
 * Undefined for one that is not open and stays.
 */
export function lookOf(
  change: MapChange,
  isOpen: boolean,
): "open" | "added" | "changed" | "removed" | undefined {
  if (change === "removed") return change;
  if (isOpen) return "open";
  if (change === "same") return undefined;
  return change === "replaced" ? "changed" : change;
}

/** The columns of the map, in the direction of the traffic. */
export const roles = ["clients", "policy", "guard", "entry", "backend", "agents"] as const;
export type Role = (typeof roles)[number];

/**
 * Whether the map knows an object: an `outside` object is not in the program, so its values are not known; a `missing` one
 * does not exist, so the reference to it is dangling; an `unknown` one is known only after the deployment.
 */
type NodePresence = "shown" | "outside" | "missing" | "unknown";

export interface MapNode {
  /** Identifies the node in its map. */
  readonly key: string;
  readonly role: Role;
  /** What it is: "TCP edge". */
  readonly kind: string;
  /** Its name in the program; else its description or id. Empty for a group of nodes. */
  readonly name: string;
  /** One fact on each line, such as its address. They contain no secret and are not escaped. */
  readonly facts: readonly string[];
  readonly presence: NodePresence;
  readonly change: MapChange;
  readonly isUnmanaged: boolean;
  /** Nothing restricts who gets in at it. */
  readonly isOpen: boolean;
  /** The number of objects that the node stands for. */
  readonly count: number;
}

/**
 * How traffic passes: `open` if no guard restricts it; `off` if a module is disabled or a weight is 0, so none passes.
 */
export type Passage = "normal" | "open" | "off";

export interface MapEdge {
  /** The key of the node that the traffic comes from. */
  readonly from: string;
  readonly to: string;
  readonly passage: Passage;
  /** Such as "weight 90"; may be empty. */
  readonly label: string;
  readonly change: MapChange;
  /** The number of edges that it stands for. */
  readonly count: number;
}

/** The traffic path: clients, guards, edges and endpoints, backends, agents. Nodes and edges are sorted. */
export interface TrafficMap {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

/** The map of nodes and edges, in an order that depends on their content alone. */
export function sortedMap(nodes: Iterable<MapNode>, edges: Iterable<MapEdge>): TrafficMap {
  const rank = (node: MapNode): string =>
    JSON.stringify([roles.indexOf(node.role), node.kind, node.name, node.key]);
  const sorted = [...nodes].sort((a, b) => compareTexts(rank(a), rank(b)));
  const ranks = new Map(sorted.map(({ key }, index) => [key, index]));
  return {
    nodes: sorted,
    edges: [...edges].sort(
      (a, b) =>
        ranks.get(a.from)! - ranks.get(b.from)! ||
        ranks.get(a.to)! - ranks.get(b.to)! ||
        compareTexts(a.label, b.label),
    ),
  };
}
