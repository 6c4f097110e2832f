/** docs/development/benchmarks.svg: a panel for each step, in it a pair of bars for each count; each panel has a scale of its own. */
const panel = { width: 176, height: 150, gap: 24, top: 64, left: 24, foot: 44 };
const colors = { own: "#2563a8", other: "#a8b0ba" };
const family = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'";

export function chart(compared) {
  const names = compared[0].steps.map(({ name }) => name);
  const width = panel.left * 2 + names.length * panel.width + (names.length - 1) * panel.gap;
  const height = panel.top + panel.height + panel.foot;
  const title = "Seconds of each step by number of rules: this package and a provider that does nothing";
  return `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${width} ${height}' width='${width}' height='${height}' role='img'>
  <title>${title}</title>
  <rect width='${width}' height='${height}' fill='#ffffff'/>
  <g ${family} font-size='12' fill='#24292f'>
${legend()}
${names.map((name, i) => onePanel(name, i, compared)).join("\n")}
  </g>
</svg>
`;
}

function legend() {
  const entries = [
    [colors.own, "pulumi-tunnel-gateway"],
    [colors.other, "a provider that does nothing"],
  ];
  return entries
    .map(([color, text], i) => {
      const x = panel.left + i * 170;
      return `    <rect x='${x}' y='14' width='12' height='12' fill='${color}'/><text x='${x + 18}' y='24'>${text}</text>`;
    })
    .join("\n");
}

function onePanel(name, index, compared) {
  const x = panel.left + index * (panel.width + panel.gap);
  const base = panel.top + panel.height;
  const steps = compared.map(({ count, steps }) => ({ count, ...steps.find((step) => step.name === name) }));
  const most = Math.max(...steps.flatMap(({ seconds, other }) => [seconds, other.seconds]));
  const group = panel.width / steps.length;
  const bar = Math.min(26, (group - 10) / 2);
  const tall = (seconds) => (seconds / most) * (panel.height - 34);
  const one = (left, seconds, color) => {
    const height = tall(seconds);
    const label = seconds.toFixed(seconds < 10 ? 1 : 0);
    return (
      `    <rect x='${round(left)}' y='${round(base - height)}' width='${round(bar - 1)}' height='${round(height)}' fill='${color}'/>` +
      `<text x='${round(left + bar / 2)}' y='${round(base - height - 4)}' text-anchor='middle' font-size='10'>${label}</text>`
    );
  };
  const groups = steps.map(({ count, seconds, other }, i) => {
    const middle = x + group * (i + 0.5);
    return [
      one(middle - bar, seconds, colors.own),
      one(middle, other.seconds, colors.other),
      `    <text x='${round(middle)}' y='${base + 16}' text-anchor='middle'>${count}</text>`,
    ].join("\n");
  });
  return [
    `    <text x='${x}' y='${panel.top - 8}' font-weight='600'>${name}</text>`,
    ...groups,
    `    <line x1='${x}' x2='${x + panel.width}' y1='${base}' y2='${base}' stroke='#8c959f'/>`,
    `    <text x='${x + panel.width / 2}' y='${base + 34}' text-anchor='middle' font-size='10' fill='#57606a'>rules; bars in seconds</text>`,
  ].join("\n");
}

const round = (value) => Number(value.toFixed(1));
