/** The map of a stack, from its state. It sends no request to the service. */
import { subjectsOfStack } from "../stack/preview";
import { worldBefore } from "../review/world";
import { graphOf } from "./graph";
import { sortedMap } from "./model";
import type { TrafficMap } from "./model";

/** @param exported the output of `pulumi stack export`. */
export function mapOfStack(exported: unknown): TrafficMap {
  const world = worldBefore(subjectsOfStack(exported));
  const { nodes, edges } = graphOf(world, { presenceOf: () => "outside" });
  return sortedMap(nodes.values(), edges.values());
}
