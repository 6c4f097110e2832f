/** Groups the nodes of a large map and counts them, so that the picture stays readable. */
import { sortedMap } from "./model";
import type { MapEdge, MapNode, TrafficMap } from "./model";
import { most3, firstLines } from "../../schema/text/phrase";

/** The most nodes and edges of a picture that people still read. */
const readableLimits = { nodes: 120, edges: 200 } as const;

/** The map with the least grouping that keeps the limits. */
export function condensed(map: TrafficMap): TrafficMap {
  let last = map;
  for (last of levels(map)) {
    if (last.nodes.length <= readableLimits.nodes && last.edges.length <= readableLimits.edges) return last;
  }
  return last;
}

/**
 * The map with more and more grouping. The first is the map as it is. Then nodes with the same neighbors become one, then
 * nodes with neighbors that look the same, at last all nodes that look the same.
 */
export function* levels(map: TrafficMap): Generator<TrafficMap> {
  yield map;
  const neighbors = neighborsOf(map);
  yield grouped(map, (node) => signature(node, neighbors, ({ key }) => key));
  const colored = (colorOf: (node: MapNode) => string): Map<string, string> =>
    new Map(map.nodes.map((node) => [node.key, colorOf(node)]));
  const alone = colored(looks);
  const near = colored((node) => signature(node, neighbors, ({ key }) => alone.get(key)!));
  const far = colored((node) => signature(node, neighbors, ({ key }) => near.get(key)!));
  for (const colors of [far, near, alone]) yield grouped(map, ({ key }) => colors.get(key)!);
}

interface Neighbor {
  readonly key: string;
  readonly how: string;
}

function neighborsOf({ nodes, edges }: TrafficMap): Map<string, Neighbor[]> {
  const found = new Map(nodes.map(({ key }): [string, Neighbor[]] => [key, []]));
  for (const { from, to, passage, change } of edges) {
    found.get(from)!.push({ key: to, how: `to ${passage} ${change}` });
    found.get(to)!.push({ key: from, how: `from ${passage} ${change}` });
  }
  return found;
}

function looks({ role, kind, presence, change, isUnmanaged, isOpen }: MapNode): string {
  return JSON.stringify([role, kind, presence, change, isUnmanaged, isOpen]);
}

/** How a node looks, and how its neighbors do. */
function signature(
  node: MapNode,
  neighbors: ReadonlyMap<string, readonly Neighbor[]>,
  colorOf: (neighbor: Neighbor) => string,
): string {
  const around = neighbors.get(node.key)!.map((each) => JSON.stringify([each.how, colorOf(each)]));
  return JSON.stringify([looks(node), [...new Set(around)].sort()]);
}

function grouped({ nodes, edges }: TrafficMap, groupOf: (node: MapNode) => string): TrafficMap {
  const groups = [...Map.groupBy(nodes, groupOf).values()];
  const keys = new Map(groups.flatMap((members) => members.map(({ key }) => [key, members[0]!.key])));
  const ends = edges.map((edge) => ({ ...edge, from: keys.get(edge.from)!, to: keys.get(edge.to)! }));
  return sortedMap(groups.map(asOne), edgesBetween(ends));
}

function asOne(members: readonly MapNode[]): MapNode {
  const [first] = members as [MapNode];
  if (members.length === 1) return first;
  const names = members.map(({ name }) => name).filter((name) => name !== "");
  const facts = names.length === 0 ? [] : firstLines(names, most3, undefined, members.length);
  const count = members.reduce((sum, node) => sum + node.count, 0);
  return { ...first, name: "", facts, count };
}

function edgesBetween(edges: readonly MapEdge[]): MapEdge[] {
  const found = new Map<string, MapEdge>();
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to, edge.passage, edge.change]);
    const known = found.get(key);
    const label = known === undefined || known.label === edge.label ? edge.label : "";
    found.set(key, { ...edge, label, count: (known?.count ?? 0) + edge.count });
  }
  return [...found.values()];
}
