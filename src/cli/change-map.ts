/** The picture of what a deployment changes, for the outputs of the review. */
import type { Preview } from "../review/preview";

/** As an SVG element; undefined if the deployment changes nothing that the map shows. */
export async function svgOfChanges(preview: Preview): Promise<string | undefined> {
  const { mapOfChanges } = await import("../map/changes.js");
  const map = mapOfChanges(preview);
  if (map.nodes.length === 0) return undefined;
  const { renderSvg } = await import("../map/svg.js");
  return renderSvg(map);
}
