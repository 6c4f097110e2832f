/** Results on stdout: tables for people, JSON for machines. */
import type { DocumentBlock } from "../../document/document";
import { tableLines, terminalText } from "../../document/terminal";
import { isRecord } from "../../schema/unknown";
import { withoutCommands, escapeControlsInLines } from "../../text/terminal";

/** Any value as one line. */
export function inline(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(inline).join(", ");
  if (isRecord(value)) {
    // The id of a reference is enough for a reader.
    if (typeof value.id === "string" && typeof value.uri === "string") return value.id;
    return Object.entries(value)
      .map(([name, member]) => `${name}=${inline(member)}`)
      .join(", ");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function printTable(columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const cells = rows.map((row) => row.map(inline));
  print(tableLines(columns.map(wordsOf), cells, process.stdout.isTTY));
}

/** Names and values, one pair in a line. */
export function printPairs(pairs: readonly (readonly [string, unknown])[]): void {
  print(
    tableLines(
      [],
      pairs.map(([name, value]) => [wordsOf(name).toUpperCase(), inline(value)]),
    ),
  );
}

/** A document. */
export function printBlocks(blocks: readonly DocumentBlock[]): void {
  const { isTTY, columns } = process.stdout;
  process.stdout.write(terminalText(blocks, isTTY ? { columns } : {}));
}

/** The value as JSON, safe for a terminal. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, undefined, 2));
}

/** A line, or the lines of some code. */
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
