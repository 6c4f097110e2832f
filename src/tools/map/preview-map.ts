/** The map of a preview: the objects before and after the deployment in one picture. */
import { isDeepStrictEqual } from "node:util";
import { policiesOf } from "../access/policies";
import type { PolicyRanges } from "../access/policies";
import { unknownSemantics } from "../access/semantics";
import type { Semantics } from "../access/semantics";
import { keyOf } from "../inventory/inventory";
import type { Inventory } from "../inventory/inventory";
import type { Preview } from "../inventory/read-preview";
import type { Action } from "../stack/preview";
import { clients, graphOf, guardOff } from "./graph";
import type { Graph } from "./graph";
import { sortedMap } from "./model";
import type { MapChange, MapEdge, MapNode, TrafficMap } from "./model";

/**
 * The map of all resources of a preview: additions, changes and removals are marked. The preview must be made with
 * --show-sames; otherwise unchanged resources are missing.
 *
 *     const map = mapOfPreview(readPreview(text));
 */
export function mapOfPreview(
  { before, after, resources }: Preview,
  semantics = unknownSemantics,
): TrafficMap {
  const [olds, news] = [graphOf(before, { semantics }), graphOf(after, { semantics })];
  return sortedMap(mergedNodes(olds, news, resources, otherRanges(before, after)), mergedEdges(olds, news));
}

/** The keys of the policies whose ranges change. */
function otherRanges(...inventories: readonly [before: Inventory, after: Inventory]): ReadonlySet<string> {
  const [olds, news] = inventories.map((inventory) => {
    const all = [...policiesOf(inventory).values()];
    const key = ({ policy, name }: PolicyRanges): string => (policy ? keyOf(policy) : name);
    return new Map(all.map((each) => [key(each), [each.allowed.cidrs(), each.denied.cidrs()]]));
  });
  const inBoth = [...olds!].filter(([key]) => news!.has(key));
  return new Set(inBoth.filter(([key, old]) => !isDeepStrictEqual(old, news!.get(key))).map(([key]) => key));
}

/**
 * The part of a preview's map that changes: added, changed and removed objects, and the adjacent ones. Empty if nothing
 * changes.
 *
 *     const map = mapOfChanges(readPreview(text));
 *     if (map.nodes.length > 0) page.add(renderSvg(map));
 */
export function mapOfChanges(preview: Preview, semantics?: Semantics): TrafficMap {
  const { nodes, edges } = mapOfPreview(preview, semantics);
  const changed = new Set(nodes.filter(({ change }) => change !== "same").map(({ key }) => key));
  const isNear = ({ from, to, change }: MapEdge): boolean =>
    change !== "same" || changed.has(from) || changed.has(to);
  const neighbors = new Set([...changed, ...edges.filter(isNear).flatMap(({ from, to }) => [from, to])]);
  // A guard without an arrow from the clients would look unused.
  const shown = edges.filter((edge) => isNear(edge) || (edge.from === clients && neighbors.has(edge.to)));
  const kept = new Set([...neighbors, ...shown.map(({ from }) => from)]);
  return { nodes: nodes.filter(({ key }) => kept.has(key)), edges: shown };
}

function mergedNodes(
  olds: Graph,
  news: Graph,
  resources: Preview["resources"],
  others: ReadonlySet<string>,
): MapNode[] {
  return [...new Set([...olds.nodes.keys(), ...news.nodes.keys()])].map((key) => {
    const [old, next] = [olds.nodes.get(key), news.nodes.get(key)];
    const action = resources.get(key)?.action;
    const facts = next && old ? bothFacts(old, next, others.has(key)) : (next ?? old)!.facts;
    const change = action ? changeOf(action, old, next) : "same";
    return { ...(next ?? old)!, facts, change: change === "same" && others.has(key) ? "changed" : change };
  });
}

/** The facts after the deployment, and the earlier ones that are no longer true. */
function bothFacts(old: MapNode, next: MapNode, hasOtherRanges: boolean): string[] {
  const gone = old.facts.filter((fact) => !next.facts.includes(fact));
  // The facts may be the same, because they only count ranges and addresses.
  if (hasOtherRanges && isDeepStrictEqual(old.facts, next.facts))
    return [...next.facts, "other ranges than before"];
  return [...next.facts, ...gone.map((fact) => `was: ${fact}`)];
}

/** A policy changes with its rules. */
function changeOf(action: Action, old: MapNode | undefined, next: MapNode | undefined): MapChange {
  if (!old || !next) return old ? "removed" : "added";
  if (action === "replace") return "replaced";
  return action === "update" || !isDeepStrictEqual(old.facts, next.facts) ? "changed" : "same";
}

function mergedEdges(olds: Graph, news: Graph): MapEdge[] {
  return [...new Set([...olds.edges.keys(), ...news.edges.keys()])].map((key) => {
    const [old, next] = [olds.edges.get(key), news.edges.get(key)];
    if (!old || !next) return { ...(next ?? old)!, change: next ? "added" : "removed" };
    if (old.label === next.label && old.passage === next.passage) return next;
    return { ...next, label: changedLabel(old.label, next.label), change: "changed" };
  });
}

/** The label of an edge whose label changes. */
function changedLabel(old: string, next: string): string {
  if (old === next || old === "") return next;
  if (next === "") return old === guardOff ? "guard: on" : `was: ${old}`;
  return `${old} → ${next}`;
}
