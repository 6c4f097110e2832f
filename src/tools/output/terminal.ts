/**
 * Documents as lines of text, for a terminal or a log. Control sequences of terminals and commands of CI systems are made
 * visible.
 */
import { styleText } from "node:util";
import { escapeControls, withoutCommands } from "../../schema/text/escape";
import { columnsOf } from "./width";
import { nonEmpty, spansOf, subjectOf } from "./document";
import type { DocumentBlock, Remark, Statement, TableBlock, Text } from "./document";
import { causedText, programLineText } from "./finding";
import type { Finding, Severity } from "./finding";
import { clipped } from "../../schema/text/phrase";

/** A terminal. A file or a pipe has no width. */
export interface Screen {
  readonly isColored?: boolean;
  /** In characters. */
  readonly columns?: number;
}

const colors = { error: "red", warning: "yellow", note: "cyan" } as const;

export function terminalText(blocks: readonly DocumentBlock[], screen: Screen = {}): string {
  const lines = new TerminalRenderer(screen).lines(blocks);
  return lines.length === 0 ? "" : withoutCommands(`${lines.join("\n")}\n`);
}

class TerminalRenderer {
  private readonly columns: number;

  constructor(private readonly screen: Screen) {
    this.columns = screen.columns ?? Infinity;
  }

  /** The lines of blocks, with an empty line between two blocks unless both are paragraphs. */
  lines(blocks: readonly DocumentBlock[]): string[] {
    const lines: string[] = [];
    let last: DocumentBlock | undefined;
    for (const block of nonEmpty(blocks)) {
      const own = this.block(block);
      if (own.length === 0) continue;
      if (last && !(last.kind === "paragraph" && isInline(block))) lines.push("");
      for (const line of own) lines.push(line);
      last = block;
    }
    return lines;
  }

  private block(block: DocumentBlock): string[] {
    switch (block.kind) {
      case "paragraph":
        return [this.text(block.text)];
      case "failures":
        return block.texts.flatMap((text) => this.failure(block.title, text));
      case "list":
        return block.items.flatMap(({ text, remark, items = [] }) => [
          this.text(text) + this.remark(remark),
          ...items.map((item) => `    ${this.text(item)}`),
        ]);
      case "table":
        return this.table(block);
      case "findings":
        return block.findings.map((each) => this.finding(each) + this.remark(block.remarkOf(each)));
      case "section":
      case "fold": {
        const inner = this.lines(block.blocks).map((line) => (line === "" ? "" : `  ${line}`));
        return [`${escapeControls(block.title)}:`, ...inner];
      }
      case "commands":
        return block.lines.map((line) => `  ${escapeControls(line)}`);
      case "picture":
        return [];
    }
  }

  private failure(title: string, text: string): string[] {
    const [first = "", ...rest] = text.split("\n").map(escapeControls);
    return [`${this.paint("error", escapeControls(title))}: ${first}`, ...rest.map((line) => `  | ${line}`)];
  }

  private finding(finding: Finding): string {
    const { severity, rule, place } = finding;
    const line = place ? ` (${programLineText(finding)})` : "";
    const text = escapeControls(causedText(finding) + line);
    const what = `${escapeControls(rule)}  ${this.text(subjectOf(finding))}: ${text}`;
    return `${this.paint(severity, severity.padEnd(7))} ${what}`;
  }

  private remark(remark: Remark | undefined): string {
    if (remark === undefined) return "";
    const text = `[${escapeControls(remark.text)}]`;
    return ` ${remark.isUsual ? text : this.style("magenta", text)}`;
  }

  private table({ columns, rows, isWide }: TableBlock): string[] {
    const cells = rows.map(({ name, cells: own, remark }) => [
      plainText(name) + (remark === undefined ? "" : ` [${remark.text}]`),
      ...own.map(({ brief, statements }) => brief ?? statements.map(statementText).join("; ")),
    ]);
    const lines = tableLines(columns, cells, !isWide && this.columns !== Infinity);
    const isTooWide = isWide && lines.some((line) => columnsOf(line) > this.columns);
    return isTooWide ? paragraphs(columns, cells) : lines;
  }

  private text(text: Text): string {
    const spans = spansOf(text).map((span) => {
      if (typeof span === "string") return escapeControls(span);
      return "code" in span
        ? escapeControls(span.code)
        : this.style("bold", escapeControls(plainText(span.strong)));
    });
    return spans.join("");
  }

  private paint(severity: Severity, text: string): string {
    return this.style(colors[severity], text);
  }

  private style(style: Parameters<typeof styleText>[0], text: string): string {
    return this.screen.isColored ? styleText(style, text, { validateStream: false }) : text;
  }
}

function isInline({ kind }: DocumentBlock): boolean {
  return kind === "paragraph" || kind === "commands";
}

function plainText(text: Text): string {
  const spans = spansOf(text).map((span) => {
    if (typeof span === "string") return span;
    return "code" in span ? span.code : plainText(span.strong);
  });
  return spans.join("");
}

function statementText(statement: Statement): string {
  return typeof statement === "string" ? statement : statement.text;
}

/** The rows if the table is too wide: the name, the last cell, and the other cells below. */
function paragraphs(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const [first = "", ...labels] = columns.slice(0, -1).map((column) => escapeControls(column.toLowerCase()));
  const width = labels.reduce((most, { length }) => Math.max(most, length), 0);
  const lines = rows.flatMap((row) => {
    const [name, ...cells] = row.map(escapeControls);
    const others = labels.map((label, i) => `    ${`${label}:`.padEnd(width + 1)} ${cells[i]}`);
    return [`${first} ${name}: ${cells.at(-1)}`, ...others, ""];
  });
  return lines.slice(0, -1);
}

/** The maximum width of a cell in a table with cut cells, in characters. */
const widest = 60;

/** The lines of a table. Without columns it has no head. */
export function tableLines(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  isCut = false,
): string[] {
  const head = columns.length === 0 ? [] : [columns.map((column) => column.toUpperCase())];
  const all = [...head, ...rows].map((row) =>
    row.map((cell) => (isCut ? clipped(escapeControls(cell), widest) : escapeControls(cell))),
  );
  const widths: number[] = [];
  for (const row of all)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, columnsOf(cell));
  return all.map((row) => {
    const cells = row.map((cell, i) => cell + " ".repeat(widths[i]! - columnsOf(cell)));
    return cells.join("  ").trimEnd();
  });
}
