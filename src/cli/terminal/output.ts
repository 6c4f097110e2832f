/** Results on stdout: tables for people, JSON for machines. */
import Table from "cli-table3";
import { isRecord } from "../../schema/unknown";
import { withoutCommands, escapeControls, escapeControlsInLines } from "../../text/terminal";

/** Any value as one line. */
export function inline(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(inline).join(", ");
  if (isRecord(value)) {
    // The id of a reference is enough for a reader.
    if (typeof value.id === "string" && typeof value.uri === "string") return escapeControls(value.id);
    return Object.entries(value)
      .map(([name, member]) => `${escapeControls(name)}=${inline(member)}`)
      .join(", ");
  }
  return escapeControls(typeof value === "string" ? value : JSON.stringify(value));
}

/** The widest cell on a terminal, in characters. Elsewhere cells are not cut. */
const widest = 60;

export function printTable(columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const table = plainTable(columns.map(heading));
  table.push(...rows.map((row) => row.map((value) => cut(inline(value)))));
  print(table);
}

/** Names and values, one pair in a line. */
export function printPairs(pairs: readonly (readonly [string, unknown])[]): void {
  const table = plainTable([]);
  table.push(...pairs.map(([name, value]) => [heading(name), inline(value)]));
  print(table);
}

/** The value as JSON, safe for a terminal. */
export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, undefined, 2));
}

/** A line, or the lines of some code. */
export function printLine(line: string): void {
  process.stdout.write(`${withoutCommands(escapeControlsInLines(line))}\n`);
}

function plainTable(head: string[]): InstanceType<typeof Table> {
  const borders =
    "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid";
  const chars = { ...Object.fromEntries(borders.split(" ").map((name) => [name, ""])), middle: "  " };
  const style = { head: [], border: [], "padding-left": 0, "padding-right": 0 };
  return new Table({ head, chars, style });
}

function print(table: InstanceType<typeof Table>): void {
  const lines = table.toString().split("\n");
  process.stdout.write(withoutCommands(`${lines.map((line) => line.trimEnd()).join("\n")}\n`));
}

/** `createdAt` as CREATED AT. */
function heading(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
}

function cut(text: string): string {
  return process.stdout.isTTY && text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}
