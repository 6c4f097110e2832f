/**
 * Documents in Markdown, for pull request comments and for files. Texts of a document are never interpreted as Markdown or HTML.
 */
import { counted, firstLines, most5, shortened } from "../../schema/text/phrase";
import { escapeControls, withoutCommands } from "../../schema/text/escape";
import { nonEmpty, groupsOf, mostItems, section, spansOf, subjectOf } from "./document";
import type { DocumentBlock, FindingBlock, Item, Page, Remark, Row, Statement } from "./document";
import type { TableBlock, Text } from "./document";
import { causedText, countsOf, countsText, programLineText, sentenceOf } from "./finding";
import type { Finding, Severity } from "./finding";

interface MarkdownOptions {
  /** The level of the page's heading. */
  readonly level?: number;
  /** The maximum size of the page, in bytes. The page says how much it leaves out. Default: no limit. */
  readonly limit?: number;
}

export function markdownPage(
  { title, blocks }: Page,
  { level = 1, limit = Infinity }: MarkdownOptions = {},
): string {
  const page = new MarkdownPage(level, limit);
  page.draw([section(title, blocks)]);
  return page.text();
}

const icons: Readonly<Record<Severity, string>> = { error: "🛑", warning: "⚠️", note: "ℹ️" };

type Entry = readonly string[];

/** The bytes reserved for text around the entries: titles, counts and closing tags. */
const reserve = 300;

/** A page of bounded size. An entry is either complete or left out. */
class MarkdownPage {
  private readonly lines: string[] = [];
  private size = 0;

  constructor(
    private level: number,
    private readonly limit: number,
  ) {}

  text(): string {
    return `${this.lines.join("\n").trimEnd()}\n`;
  }

  draw(blocks: readonly DocumentBlock[]): void {
    for (const block of nonEmpty(blocks)) this.block(block);
  }

  private block(block: DocumentBlock): void {
    switch (block.kind) {
      case "paragraph":
        return this.line(
          `${block.level === undefined ? "" : `${icons[block.level]} `}${textOf(block.text)}`,
          "",
        );
      case "failures":
        return this.entries(
          block.texts,
          (text) => failureLines(block.title, text),
          counting("error"),
          block.share,
        );
      case "list":
        return this.entries(block.items, itemLines, counting(block.noun), block.share);
      case "table":
        return this.tables(block);
      case "findings":
        return this.findings(block);
      case "section":
        return this.section(block.title, block.blocks);
      case "fold":
        return this.fold(inHtml(block.title), () => this.draw(block.blocks));
      case "commands":
        return this.commands(block.lines.map(plain));
      case "picture":
        return this.picture(block.mermaid, block.share);
    }
  }

  private section(title: string, blocks: readonly DocumentBlock[]): void {
    this.line(`${"#".repeat(this.level)} ${escaped(title)}`, "");
    this.level += 1;
    this.draw(blocks);
    this.level -= 1;
  }

  private fold(title: string, draw: () => void): void {
    this.line(`<details><summary>${title}</summary>`, "");
    draw();
    this.line("</details>", "");
  }

  private commands(lines: Entry): void {
    const fence = fenceAround(lines.join("\n"), 3);
    this.line(`${fence}sh`, ...lines, fence, "");
  }

  private picture(mermaid: string | undefined, share: number | undefined): void {
    if (mermaid === undefined) return;
    const lines = ["```mermaid", mermaid.trimEnd(), "```", ""];
    if (this.hasRoom(lines, share)) this.line(...lines);
  }

  private findings({ findings, form, remarkOf, share }: FindingBlock): void {
    const hasRemarks = findings.some((finding) => remarkOf(finding) !== undefined);
    if (form === "table") this.line(...findingHead(hasRemarks));
    const lines = form === "table" ? findingRow : findingItem;
    const linesOf = (finding: Finding): Entry => lines(finding, remarkOf(finding));
    this.entries(findings, linesOf, (rest) => countsText(countsOf(rest)), share);
  }

  private table({ columns, noun, share }: TableBlock, rows: readonly Row[]): void {
    this.line(...tableHead(columns));
    this.entries(rows, tableRow, counting(noun), share);
  }

  /** One table, or a folded one for each group of rows. A table is left out if not even its first row fits. */
  private tables(block: TableBlock): void {
    const leftOut = groupsOf(block.rows).filter((rows) => !this.group(block, rows));
    this.leftOut(leftOut, counting("table"));
  }

  private group(block: TableBlock, rows: readonly [Row, ...Row[]]): boolean {
    const { remark } = rows[0];
    if (remark === undefined) {
      this.table(block, rows);
      return true;
    }
    const title = inHtml(`${block.group} ${remark.text}`);
    const names = remark.isWhole ? [] : [namesIn(remark), ""];
    const first = [title, ...names, ...tableHead(block.columns), ...tableRow(rows[0])];
    if (!this.hasRoom(first, block.share)) return false;
    this.fold(title, () => {
      this.line(...names);
      this.table(block, rows);
    });
    return true;
  }

  /** Adds each entry that fits into this share of the page, and reports the omitted entries. */
  private entries<T>(
    all: readonly T[],
    linesOf: (entry: T) => Entry,
    countOf: (rest: readonly T[]) => string,
    share?: number,
  ): void {
    const rest = all.filter((entry) => {
      const lines = linesOf(entry);
      const fits = this.hasRoom(lines, share);
      if (fits) this.line(...lines);
      return !fits;
    });
    this.line("");
    this.leftOut(rest, countOf);
  }

  private leftOut<T>(rest: readonly T[], countOf: (rest: readonly T[]) => string): void {
    if (rest.length > 0) this.line(`… and ${countOf(rest)} more, left out because of the size limit.`, "");
  }

  private line(...lines: Entry): void {
    for (const line of lines) this.lines.push(line);
    this.size += bytes(lines);
  }

  private hasRoom(lines: Entry, share = 1): boolean {
    return this.size + bytes(lines) <= this.limit * share - reserve;
  }
}

function counting(noun: string): (rest: readonly unknown[]) => string {
  return (rest) => counted(rest.length, noun);
}

/** The size of lines with their line breaks. */
function bytes(lines: Entry): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function failureLines(title: string, text: string): Entry {
  return [`> **${escaped(title)}:** ${escaped(text, 500)}`, ""];
}

function itemLines({ text, remark, items = [], noun = "item", fold }: Item): Entry {
  const title = `- ${textOf(text)}${behind(remark)}`;
  const lines = firstLines(items, mostItems, noun).map((item) => textOf(item));
  if (fold === undefined || items.length <= most5) return [title, ...lines.map((line) => `  - ${line}`)];
  return [`${title} <details><summary>${inHtml(fold)}</summary>${lines.join("<br>")}</details>`];
}

function tableHead(columns: readonly string[]): Entry {
  return [`| ${columns.map((column) => escaped(column)).join(" | ")} |`, `|${"---|".repeat(columns.length)}`];
}

function tableRow({ name, cells }: Row): Entry {
  const texts = cells.map(({ statements }) => statements.map(statementText).join("<br>"));
  return [`| ${[cellText(name), ...texts].join(" | ")} |`];
}

function statementText(statement: Statement): string {
  return cellText(typeof statement === "string" ? statement : statement.text);
}

function findingHead(hasRemarks: boolean): Entry {
  const more = hasRemarks ? [" Stacks |", "---|"] : ["", ""];
  return [`| | Rule | Resource | What |${more[0]}`, `|---|---|---|---|${more[1]}`];
}

function findingRow(finding: Finding, remark: Remark | undefined): Entry {
  const { severity, rule } = finding;
  const cells = [
    `${icons[severity]} ${severity}`,
    cellText([{ code: rule }]),
    cellText(subjectOf(finding)),
    [cellText(sentenceOf(finding)), ...lineOf(finding, cellText)].join("<br>"),
  ];
  if (remark !== undefined) cells.push(remarkText(remark));
  return [`| ${cells.join(" | ")} |`];
}

function findingItem(finding: Finding, remark: Remark | undefined): Entry {
  const { severity, rule } = finding;
  const text = `${textOf(subjectOf(finding))}: ${escaped(causedText(finding))}`;
  const parts = [text, ...lineOf(finding, textOf)].join(" ");
  return [`- ${icons[severity]} ${severity} ${code(rule)} ${parts}${behind(remark)}`];
}

function lineOf(finding: Finding, write: (text: Text) => string): string[] {
  const line = programLineText(finding);
  return line === undefined ? [] : [write([{ code: line }])];
}

function behind(remark: Remark | undefined): string {
  if (remark === undefined) return "";
  return remark.isWhole ? ` (${remarkText(remark)})` : ` ${remarkText(remark)}`;
}

/** The remark, with a collapsed list of all names if the text does not name them all. */
function remarkText(remark: Remark): string {
  const text = inHtml(remark.text);
  if (remark.isUsual) return text;
  if (remark.isWhole) return `<b>${text}</b>`;
  return `<details><summary><b>${text}</b></summary>${namesIn(remark)}</details>`;
}

function namesIn({ names }: Remark): string {
  return inHtml(names.join(", "), 2000);
}

function textOf(text: Text, codeOf = code): string {
  const spans = spansOf(text).map((span) => {
    if (typeof span === "string") return escaped(span);
    return "code" in span ? codeOf(span.code) : `**${textOf(span.strong, codeOf)}**`;
  });
  return spans.join("");
}

/** The text of a cell. A pipe ends a cell even inside a code span. */
function cellText(text: Text): string {
  return textOf(text, (value) => code(value).replace(/\|/g, "\\|"));
}

/** Any text as a code span on one line. The fence is longer than any run of backticks in the text. */
function code(text: string): string {
  const flat = plain(text);
  const fence = fenceAround(flat);
  const space = flat === "" || /^[` ]|[` ]$/.test(flat) ? " " : "";
  return `${fence}${space}${flat}${space}${fence}`;
}

/** A longer run of backticks than any in the text. */
function fenceAround(text: string, least = 1): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least));
}

/** Code on one line. */
function plain(text: string): string {
  return withoutCommands(escapeControls(text));
}

/**
 * Escapes text so that it is neither Markdown nor HTML, mentions nobody, links to nothing and keeps its direction. GitHub
 * makes links of bare URLs, host names that begin with www and numbers of issues.
 */
function escaped(text: string, most = 1000): string {
  const flat = escapeControls(text.replace(/\s+/g, " "));
  return shortened(flat, most)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]#~|]/g, "\\$&")
    .replace(/^( ?)([-+=]|:(?=:))/, "$1\\$2")
    .replace(/^(\d{1,9})([.)])(?= |$)/, "$1\\$2")
    .replace(/@|:(?=\/\/)|www(?=\.)|(?:#|GH-)(?=\d)/gi, "$&\u200b");
}

/** The same with entities: between HTML tags, backslashes do not escape. */
function inHtml(text: string, most?: number): string {
  return escaped(text, most).replace(
    /\\([\\`*_[\]#~|+=:.)-])/g,
    (_, mark: string) => `&#${mark.charCodeAt(0)};`,
  );
}
