/** Documents as one file of HTML. */
import { html, trusted } from "./html/markup";
import type { Content, Markup } from "./html/markup";
import { page } from "./html/page";
import { counted, firstItems, firstLines, most5 } from "../../schema/text/phrase";
import { groupsOf, mostItems, nonEmpty, spansOf, subjectOf, visibleRows } from "./document";
import type { DocumentBlock, FindingBlock, Item, Page, Span, Remark, Row, Statement } from "./document";
import type { TableBlock, Text } from "./document";
import { causedText, programLineText, sentenceOf } from "./finding";
import type { Finding, Severity } from "./finding";

/** The page as one HTML file, which needs neither network nor script. */
export function htmlPage({ title, blocks }: Page): string {
  return page(
    title,
    html`<h1>${title}</h1>
      ${drawn(blocks)}`,
  );
}

/** The maximum number of rows or items in one page: browsers are slow to open files with many thousands. */
const most = 2000;

function drawn(blocks: readonly DocumentBlock[]): Markup[] {
  return nonEmpty(blocks).map((block) => html`${blockMarkup(block)} `);
}

function blockMarkup(block: DocumentBlock): Content {
  switch (block.kind) {
    case "paragraph":
      return paragraph(textMarkup(block.text), block.level);
    case "failures":
      return failures(block.title, block.texts);
    case "list":
      return bulletList(block.items, itemMarkup, block.noun);
    case "table":
      return tables(block);
    case "findings":
      return block.form === "table" ? findingTables(block) : findingList(block);
    case "section":
      return html`<section>
        <h2>${block.title}</h2>
        ${drawn(block.blocks)}
      </section>`;
    case "fold":
      return folded(block.title, drawn(block.blocks), block.isOpen);
    case "commands":
      return block.lines.map((line) => html`<p><code>${line}</code></p>`);
    case "picture":
      return block.svg === undefined ? undefined : html`<figure>${trusted(block.svg)}</figure>`;
  }
}

function paragraph(text: Content, level: Severity | undefined): Markup {
  return level === undefined ? html`<p>${text}</p>` : html`<p class="${level}"><strong>${text}</strong></p>`;
}

function badge(text: string, level: Severity): Markup {
  return html`<span class="badge ${level}">${text}</span> `;
}

function failures(title: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  const all = texts.map((text) => html`<div>${text.split("\n").map((line) => html`<p>${line}</p>`)}</div>`);
  const { shown, others, more } = firstItems(all, most5, "error");
  return html`<div class="failure">
    <p><strong>${title}.</strong></p>
    ${shown} ${more && folded(more, others)}
  </div>`;
}

function itemMarkup({ text, remark, items = [], noun = "item", fold }: Item): Markup {
  const lines = firstLines(items, mostItems, noun);
  const list = items.length === 0 ? undefined : bulletList(lines, textMarkup, noun);
  const isFolded = fold !== undefined && items.length > most5;
  return html`${textMarkup(text)} ${remarkMarkup(remark)} ${isFolded ? folded(fold, list) : list}`;
}

/** A table whose first column contains the names of the rows. */
function table({ columns, noun }: TableBlock, rows: readonly Row[]): Markup | undefined {
  const cells = rows.map(({ name, cells: own }): Content[] => [
    textMarkup(name),
    ...own.map(({ statements }) => statements.map(statementMarkup)),
  ]);
  return tableMarkup(columns, cells, noun);
}

/** One table, or one for each group of rows with the same remark. */
function tables(block: TableBlock): Content {
  return groupsOf(block.rows).map((rows) => {
    const { remark } = rows[0];
    if (remark === undefined) return table(block, rows);
    const names = remark.isWhole ? undefined : namesList(remark);
    return folded(`${block.group} ${remark.text}`, html`${names} ${table(block, rows)}`);
  });
}

function statementMarkup(statement: Statement): Markup {
  if (typeof statement === "string") return html`<div>${statement}</div>`;
  const { text, all } = statement;
  return html`<div>${text} ${folded(all.title, bulletList(all.items, String, "range"))}</div>`;
}

function findingTables({ findings, titleOf, remarkOf }: FindingBlock): Content {
  const bySeverity = [...Map.groupBy(findings, ({ severity }) => severity)];
  return bySeverity.map(([severity, group]) => {
    const rows = group.map((finding): Content[] => [
      [textMarkup(subjectOf(finding)), remarkMarkup(remarkOf(finding))],
      [sentenceOf(finding), finding.place && quiet(html`<code>${programLineText(finding)}</code>`)],
      [titleOf(finding), quiet(html`<code>${finding.rule}</code>`)],
    ]);
    return html`<h3>${badge(counted(group.length, severity), severity)}</h3>
      ${tableMarkup(["Resource", "What", "Rule"], rows, severity)}`;
  });
}

function findingList({ findings, remarkOf }: FindingBlock): Markup {
  const markupOf = (finding: Finding): Markup => {
    const { severity, rule } = finding;
    const subject = textMarkup(subjectOf(finding));
    return html`${badge(severity, severity)} <code>${rule}</code> ${subject}: ${causedText(finding)}
      ${remarkMarkup(remarkOf(finding))}`;
  };
  return bulletList(findings, markupOf, "finding");
}

/** The remark, with a collapsed list of all names if the text does not name them all. */
function remarkMarkup(remark: Remark | undefined): Markup | undefined {
  if (remark === undefined) return undefined;
  if (remark.isUsual) return quiet(remark.text);
  return html`<div class="some">
    ${remark.isWhole ? remark.text : folded(remark.text, namesList(remark))}
  </div>`;
}

function namesList({ names }: Remark): Markup {
  return bulletList(names, String, "name");
}

function quiet(content: Content): Markup {
  return html`<div class="quiet">${content}</div>`;
}

function textMarkup(text: Text): Content {
  return spansOf(text).map(spanMarkup);
}

function spanMarkup(span: Span): Content {
  if (typeof span === "string") return span;
  return "code" in span ? html`<code>${span.code}</code>` : html`<strong>${textMarkup(span.strong)}</strong>`;
}

function tableMarkup(
  columns: readonly string[],
  rows: readonly Content[][],
  noun: string,
): Markup | undefined {
  if (rows.length === 0) return undefined;
  const drawn = firstItems(rows, most, noun);
  const { shown, others, more } = firstItems(drawn.shown, visibleRows, noun);
  return html`${plainTable(columns, shown)} ${more && folded(more, plainTable(columns, others))}
  ${leftOut(drawn.more)}`;
}

function plainTable(columns: readonly string[], rows: readonly Content[][]): Markup {
  const heads = columns.map((column) => html`<th scope="col">${column}</th>`);
  // On a narrow screen each cell shows the name of its column.
  const cell = (content: Content, i: number): Markup =>
    html`<td data-label="${columns[i + 1]}">${content}</td>`;
  const lines = rows.map(
    ([name, ...cells]) =>
      html`<tr>
        <th scope="row">${name}</th>
        ${cells.map(cell)}
      </tr> `,
  );
  return html`<table>
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table>`;
}

function bulletList<T>(items: readonly T[], markupOf: (item: T) => Content, noun: string): Markup {
  const { shown, more } = firstItems(items, most, noun);
  return html`<ul>
      ${shown.map((item) => html`<li>${markupOf(item)}</li>`)}
    </ul>
    ${leftOut(more)}`;
}

/** A section that the reader opens. */
function folded(title: string, content: Content, isOpen = false): Markup {
  const inner = html`<summary>${title}</summary>
    ${content}`;
  return isOpen ? html`<details open>${inner}</details>` : html`<details>${inner}</details>`;
}

function leftOut(more: string | undefined): Markup | undefined {
  return more === undefined ? undefined : html`<p>… and ${more}, left out.</p>`;
}
