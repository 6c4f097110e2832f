/** A table as Prettier writes it; columns from `numeric` on are set to the right. */
export function table(head, rows, numeric = head.length) {
  const texts = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, i) => Math.max(3, ...texts.map((row) => row[i].length)));
  const line = (row) =>
    `| ${row.map((text, i) => (i >= numeric ? text.padStart(widths[i]) : text.padEnd(widths[i]))).join(" | ")} |`;
  const rule = widths.map((width, i) => (i >= numeric ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  return [line(texts[0]), line(rule), ...texts.slice(1).map(line)].join("\n");
}
