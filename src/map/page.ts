/** The map as a page of HTML. */
import { html, trusted } from "../html/markup";
import { page } from "../html/page";
import { counted } from "../text/plural";
import type { TrafficMap } from "./model";
import { renderSvg } from "./svg";

/** One file with the picture, which needs no network and no script. */
export function renderPage(map: TrafficMap, title: string): string {
  const open = map.edges.filter(({ passage, change }) => passage === "open" && change !== "removed");
  const unguarded = open.reduce((sum, { count }) => sum + count, 0);
  const remark =
    unguarded === 0 ? undefined : html`<p>Red lines: ${counted(unguarded, "way")} without a guard.</p>`;
  return page({
    title,
    style: "main { max-width: none; }",
    body: html`<h1>${title}</h1>
      ${remark}
      <figure>${trusted(renderSvg(map))}</figure>`,
  });
}
