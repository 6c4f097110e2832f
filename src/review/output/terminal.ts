/** The review for a terminal, or for any log. */
import { styleText } from "node:util";
import { escapeControls, withoutCommands } from "../../text/terminal";
import { accessRows, rangeCounts } from "./access-table";
import { counted, shortened } from "../../text/phrase";
import type { InStacks } from "../in-stacks";
import type { Change, Review, SilencedFinding, StackSummary } from "../review";
import type { Finding } from "../rule";
import {
  changeItems,
  clientTexts,
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
  verdictText,
} from "./words";
import type { ClientText } from "./words";

const colors = { error: "red", warning: "yellow", note: "cyan" } as const;

/**
 * The review as lines of text; what would steer a terminal is spelled out. `columns` is the width of the terminal, in
 * characters.
 */
export function terminal(review: Review, colored = false, columns = Infinity): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    colored ? styleText(style, text, { validateStream: false }) : text;
  const lines: string[] = [];
  /** Adds the lines, if there are any, with an empty one behind them. */
  const section = (own: readonly string[], title?: string): void => {
    if (own.length > 0) lines.push(...(title === undefined ? [] : [title]), ...own, "");
  };
  const where = (entry: InStacks): string => {
    const text = stacksText(entry, review);
    if (text === undefined) return "";
    return ` ${isInAll(entry, review) ? `[${text}]` : paint("magenta", `[${escapeControls(text)}]`)}`;
  };
  const findingText = (finding: Finding): string => {
    const { severity, rule, message } = finding;
    const text = escapeControls(`${rule}  ${subjectText(finding)}: ${message}`);
    return `${paint(colors[severity], severity.padEnd(7))} ${text}${where(finding)}`;
  };
  const silencedLine = ({ finding, reason, stacks }: SilencedFinding): string =>
    `  ${findingText({ ...finding, stacks })} (${escapeControls(reason)})`;
  const changeLines = (change: Change): string[] => [
    `${paint("bold", escapeControls(`${change.type} ${change.name}`))}: ${happening(change, escapeControls)}${where(change)}`,
    ...changeItems(change).map((pieces) => `    ${pieceText(pieces, escapeControls)}`),
  ];
  const clientLines = (each: ClientText): string[] => [
    `${escapeControls(each.text)}${where(each)}`,
    ...each.listed.map((client) => `    ${escapeControls(client)}`),
  ];
  const { errors, changes, findings, existing, silenced, silences, stacks } = review;
  for (const error of errors) {
    const [first, ...rest] = error.split("\n").map(escapeControls);
    section([`${paint("red", "the preview failed")}: ${first}`, ...rest.map((each) => `  | ${each}`)]);
  }
  section(changes.flatMap(changeLines));
  lines.push(...accessLines(review, columns));
  section(clientTexts(review).flatMap(clientLines));
  section(findings.map(findingText));
  section(
    existing.map((each) => `  ${findingText(each)}`),
    "not caused by this deployment:",
  );
  section(silenced.map(silencedLine), `${counted(silenced.length, "silenced finding")}:`);
  section(settingsText(review).map(escapeControls));
  section(testsText(review));
  section(
    silences.map((silence) => `  ${escapeControls(silenceText(silence))}`),
    `${counted(silences.length, "silence")}:`,
  );
  section(skippedText(review));
  if (stacks) section(stackLines(stacks));
  const parts = [summary(review), verdictText(review)];
  lines.push((errors.length === 0 ? parts : parts.reverse()).join("; "));
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
