/** What must hold, by the rows that it is about. `against` is the variant to which a ratio compares. */
const targets = [
  { rows: /^300 rules: (up|update|destroy)$/, figure: "ratio", against: "nothing", limit: 0.85 },
  { rows: /^300 rules: preview$/, figure: "ratio", against: "nothing", limit: 1.05 },
  { rows: /^300 rules: refresh$/, figure: "requests", limit: 30 },
  { rows: /^300 rules: state$/, figure: "bytes", limit: 301 * 2800 },
  { rows: /^1000 rules as a set: refresh$/, figure: "requests", limit: 11 },
  { rows: /^1000 rules as a set: state$/, figure: "bytes", limit: 150_000 },
  { rows: /^1000 rules as a set: (up|refresh)$/, figure: "memory", limit: 300e6 },
  { rows: /^up of .* through the broker$/, figure: "ratio", against: "direct", limit: 1.05 },
  { rows: /^review of 10000 rules$/, figure: "ms", limit: 3000 },
  { rows: /^review of 100 stacks /, figure: "ms", limit: 5000 },
  { rows: /^review of .* log lines$/, figure: "ms", limit: 4000 },
  { rows: /^review of /, figure: "memory", limit: 1e9 },
  { rows: /^import of 1000 objects$/, figure: "ms", limit: 20_000 },
  { rows: /^load of the package/, figure: "ms", limit: 60 },
];

const shown = {
  ms: (ms) => `${ms < 100 ? ms.toFixed(1) : Math.round(ms)} ms`,
  memory: (bytes) => `${Math.round(bytes / 1e6)} MB`,
  bytes: (bytes) => `${Math.round(bytes)} B`,
  requests: String,
  ratio: (value) => value.toFixed(2),
};
const show = (figure, value) => (value === undefined ? "–" : shown[figure](value));

const others = { nothing: "doing nothing", direct: "the command without it" };

/** The targets with what was measured. */
export function assess(rows) {
  return targets.flatMap(({ rows: pattern, figure, against, limit }) =>
    rows
      .filter(({ what }) => pattern.test(what))
      .map((row) => {
        const value =
          { ms: () => row.ms("own"), ratio: () => row.ratio(against) }[figure]?.() ?? row.most(figure);
        const name =
          figure === "ratio" ? `time over that of ${others[against]}` : ({ ms: "time" }[figure] ?? figure);
        const isMet = value === undefined ? "not measured" : value <= limit ? "met" : "not met";
        return [`${row.what}, ${name}`, `at most ${show(figure, limit)}`, show(figure, value), isMet];
      }),
  );
}

/** The text of docs/development/benchmarks.md; Oxfmt gives it its form. */
export function report({ stacks, commands, against, machine, runs, command }) {
  const all = [...stacks, ...commands];
  return `# Benchmarks

<!-- Written by \`npm run bench\`. Do not edit. -->

What this package costs, with the real engine, a file backend and the emulator in a process of its own, which answers immediately.
It is compared with a dynamic provider that does nothing and sends nothing, with as many resources and properties of the same
sizes${against === undefined ? "" : `, and with the package as it was at commit \`${against}\``}. All take turns, step by step, on
one machine.

- Command: \`${command}\`, ${machine.date}
- Machine: ${machine.cores} cores (${machine.processor}), ${machine.system}
- Versions: Node.js ${machine.node}, Pulumi CLI ${machine.cli}, @pulumi/pulumi ${machine.sdk}
- Figures: the median of ${runs === 1 ? "one run" : `${runs} runs`}; a ratio is this package's time over the other, the median of those
  that took turns; memory is the largest

## Targets

${table(["", "Target", "Measured", ""], assess(all))}

## Stacks

A policy and its rules, as resources and as one \`IpPolicyRuleSet\`; \`update\` changes every tenth rule. The memory is that of the
plugin, and the bytes are those of the whole state after the update.

${stackTable(stacks, against)}

## Commands

The time and the memory of whole processes; through the broker is \`deploy --approved\`. In the reviews every rule changes, or every tenth range; in every tenth stack one rule differs.

${commandTable(commands, against)}
`;
}

function stackTable(rows, against) {
  const head = ["", "Requests", "This package", "Memory", "Native", "Memory", "Do nothing", "Ratio"];
  const cells = rows.map((row) => [
    row.what,
    show("requests", row.most("requests")),
    cost(row, "own"),
    show("memory", row.most("memory")),
    cost(row, "native"),
    show("memory", row.most("memory", "native")),
    cost(row, "nothing"),
    show("ratio", row.ratio("nothing")),
    ...earlierCells(row, against),
  ]);
  return table([...head, ...earlierHead(against)], cells, 1);
}

function commandTable(rows, against) {
  const head = ["", "Requests", "Time", "Memory"];
  const cells = rows.map((row) => [
    row.what,
    show("requests", row.most("requests")),
    cost(row, "own"),
    show("memory", row.most("memory")),
    ...earlierCells(row, against),
    ...(against === undefined ? [] : [show("memory", row.most("memory", "earlier"))]),
  ]);
  return table([...head, ...earlierHead(against), ...(against === undefined ? [] : ["Memory"])], cells, 1);
}

/** The time of a variant, or the bytes of its state. */
const cost = (row, variant) => {
  const bytes = row.most("bytes", variant);
  return bytes === undefined ? show("ms", row.ms(variant)) : show("bytes", bytes);
};

const earlierHead = (against) => (against === undefined ? [] : [`At ${against}`, "Ratio"]);

function earlierCells(row, against) {
  return against === undefined ? [] : [cost(row, "earlier"), show("ratio", row.ratio("earlier"))];
}

/** Columns from `numeric` on are set to the right. */
function table(head, rows, numeric = head.length) {
  const rule = head.map((_, i) => (i >= numeric ? "--:" : "---"));
  return [head, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
