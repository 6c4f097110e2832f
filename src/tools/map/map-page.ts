/** The map as a page of HTML, and as a picture for one. */
import type { Semantics } from "../access/semantics";
import { htmlPage } from "../output/html";
import { paragraphs } from "../output/document";
import { secondsText } from "../../schema/formats/time";
import { counted } from "../../schema/text/phrase";
import type { Preview } from "../inventory/read-preview";
import { mapOfChanges } from "./preview-map";
import type { TrafficMap } from "./model";
import { renderFigure } from "./svg";

interface PageOptions {
  /** What the map shows, such as "the stack my-gateway/dev". */
  readonly of: string;
  /** The commit of the program. */
  readonly commit?: string;
  /** The time at which the map is drawn, in milliseconds since 1970. Default: now. */
  readonly now?: number;
}

/** One HTML file with the picture. It needs no network and no script. */
export function renderPage(map: TrafficMap, { of, commit, now = Date.now() }: PageOptions): string {
  const open = map.edges.filter(({ passage, change }) => passage === "open" && change !== "removed");
  const reached = new Set(open.map(({ to }) => to));
  const unguarded = map.nodes
    .filter(({ key, role }) => role !== "policy" && reached.has(key))
    .reduce((sum, { count }) => sum + count, 0);
  const result =
    unguarded === 0 ? "everything is guarded" : `${counted(unguarded, "object")} without a guard`;
  const drawn = [secondsText(now), ...(commit === undefined ? [] : [`commit ${commit}`])].join(", ");
  return htmlPage({
    title: `Map of ${of}: ${result}`,
    blocks: [
      ...paragraphs([
        `${drawn}.`,
        unguarded > 0 &&
          "Red: nothing restricts who gets in, deny rules alone do, or a policy allows every address.",
      ]),
      { kind: "picture", svg: renderFigure(map) },
    ],
  });
}

/** What a deployment changes, as an SVG element; undefined if it changes nothing that the map shows. */
export function svgOfChanges(preview: Preview, semantics?: Semantics): string | undefined {
  const map = mapOfChanges(preview, semantics);
  return map.nodes.length === 0 ? undefined : renderFigure(map);
}
