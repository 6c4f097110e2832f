/** The map as an SVG picture. It contains no script, link or font, and loads nothing. */
import { counted, inDigits } from "../../schema/text/phrase";
import { condensed } from "./condense";
import type { LabelledNode } from "./labels";
import { lookOf } from "./model";
import type { MapEdge, MapNode, TrafficMap } from "./model";
import { inOneColumn } from "./svg-column";
import { at, inColumns, labelWidth, lineHeight, padding, px } from "./svg-layout";
import type { Box, Layout, Point, Way } from "./svg-layout";

/**
 * The map as one `<svg>` element, in light or dark colors as the reader's system prefers. Large maps are grouped. The
 * same map gives the same text. All texts are escaped.
 *
 * The element can be a file of its own or a part of an HTML page, also several times: it has no ids, and its style rules
 * apply to its class `tg-map` alone. It shrinks to the width of its parent. Its colors are the custom properties of
 * svg-style.ts.
 */
export function renderSvg(full: TrafficMap): string {
  return drawn(full, inColumns(condensed(full)), "tg-map");
}

/** The map for a page: as it is for a computer, and in one column for a phone. The page shows one of them. */
export function renderFigure(full: TrafficMap): string {
  return renderSvg(full) + drawn(full, inOneColumn(condensed(full)), "tg-map narrow");
}

function drawn(full: TrafficMap, { boxes, ways, width, height }: Layout, classes: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="${classes}" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(titleOf(full))}</title>`,
    `<style>${styleSheet}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...ways.map(wayPart),
    ...boxes.map(nodePart),
    ...ways.flatMap(labelPart),
    "</svg>\n",
  ].join("\n");
}

/** "Map of 12 objects: 1 added, 2 changed". */
function titleOf({ nodes }: TrafficMap): string {
  const objects = nodes.filter(({ role }) => role !== "clients");
  const changes = (["added", "changed", "replaced", "removed"] as const).flatMap((change) => {
    const changed = countOf(objects.filter((node) => node.change === change));
    return changed === 0 ? [] : [`${inDigits(changed)} ${change}`];
  });
  return [`Map of the traffic: ${counted(countOf(objects), "object")}`, ...changes].join(", ");
}

function countOf(nodes: readonly MapNode[]): number {
  return nodes.reduce((sum, { count }) => sum + count, 0);
}

function nodePart({ node, lines, x, y, width, height }: LabelledNode & Box): string {
  const { role, presence, change, isUnmanaged, isOpen } = node;
  const classes = classNames(
    "node",
    role,
    presence,
    lookOf(change, isOpen),
    isUnmanaged ? "unmanaged" : undefined,
  );
  const [left, top] = [x - width / 2, y - height / 2];
  const radius = role === "clients" || role === "agents" ? Math.min(18, height / 2) : 6;
  const texts = lines.map(
    ({ text, style }, index) =>
      `<text class="${style}" x="${px(left + padding)}" y="${px(top + padding + lineHeight * (index + 0.7))}">${escaped(text)}</text>`,
  );
  return [
    `<g class="${classes}">`,
    `<rect class="box" x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}" rx="${px(radius)}"/>`,
    ...texts,
    "</g>",
  ].join("");
}

function wayPart({ edge, path, end }: Way): string {
  const line = `<path class="way" d="${path}"/>`;
  return `<g class="${edgeClasses(edge)}">${line}<path class="head" d="${arrow(end)}"/></g>`;
}

function labelPart({ edge, text, label: { x, y } }: Way): string[] {
  if (text === "") return [];
  const width = labelWidth(text);
  const plate = `<rect class="plate" x="${px(x - width / 2)}" y="${px(y - lineHeight / 2)}" width="${px(width)}" height="${lineHeight}" rx="3"/>`;
  const words = `<text class="label" x="${px(x)}" y="${px(y + 4)}" text-anchor="middle">${escaped(text)}</text>`;
  return [`<g class="${edgeClasses(edge)}">${plate}${words}</g>`];
}

function edgeClasses({ passage, change }: MapEdge): string {
  const look = lookOf(change, passage === "open");
  return classNames("edge", passage === "normal" ? undefined : passage, look === "open" ? undefined : look);
}

function classNames(...names: (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(" ");
}

/** The head of an arrow that ends at a point, from the left. */
function arrow({ x, y }: Point): string {
  return `M${at({ x, y })}L${at({ x: x - 8, y: y - 4 })}L${at({ x: x - 8, y: y + 4 })}Z`;
}

/** Text for an element of XML or HTML. Characters that XML does not allow are replaced. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

/**
 * The colors of the picture, on a light and on a dark page. Every color is a custom property, so a page may set another one. The
 * contrast of text is at least 4.5 to 1 in both schemes.
 */
const colors = {
  paper: ["#ffffff", "#0d1117"],
  text: ["#1f2328", "#f0f6fc"],
  quiet: ["#59636e", "#9aa4af"],
  line: ["#818b98", "#6e7681"],
  clients: ["#f6f8fa", "#161b22"],
  guard: ["#fff8e6", "#2b2413"],
  entry: ["#eaf4ff", "#11233b"],
  backend: ["#f5f0ff", "#241b3a"],
  agents: ["#e8f8f5", "#0f2a26"],
  added: ["#1a7f37", "#3fb950"],
  "added-fill": ["#dafbe1", "#12301c"],
  changed: ["#9a6700", "#d29922"],
  "changed-fill": ["#fff8c5", "#332811"],
  removed: ["#59636e", "#9aa4af"],
  "removed-fill": ["#f6f8fa", "#161b22"],
  open: ["#cf222e", "#f85149"],
  "open-fill": ["#ffebe9", "#3c1618"],
};

function properties(scheme: 0 | 1): string {
  return Object.entries(colors)
    .map(([name, both]) => `--tg-map-${name}:${both[scheme]}`)
    .join(";");
}

const fill = (name: string): string => `fill:var(--tg-map-${name})`;
const stroke = (name: string): string => `stroke:var(--tg-map-${name})`;

/** The rules of one picture. They apply to `.tg-map` only. */
const styleSheet = [
  `:where(.tg-map){${properties(0)}}`,
  `@media (prefers-color-scheme:dark){:where(.tg-map){${properties(1)}}}`,
  `.tg-map{font-family:system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;max-width:100%;height:auto}`,
  `.tg-map .paper{${fill("paper")}}`,
  `.tg-map text{${fill("text")};font-size:12px}`,
  `.tg-map .title{${fill("quiet")};font-size:11px}`,
  `.tg-map .name{font-size:13px;font-weight:600}`,
  `.tg-map .box{${stroke("line")};stroke-width:1.2}`,
  ...["clients", "guard", "entry", "backend", "agents"].map((role) => `.tg-map .${role}>.box{${fill(role)}}`),
  `.tg-map .policy>.box{${fill("guard")}}`,
  `.tg-map .outside>.box,.tg-map .unknown>.box,.tg-map .unmanaged>.box{stroke-dasharray:5 4}`,
  `.tg-map .missing>.box{${stroke("open")};stroke-dasharray:2 3;stroke-width:1.6}`,
  `.tg-map .way{fill:none;${stroke("line")};stroke-width:1.4}`,
  `.tg-map .head{${fill("line")}}`,
  `.tg-map .off>.way{stroke-dasharray:2 4}`,
  `.tg-map .open>.way{${stroke("open")};stroke-width:2}`,
  `.tg-map .open>.head{${fill("open")}}`,
  `.tg-map .open>text{${fill("open")}}`,
  ...["open", "added", "changed", "removed"].flatMap((change) => [
    `.tg-map .${change}>.box{${fill(`${change}-fill`)};${stroke(change)};stroke-width:2}`,
    `.tg-map .${change}>.title,.tg-map .${change}>text{${fill(change)}}`,
    `.tg-map .node.${change}>text{${fill("text")}}`,
    `.tg-map .node.${change}>.title{${fill(change)};font-weight:600}`,
    `.tg-map .${change}>.way{${stroke(change)};stroke-width:2}`,
    `.tg-map .${change}>.head{${fill(change)}}`,
  ]),
  `.tg-map .removed>.way,.tg-map .removed>.box{stroke-dasharray:6 4}`,
  `.tg-map .label{font-size:11px}`,
  `.tg-map .plate{${fill("paper")}}`,
].join("");
