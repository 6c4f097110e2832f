/** The review for a terminal, or for any log. */
import { styleText } from "node:util";
import { escapeControls, withoutCommands } from "../../text/terminal";
import { accessRows, rangeCounts } from "./access-table";
import { counted, shortened } from "../../text/phrase";
import type { InStacks } from "../in-stacks";
import type { Review, StackSummary } from "../review";
import type { Finding } from "../rule";
import {
  changeItems,
  clientTexts,
  countText,
  happening,
  isInAll,
  pieceText,
  settingsText,
  silenceText,
  subjectText,
  summary,
  skippedText,
  stackText,
  stacksText,
  testsText,
} from "./words";

const colors = { error: "red", warning: "yellow", note: "cyan" } as const;

/**
 * The review as lines of text; what would steer a terminal is spelled out. `columns` is the width of the terminal, in
 * characters.
 */
export function terminal(review: Review, colored = false, columns = Infinity): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    colored ? styleText(style, text, { validateStream: false }) : text;
  const lines: string[] = [];
  const where = (entry: InStacks): string => {
    const text = stacksText(entry, review);
    if (text === undefined) return "";
    return ` ${isInAll(entry, review) ? `[${text}]` : paint("magenta", `[${escapeControls(text)}]`)}`;
  };
  const line = (finding: Finding): string => {
    const { severity, rule, message } = finding;
    const text = escapeControls(`${rule}  ${subjectText(finding)}: ${message}`);
    return `${paint(colors[severity], severity.padEnd(7))} ${text}${where(finding)}`;
  };
  for (const error of review.errors) {
    const [first, ...rest] = error.split("\n").map(escapeControls);
    lines.push(`${paint("red", "the preview failed")}: ${first}`, ...rest.map((each) => `  | ${each}`), "");
  }
  for (const change of review.changes) {
    lines.push(
      `${paint("bold", escapeControls(`${change.type} ${change.name}`))}: ${happening(change, escapeControls)}${where(change)}`,
    );
    lines.push(...changeItems(change).map((pieces) => `    ${pieceText(pieces, escapeControls)}`));
  }
  if (review.changes.length > 0) lines.push("");
  lines.push(...accessLines(review, columns));
  const clients = clientTexts(review);
  if (clients.length > 0) {
    const texts = clients.flatMap((each) => [
      `${escapeControls(each.text)}${where(each)}`,
      ...each.listed.map((client) => `    ${escapeControls(client)}`),
    ]);
    lines.push(...texts, "");
  }
  if (review.findings.length > 0) lines.push(...review.findings.map(line), "");
  if (review.existing.length > 0) {
    lines.push(`not caused by this deployment:`, ...review.existing.map((each) => `  ${line(each)}`), "");
  }
  if (review.silenced.length > 0) {
    const each = review.silenced.map(
      ({ finding, reason, stacks }) => `  ${line({ ...finding, stacks })} (${escapeControls(reason)})`,
    );
    lines.push(`${counted(review.silenced.length, "silenced finding")}:`, ...each, "");
  }
  for (const settings of settingsText(review)) lines.push(escapeControls(settings), "");
  for (const tests of testsText(review)) lines.push(tests, "");
  if (review.silences.length > 0) {
    const each = review.silences.map((silence) => `  ${escapeControls(silenceText(silence))}`);
    lines.push(`${counted(review.silences.length, "silence")}:`, ...each, "");
  }
  for (const skipped of skippedText(review)) lines.push(skipped, "");
  if (review.stacks) lines.push(...stackLines(review.stacks), "");
  lines.push(`${summary(review)}; ${countText(review.findings)}`);
  return withoutCommands(`${lines.join("\n")}\n`);
}

/** The access that changes: a table with one line per resource, or one paragraph each where the table is too wide. */
function accessLines(review: Review, columns: number): string[] {
  const rows = accessRows(review.access, rangeCounts).map(({ item, before, after, difference }) => {
    const cells = [before, after, difference].map((cell) => cell.join("; "));
    const stacks = stacksText(item, review);
    const name = `${item.type} ${item.name}${stacks === undefined ? "" : ` [${stacks}]`}`;
    return [name, ...cells].map(escapeControls);
  });
  if (rows.length === 0) return [];
  const table = [["ACCESS TO", "BEFORE", "AFTER", "DIFFERENCE"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
  return lines.every((line) => line.length <= columns) ? [...lines, ""] : rows.flatMap(accessParagraph);
}

/** The most stacks that are listed one by one. */
const mostStacks = 100;

function stackLines(stacks: readonly StackSummary[]): string[] {
  const shown = stacks.slice(0, mostStacks).map((each) => [shortened(each.stack, 60), stackText(each)]);
  const cells = shown.map((row) => row.map(escapeControls));
  const width = Math.max(...cells.map(([name]) => name!.length));
  const rest = stacks.length - shown.length;
  return [
    ...cells.map(([name, text]) => `${name!.padEnd(width)}  ${text}`),
    ...(rest > 0 ? [`and ${counted(rest, "more stack")}`] : []),
  ];
}

function accessParagraph([name, before, after, difference]: readonly string[]): string[] {
  return [`access to ${name}: ${difference}`, `    before: ${before}`, `    after:  ${after}`, ""];
}
