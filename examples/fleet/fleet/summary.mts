/** What a run has done, as a table. */
import type { Result } from "./runner.mts";

export function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ account, ring, outcome, changes, seconds }) => [
    account,
    ring,
    outcome,
    changes === undefined ? "" : changesText(changes),
    seconds === undefined ? "" : `${seconds.toFixed(1)} s`,
  ]);
  const all = [["Account", "Ring", "Result", "Changes", "Time"], ...rows];
  const widths = all[0]!.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  return all
    .map((row) =>
      row
        .map((text, i) => text.padEnd(widths[i]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** How many accounts have each outcome. */
export function countsOf(results: readonly Result[]): string {
  const outcomes = [...new Set(results.map(({ outcome }) => outcome))];
  return outcomes
    .map((each) => `${results.filter(({ outcome }) => outcome === each).length} ${each}`)
    .join(", ");
}

export function changesText(changes: Readonly<Record<string, number>>): string {
  const texts = Object.entries(changes).filter(([operation]) => operation !== "same");
  return texts.length === 0 ? "none" : texts.map(([operation, count]) => `${operation} ${count}`).join(", ");
}
