/**
 * The colors of the picture. Every color is a custom property, so a page may set another one. The contrast of text is at
 * least 4.5 to 1 in both schemes.
 */
const light = {
  paper: "#ffffff",
  text: "#1f2328",
  quiet: "#59636e",
  line: "#818b98",
  clients: "#f6f8fa",
  guard: "#fff8e6",
  entry: "#eaf4ff",
  backend: "#f5f0ff",
  agents: "#e8f8f5",
  added: "#1a7f37",
  "added-fill": "#dafbe1",
  changed: "#9a6700",
  "changed-fill": "#fff8c5",
  removed: "#59636e",
  "removed-fill": "#f6f8fa",
  open: "#cf222e",
  "open-fill": "#ffebe9",
};

const dark: typeof light = {
  paper: "#0d1117",
  text: "#f0f6fc",
  quiet: "#9aa4af",
  line: "#6e7681",
  clients: "#161b22",
  guard: "#2b2413",
  entry: "#11233b",
  backend: "#241b3a",
  agents: "#0f2a26",
  added: "#3fb950",
  "added-fill": "#12301c",
  changed: "#d29922",
  "changed-fill": "#332811",
  removed: "#9aa4af",
  "removed-fill": "#161b22",
  open: "#f85149",
  "open-fill": "#3c1618",
};

function properties(colors: typeof light): string {
  return Object.entries(colors)
    .map(([name, color]) => `--tg-map-${name}:${color}`)
    .join(";");
}

const fill = (name: string): string => `fill:var(--tg-map-${name})`;
const stroke = (name: string): string => `stroke:var(--tg-map-${name})`;

/** The rules of one picture. They apply to `.tg-map` only. */
export const styleSheet = [
  `:where(.tg-map){${properties(light)}}`,
  `@media (prefers-color-scheme:dark){:where(.tg-map){${properties(dark)}}}`,
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
