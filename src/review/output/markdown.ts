/** The review as a comment of a pull request. */
import { accessRows, rangesOf } from "./access-table";
import type { AccessRow } from "./access-table";
import type { Change, Review } from "../review";
import type { Finding } from "../rule";
import { capitalized } from "../../text/capitalized";
import { counted } from "../../text/plural";
import {
  actionCounts,
  changeItems,
  countText,
  happening,
  mostFields,
  pieceText,
  subjectText,
  summary,
  skippedText,
} from "./words";

/** The most characters that a comment on GitHub may have; the review counts bytes. */
export const commentLimit = 65_536;

/** The first line, by which a pipeline finds its earlier comment. */
const commentMark = "<!-- tunnel-gateway review -->";

/**
 * The review in Markdown, of at most `limit` bytes: findings come first, and the page says how much it leaves out.
 * @param map a Mermaid flowchart of what changes, which the page contains if there is room for it.
 */
export function markdown(review: Review, limit: number = commentLimit, map?: string): string {
  const page = new Page(limit);
  page.line(commentMark);
  page.line(`## Tunnel Gateway: ${countText(review.findings)}`, "");
  page.line(`${capitalized(summary(review))}.`, "");
  for (const error of review.errors.slice(0, 5))
    page.line(`> **The preview failed:** ${escaped(error, 500)}`, "");
  findings(page, review);
  access(page, review);
  if (map !== undefined) page.optional(0.85, "```mermaid", map.trimEnd(), "```", "");
  const { changes, existing, silenced } = review;
  page.fold(`Changes: ${actionCounts(changes)}`, changes, changeBlock, "change", 0.97);
  const existingTitle = `${counted(existing.length, "finding")} that this deployment does not cause`;
  page.fold(existingTitle, existing, (finding) => [`- ${findingText(finding)}`], "finding", 0.98);
  page.fold(counted(silenced.length, "silenced finding"), silenced, silencedBlock, "finding", 0.99);
  const skipped = skippedText(review);
  if (skipped !== undefined) page.line(escaped(capitalized(skipped), 1000) + ".");
  return page.text();
}

function findings(page: Page, { findings }: Review): void {
  const head = ["| | Rule | Resource | What |", "|---|---|---|---|"];
  const row = (finding: Finding): string[] => {
    const { severity, rule, message } = finding;
    const cells = [icons[severity], code(rule), resource(finding), cell(capitalized(escaped(message, 400)))];
    return [`| ${cells.join(" | ")} |`];
  };
  page.blocks(head, findings, row, "finding", 0.6);
}

function access(page: Page, { access }: Review): void {
  const head = ["| Access to | Before | After | Difference |", "|---|---|---|---|"];
  const lines = (statements: readonly string[]): string =>
    statements.map((statement) => cell(escaped(statement, 400))).join("<br>");
  const row = ({ item, before, after, difference }: AccessRow): string[] => [
    `| ${item.type} ${cell(code(item.name))} | ${[before, after, difference].map(lines).join(" | ")} |`,
  ];
  page.blocks(head, accessRows(access, rangesOf), row, "resource", 0.75);
}

function silencedBlock({ finding, reason }: Review["silenced"][number]): string[] {
  return [`- ${findingText(finding)}. Silenced: ${escaped(reason, 200)}`];
}

const icons = { error: "🛑 error", warning: "⚠️ warning", note: "ℹ️ note" } as const;

function resource({ type, name }: Finding): string {
  return type === "" ? "the deployment" : `${type} ${cell(code(name))}`;
}

function findingText(finding: Finding): string {
  const { severity, rule, message } = finding;
  return `${icons[severity]} ${code(rule)} ${escaped(subjectText(finding), 200)}: ${escaped(message, 400)}`;
}

function changeBlock(change: Change): string[] {
  const what = happening({ ...change, replaceReasons: change.replaceReasons.map(code) });
  const items = changeItems(change, mostFields).map((pieces) => `  - ${pieceText(pieces, code)}`);
  return [`- **${change.type}** ${code(change.name)}: ${what}`, ...items];
}

/** Any text as a code span: with a longer fence than any run of backticks in it, and on one line. */
function code(text: string): string {
  const flat = text.replace(/[\r\n\u2028\u2029]+/g, " ");
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = flat === "" || /^[` ]|[` ]$/.test(flat) ? " " : "";
  return `${fence}${space}${flat}${space}${fence}`;
}

/** Escapes pipes, which end a cell even inside of a code span. */
function cell(text: string): string {
  return text.replace(/\|/g, "\\|");
}

/** Escapes text so that it is neither Markdown nor HTML and mentions nobody. */
function escaped(text: string, limit: number): string {
  const flat = text.replace(/\s+/g, " ");
  const short = flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat;
  return short
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]#~|]/g, "\\$&")
    .replace(/@/g, "@\u200b");
}

/** The lines of one item. */
type Block = readonly string[];

/** A page of bounded size. A block is either complete or left out. */
class Page {
  private readonly lines: string[] = [];
  private size = 0;

  constructor(private readonly limit: number) {}

  line(...lines: Block): void {
    this.lines.push(...lines);
    this.size += bytes(lines);
  }

  /** Adds the lines if all of them fit into that part of the page. */
  optional(part: number, ...lines: Block): void {
    if (this.hasRoom(part, lines)) this.line(...lines);
  }

  /** Adds a block for each item, as many as fit into that part of the page, and counts the others. */
  blocks<T>(head: Block, items: readonly T[], blockOf: (item: T) => Block, noun: string, part: number): void {
    if (items.length === 0) return;
    this.line(...head);
    let added = 0;
    for (const item of items) {
      const block = blockOf(item);
      if (!this.hasRoom(part, block)) break;
      this.line(...block);
      added += 1;
    }
    this.line("");
    const rest = items.length - added;
    if (rest > 0) this.line(`… and ${counted(rest, noun)} more, left out because of the size limit.`, "");
  }

  /** The same in a collapsed section. */
  fold<T>(title: string, items: readonly T[], blockOf: (item: T) => Block, noun: string, part: number): void {
    if (items.length === 0) return;
    this.line(`<details><summary>${title}</summary>`, "");
    this.blocks([], items, blockOf, noun, part);
    this.line("</details>", "");
  }

  private hasRoom(part: number, lines: Block): boolean {
    return this.size + bytes(lines) <= this.limit * part - reserve;
  }

  text(): string {
    return `${this.lines.join("\n").trimEnd()}\n`;
  }
}

/** The bytes reserved for the text around the blocks: titles, counts and closing tags. */
const reserve = 300;

/** The size of lines with their line breaks. */
function bytes(lines: Block): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
