/** The map in the comment of a pull request. */
import type { Preview } from "../stack/preview";
import { mapOfChanges } from "./changes";
import { renderMermaid } from "./mermaid";

/** The most objects that a reviewer reads at a glance. */
const most = 40;

/** The flowchart of what changes; undefined if nothing of the map changes, or too much. */
export function commentMap(preview: Pick<Preview, "subjects">): string | undefined {
  const map = mapOfChanges(preview);
  return map.nodes.length === 0 || map.nodes.length > most ? undefined : renderMermaid(map);
}
