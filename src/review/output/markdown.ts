/** The review as a comment of a pull request. */
import { accessRows, rangesOf, rowsByStacks } from "./access-table";
import type { AccessRow } from "./access-table";
import { namesAll } from "../in-stacks";
import type { InStacks } from "../in-stacks";
import type { Change, Review, SilencedFinding, StackSummary } from "../review";
import type { Finding } from "../rule";
import { capitalized, counted, shortened } from "../../text/phrase";
import { withoutCommands, escapeControls } from "../../text/terminal";
import {
  actionCounts,
  changeItems,
  clientTexts,
  countText,
  fewClients,
  happening,
  isInAll,
  mostFields,
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
  const mark = review.errors.length === 0 ? "" : "🛑 ";
  page.line(`## Tunnel Gateway: ${mark}${verdictText(review)}`, "");
  page.line(`${capitalized(summary(review))}.`, "");
  for (const settings of settingsText(review)) page.line(`⚠️ ${escaped(capitalized(settings), 400)}.`, "");
  for (const tests of testsText(review)) page.line(`${tests}.`, "");
  if (review.stacks) stacksOf(page, review.stacks);
  const errorBlock = (error: string): string[] => [`> **The preview failed:** ${escaped(error, 500)}`, ""];
  page.blocks([], review.errors, errorBlock, nouns("error"), 0.3);
  findings(page, review);
  access(page, review);
  const clientBlock = (each: ClientText): string[] => {
    const title = `- ${escaped(each.text, 400)}${where(each, review)}`;
    const listed = each.listed.map((client) => escaped(client, 100));
    if (listed.length <= fewClients) return [title, ...listed.map((client) => `  - ${client}`)];
    return [`${title} <details><summary>the clients</summary>${listed.join("<br>")}</details>`];
  };
  page.blocks([], clientTexts(review), clientBlock, nouns("resource"), 0.8);
  if (map !== undefined) page.optional(0.85, "```mermaid", map.trimEnd(), "```", "");
  const { changes, existing, silenced, silences } = review;
  const shared = changes.filter((each) => isInAll(each, review));
  const others = changes.filter((each) => !isInAll(each, review));
  const otherBlock = (each: Change): string[] => changeBlock(each, where(each, review));
  const otherTitle = `Changes that not all stacks have: ${actionCounts(others)}`;
  page.fold(otherTitle, others, otherBlock, nouns("change"), 0.94);
  const inAll = shared[0]?.stacks ? ` in ${stacksText(shared[0], review)}` : "";
  page.fold(`Changes${inAll}: ${actionCounts(shared)}`, shared, changeBlock, nouns("change"), 0.96);
  const existingTitle = `${counted(existing.length, "finding")} that this deployment does not cause`;
  const existingBlock = (finding: Finding): string[] => [
    `- ${findingText(finding)}${where(finding, review)}`,
  ];
  page.fold(existingTitle, existing, existingBlock, countText, 0.97);
  const silencedBlock = (each: SilencedFinding): string[] => [
    `- ${findingText(each.finding)}. Silenced: ${escaped(each.reason, 200)}${where(each, review)}`,
  ];
  page.fold(counted(silenced.length, "silenced finding"), silenced, silencedBlock, silencedCount, 0.98);
  const silenceBlock = (silence: Review["silences"][number]): string[] => [
    `- ${escaped(silenceText(silence), 500)}`,
  ];
  page.fold(counted(silences.length, "silence"), silences, silenceBlock, nouns("silence"), 0.99);
  for (const skipped of skippedText(review)) page.line(escaped(capitalized(skipped), 1000) + ".");
  return page.text();
}

/** Each stack with its changes, findings and access tests. */
function stacksOf(page: Page, stacks: readonly StackSummary[]): void {
  const block = (each: StackSummary): string[] => [
    `- ${code(shortened(each.stack, 60))}: ${escaped(stackText(each), 400)}`,
  ];
  page.fold(counted(stacks.length, "stack"), stacks, block, nouns("stack"), 0.2);
}

/** The stacks that have an entry, in brackets behind it; nothing in the review of one stack. */
function where(entry: InStacks, review: Review): string {
  const text = stacksHtml(entry, review);
  return text === "" || text.startsWith("<details>") ? ` ${text}`.trimEnd() : ` (${text})`;
}

/** The stacks that have an entry, and a collapsed list of all of them where the text does not name them all. */
function stacksHtml(entry: InStacks, review: Review): string {
  const text = stacksText(entry, review);
  if (text === undefined) return "";
  if (isInAll(entry, review)) return text;
  const some = `<b>${inHtml(text, 300)}</b>`;
  if (namesAll(entry.stacks!)) return some;
  return `<details><summary>${some}</summary>${inHtml(entry.stacks!.join(", "), 2000)}</details>`;
}

function findings(page: Page, review: Review): void {
  const more = review.stacks ? [" Stacks |", "---|"] : ["", ""];
  const head = [`| | Rule | Resource | What |${more[0]}`, `|---|---|---|---|${more[1]}`];
  const row = (finding: Finding): string[] => {
    const { severity, rule, message } = finding;
    const cells = [icons[severity], code(rule), resource(finding), cell(capitalized(escaped(message, 400)))];
    if (review.stacks) cells.push(stacksHtml(finding, review));
    return [`| ${cells.join(" | ")} |`];
  };
  page.blocks(head, review.findings, row, countText, 0.6);
}

function access(page: Page, review: Review): void {
  const head = ["| Access to | Before | After | Difference |", "|---|---|---|---|"];
  const lines = (statements: readonly string[]): string =>
    statements.map((statement) => cell(escaped(statement, 400))).join("<br>");
  const row = ({ item, before, after, difference }: AccessRow): string[] => [
    `| ${item.type} ${cell(code(item.name))} | ${[before, after, difference].map(lines).join(" | ")} |`,
  ];
  const rows = accessRows(review.access, rangesOf);
  if (!review.stacks) return page.blocks(head, rows, row, nouns("resource"), 0.75);
  let leftOut = 0;
  for (const group of rowsByStacks(rows)) {
    const { item } = group[0]!;
    const title = `Access in ${inHtml(stacksText(item, review)!, 300)}`;
    const isNamed = isInAll(item, review) || namesAll(item.stacks!);
    const top = [...(isNamed ? [] : [inHtml(item.stacks!.join(", "), 2000), ""]), ...head];
    if (page.hasRoom(0.75, [title, ...top, ...row(group[0]!)]))
      page.fold(title, group, row, nouns("resource"), 0.75, top);
    else leftOut += 1;
  }
  const tables = counted(leftOut, "table");
  if (leftOut > 0) page.line(`… and ${tables} of access more, left out because of the size limit.`, "");
}

function nouns(noun: string): (rest: readonly unknown[]) => string {
  return (rest) => counted(rest.length, noun);
}

function silencedCount(rest: Review["silenced"]): string {
  return countText(rest.map(({ finding }) => finding));
}

const icons = { error: "🛑 error", warning: "⚠️ warning", note: "ℹ️ note" } as const;

function resource({ type, name }: Finding): string {
  return type === "" ? "the deployment" : `${type} ${cell(code(name))}`;
}

function findingText(finding: Finding): string {
  const { severity, rule, message } = finding;
  return `${icons[severity]} ${code(rule)} ${escaped(subjectText(finding), 200)}: ${escaped(message, 400)}`;
}

function changeBlock(change: Change, where = ""): string[] {
  const what = happening(change, code);
  const items = changeItems(change, mostFields).map((pieces) => `  - ${pieceText(pieces, code)}`);
  return [`- **${change.type}** ${code(change.name)}: ${what}${where}`, ...items];
}

/** Any text as a code span: with a longer fence than any run of backticks in it, and on one line. */
function code(text: string): string {
  const flat = withoutCommands(escapeControls(text.replace(/[\r\n\u2028\u2029]+/g, " ")));
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const space = flat === "" || /^[` ]|[` ]$/.test(flat) ? " " : "";
  return `${fence}${space}${flat}${space}${fence}`;
}

/** Escapes pipes, which end a cell even inside of a code span. */
function cell(text: string): string {
  return text.replace(/\|/g, "\\|");
}

/**
 * Escapes text so that it is neither Markdown nor HTML, mentions nobody, links to nothing and keeps its direction. GitHub
 * makes links of bare URLs, host names that begin with www and numbers of issues.
 */
function escaped(text: string, limit: number): string {
  const flat = escapeControls(text.replace(/\s+/g, " "));
  return shortened(flat, limit)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]#~|]/g, "\\$&")
    .replace(/@/g, "@\u200b")
    .replace(/:(?=\/\/)/g, ":\u200b")
    .replace(/www(?=\.)/gi, "$&\u200b")
    .replace(/(#|GH-)(?=\d)/gi, "$1\u200b");
}

/** The same with entities: between tags of HTML nothing takes a backslash away. */
function inHtml(text: string, limit: number): string {
  return escaped(text, limit).replace(/\\([\\`*_[\]#~|])/g, (_, mark: string) => `&#${mark.charCodeAt(0)};`);
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

  /** Adds a block for each item that fits into that part of the page, and says what is left out. */
  blocks<T>(
    head: Block,
    items: readonly T[],
    blockOf: (item: T) => Block,
    countOf: (rest: readonly T[]) => string,
    part: number,
  ): void {
    if (items.length === 0) return;
    this.line(...head);
    const rest = items.filter((item) => {
      const block = blockOf(item);
      const fits = this.hasRoom(part, block);
      if (fits) this.line(...block);
      return !fits;
    });
    this.line("");
    if (rest.length > 0) this.line(`… and ${countOf(rest)} more, left out because of the size limit.`, "");
  }

  /** The same in a collapsed section. */
  fold<T>(
    title: string,
    items: readonly T[],
    blockOf: (item: T) => Block,
    countOf: (rest: readonly T[]) => string,
    part: number,
    head: Block = [],
  ): void {
    if (items.length === 0) return;
    this.line(`<details><summary>${title}</summary>`, "");
    this.blocks(head, items, blockOf, countOf, part);
    this.line("</details>", "");
  }

  hasRoom(part: number, lines: Block): boolean {
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
