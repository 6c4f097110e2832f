/** The map as a page of HTML, and as a picture for one. */
import { htmlPage } from "../document/html";
import type { DocumentBlock } from "../document/document";
import { counted } from "../text/phrase";
import type { World } from "../inventory/world";
import { mapOfChanges } from "./changes";
import type { TrafficMap } from "./model";
import { renderSvg } from "./svg";

/** One file with the picture, which needs no network and no script. */
export function renderPage(map: TrafficMap, title: string): string {
  const open = map.edges.filter(({ passage, change }) => passage === "open" && change !== "removed");
  const unguarded = open.reduce((sum, { count }) => sum + count, 0);
  const remark: DocumentBlock = {
    kind: "paragraph",
    text: `Red lines: ${counted(unguarded, "way")} without a guard.`,
  };
  return htmlPage({
    title,
    blocks: [...(unguarded === 0 ? [] : [remark]), { kind: "picture", svg: renderSvg(map) }],
  });
}

/** What a deployment changes, as an SVG element; undefined if it changes nothing that the map shows. */
export function svgOfChanges(preview: World): string | undefined {
  const map = mapOfChanges(preview);
  return map.nodes.length === 0 ? undefined : renderSvg(map);
}
