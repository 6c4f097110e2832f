/**
 * The content of a report, before rendering. Blocks hold plain text; each renderer escapes, cuts and draws them for its medium.
 * Do not escape texts before rendering.
 */
import type { Finding, Severity } from "./finding";

/** A span of a text: plain words, a literal name or value, or emphasized words. */
export type Span = string | { readonly code: string } | { readonly strong: readonly Span[] };
export type Text = string | readonly Span[];

/** The scope of an entry, such as the stacks that have it. */
export interface Remark {
  readonly text: string;
  readonly names: readonly string[];
  /** The text is complete: it names all of them, or it is true of nearly every entry. */
  readonly isWhole: boolean;
  /** It is true of nearly every entry, so it is shown quietly. */
  readonly isUsual: boolean;
}

export interface Item {
  readonly text: Text;
  readonly remark?: Remark;
  readonly items?: readonly Text[];
  /** The noun for an item: "field". */
  readonly noun?: string;
  /** The title under which a page folds the items if there are many. */
  readonly fold?: string;
}

/** A statement of a cell, and the items that it counts but does not name. */
export type Statement =
  | string
  | { readonly text: string; readonly all: { readonly title: string; readonly items: readonly string[] } };

export interface Cell {
  readonly statements: readonly Statement[];
  /** The same for one line of a terminal. */
  readonly brief?: string;
}

/** A row. Its first cell is its name. */
export interface Row {
  readonly name: Text;
  readonly cells: readonly Cell[];
  readonly remark?: Remark;
}

/** The largest part of a bounded page that may be full after the block's entries. */
interface Bounded {
  readonly share?: number;
}

interface ListBlock extends Bounded {
  readonly kind: "list";
  readonly items: readonly Item[];
  /** The noun for an item: "change". */
  readonly noun: string;
}

export interface TableBlock extends Bounded {
  readonly kind: "table";
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** The noun for a row. */
  readonly noun: string;
  /** The text before the remark of a group of rows, if the rows have remarks: "Access in". */
  readonly group?: string;
  /** On a terminal that is too narrow, each row is a paragraph, and no cell is cut. */
  readonly isWide?: boolean;
}

export interface FindingBlock extends Bounded {
  readonly kind: "findings";
  readonly findings: readonly Finding[];
  /** A list is shorter than a table. */
  readonly form: "table" | "list";
  /** The rule in a few words. */
  readonly titleOf: (finding: Finding) => string | undefined;
  readonly remarkOf: (finding: Finding) => Remark | undefined;
}

/** Errors that the reader must see first; each may have several lines. */
interface FailureBlock extends Bounded {
  readonly kind: "failures";
  readonly title: string;
  readonly texts: readonly string[];
}

interface SectionBlock {
  readonly kind: "section";
  readonly title: string;
  readonly blocks: readonly DocumentBlock[];
}

/** Blocks that a page hides until the reader opens them. */
interface FoldBlock {
  readonly kind: "fold";
  readonly title: string;
  readonly blocks: readonly DocumentBlock[];
  readonly isOpen?: boolean;
}

interface ParagraphBlock {
  readonly kind: "paragraph";
  readonly text: Text;
  readonly level?: Severity;
}

/** Commands to copy, one per line. The caller quotes the words for the shell. */
interface CommandBlock {
  readonly kind: "commands";
  readonly lines: readonly string[];
}

/** A picture, in the formats that its writer supports. The writer escapes its own texts. */
interface PictureBlock extends Bounded {
  readonly kind: "picture";
  readonly svg?: string;
  readonly mermaid?: string;
}

export type DocumentBlock =
  | ParagraphBlock
  | FailureBlock
  | ListBlock
  | TableBlock
  | FindingBlock
  | SectionBlock
  | FoldBlock
  | CommandBlock
  | PictureBlock;

export interface Page {
  readonly title: string;
  readonly blocks: readonly DocumentBlock[];
}

/** The blocks without empty ones, including sections of only empty blocks. */
export function nonEmpty(blocks: readonly DocumentBlock[]): readonly DocumentBlock[] {
  return blocks.filter((block) => !isEmpty(block));
}

function isEmpty(block: DocumentBlock): boolean {
  switch (block.kind) {
    case "list":
      return block.items.length === 0;
    case "table":
      return block.rows.length === 0;
    case "findings":
      return block.findings.length === 0;
    case "failures":
      return block.texts.length === 0;
    case "section":
    case "fold":
      return block.blocks.every(isEmpty);
    case "picture":
      return block.svg === undefined && block.mermaid === undefined;
    case "paragraph":
    case "commands":
      return false;
  }
}

export function spansOf(text: Text): readonly Span[] {
  return typeof text === "string" ? [text] : text;
}

/** A text in which the inserted parts are code: withCode`Run ${"pulumi up"} once.` */
export function withCode(words: TemplateStringsArray, ...code: readonly string[]): Text {
  return words.flatMap((word, i) => [word, ...code.slice(i, i + 1).map((each) => ({ code: each }))]);
}

export function paragraph(text: Text, level?: Severity): DocumentBlock {
  return { kind: "paragraph", text, level };
}

/** A paragraph for each text; `false` and undefined stand for none. */
export function paragraphs(texts: readonly (Text | false | undefined)[]): DocumentBlock[] {
  return texts.flatMap((text) => (text === undefined || text === false ? [] : paragraph(text)));
}

export function section(title: string, blocks: readonly DocumentBlock[]): DocumentBlock {
  return { kind: "section", title, blocks };
}

/** A table whose cells are one text each. */
export function textTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  noun: string,
): TableBlock {
  return {
    ...{ kind: "table", columns, noun },
    rows: rows.map(([name = "", ...texts]) => ({
      name,
      cells: texts.map((text) => ({ statements: [text] })),
    })),
  };
}

export function groupsOf(rows: readonly Row[]): (readonly [Row, ...Row[]])[] {
  return [...Map.groupBy(rows, ({ remark }) => JSON.stringify(remark)).values()] as [Row, ...Row[]][];
}

/** The resource of a finding, or of another entry. */
export function subjectOf({ type, name }: Pick<Finding, "type" | "name">): Span[] {
  return type === "" ? ["the deployment"] : [`${type} `, { code: name }];
}

/** The maximum number of rows that a page shows unfolded, and of the items of one entry. */
export const [visibleRows, mostItems] = [25, 31];
