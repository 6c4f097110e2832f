/** Results on stdout: tables for people, JSON for machines. */
import { inline } from "../../inventory/filter-text";
import type { DocumentBlock } from "../../output/document";
import { tableLines, terminalText } from "../../output/terminal";
import { withoutCommands, escapeControlsInLines } from "../../../schema/text/escape";

export function printTable(columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const cells = rows.map((row) => row.map(inline));
  print(tableLines(columns.map(wordsOf), cells, process.stdout.isTTY));
}

export function printPairs(pairs: readonly (readonly [string, unknown])[]): void {
  print(
    tableLines(
      [],
      pairs.map(([name, value]) => [wordsOf(name).toUpperCase(), inline(value)]),
    ),
  );
}

export function printBlocks(blocks: readonly DocumentBlock[]): void {
  const { isTTY, columns } = process.stdout;
  process.stdout.write(terminalText(blocks, isTTY ? { columns } : {}));
}

/** The value as JSON, safe for a terminal. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, undefined, 2));
}

/** Prints a line, or the lines of some code. */
export function printLine(line: string): void {
  process.stdout.write(`${withoutCommands(escapeControlsInLines(line))}\n`);
}

function print(lines: readonly string[]): void {
  process.stdout.write(withoutCommands(`${lines.join("\n")}\n`));
}

/** `createdAt` as "created at". */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
