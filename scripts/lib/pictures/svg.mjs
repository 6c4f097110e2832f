// A terminal as an SVG that reads well on light and dark pages.
import { linesOf } from "./ansi.mjs";

const columns = 100;
const font = { size: 13, width: 7.8, line: 18 };
const margin = { x: 16, top: 38, bottom: 16 };

// The 16 colours of a terminal: black, red, green, yellow, blue, magenta, cyan, white, and the bright ones.
const light = ["24292f", "b3261e", "116329", "7d4e00", "0550ae", "8250df", "0e6575", "57606a"];
const lightBright = ["57606a", "cf222e", "1a7f37", "9a6700", "0969da", "8250df", "1b7c83", "57606a"];
const dark = ["8b949e", "ff7b72", "56d364", "e3b341", "79c0ff", "d2a8ff", "56d4dd", "c9d1d9"];
const darkBright = ["8b949e", "ffa198", "7ee787", "f2cc60", "a5d6ff", "e2c5ff", "b3f0ff", "f0f6fc"];

/** `output` is a terminal's, with escape sequences of style; `title` describes the picture. */
export function svgOf(title, output) {
  const lines = linesOf(output, columns);
  const width = 2 * margin.x + columns * font.width;
  const height = margin.top + lines.length * font.line + margin.bottom;
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
text { font: ${font.size}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; }
${palette("f6f8fa", "d0d7de", "24292f", [...light, ...lightBright])}
@media (prefers-color-scheme: dark) {
${palette("0d1117", "30363d", "c9d1d9", [...dark, ...darkBright])}
}
.b { font-weight: 700; } .d { opacity: 0.65; } .i { font-style: italic; } .u { text-decoration: underline; }
</style>
<rect class="frame" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${[0, 1, 2].map((i) => `<circle class="dot" cx="${margin.x + 6 + i * 18}" cy="18" r="5"/>`).join("")}
${lines.map(drawn).filter(Boolean).join("\n")}
</svg>
`;
}

function palette(ground, border, ink, colors) {
  return [
    `.frame { fill: #${ground}; stroke: #${border}; }`,
    `.dot { fill: #${border}; }`,
    `text { fill: #${ink}; }`,
    ...colors.map((color, i) => `.c${i} { fill: #${color}; }`),
  ].join("\n");
}

function drawn(runs, at) {
  const spans = runs.filter(({ text }) => text.trim() !== "").map(span);
  return spans.length === 0
    ? ""
    : `<text y="${margin.top + (at + 1) * font.line - 5}">${spans.join("")}</text>`;
}

/** Every run has its own position and width, so that columns align in every font. */
function span({ text, column, bold, dim, italic, underline, color }) {
  const indent = text.length - text.trimStart().length;
  const seen = text.trim();
  const names = [
    bold && "b",
    dim && "d",
    italic && "i",
    underline && "u",
    color !== undefined && `c${color}`,
  ];
  const style = names.filter(Boolean).join(" ");
  const x = round(margin.x + (column + indent) * font.width);
  const length = round(seen.length * font.width);
  return `<tspan x="${x}" textLength="${length}"${style && ` class="${style}"`}>${escaped(seen)}</tspan>`;
}

const round = (number) => Math.round(number * 10) / 10;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
