/** Tables and lists that stay readable when they are long. */
import { counted } from "../text/phrase";
import { html } from "./markup";
import type { Content, Markup } from "./markup";

/** The rows and items that are visible at once; the others are in a collapsed section. */
export const mostVisible = 25;

/** The most rows or items in one page: thousands more make a file that browsers open slowly. */
const most = 2000;

/** A row: the cell that names it, then one cell for each further column. */
export type Row = readonly [Content, ...Content[]];

/** A table whose first column names the rows. `noun` is what a row is. */
export function table(columns: readonly string[], rows: readonly Row[], noun: string): Markup {
  const [first, rest] = [rows.slice(0, mostVisible), rows.slice(mostVisible, most)];
  return html`${plainTable(columns, first)}
  ${rest.length > 0 ? folded(counted(rest.length, `more ${noun}`), plainTable(columns, rest)) : undefined}
  ${leftOut(rows.length, noun)}`;
}

function plainTable(columns: readonly string[], rows: readonly Row[]): Markup {
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

export function bulletList(items: readonly Content[], noun: string): Markup {
  return html`<ul>
      ${items.slice(0, most).map((item) => html`<li>${item}</li>`)}
    </ul>
    ${leftOut(items.length, noun)}`;
}

/** A section that the reader opens. */
export function folded(title: string, content: Content, isOpen = false): Markup {
  const inner = html`<summary>${title}</summary>
    ${content}`;
  return isOpen ? html`<details open>${inner}</details>` : html`<details>${inner}</details>`;
}

function leftOut(count: number, noun: string): Markup | undefined {
  return count <= most ? undefined : html`<p>… and ${counted(count - most, `more ${noun}`)}, left out.</p>`;
}
