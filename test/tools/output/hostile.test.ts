/** A hostile text in each position of a document, through each renderer: it stays text. */
import * as fc from "../../support/fast-check";
import type { Cell, DocumentBlock, Remark, Text } from "../../../src/tools/output/document";
import type { Finding } from "../../../src/tools/output/finding";
import { htmlPage } from "../../../src/tools/output/html";
import { markdownPage } from "../../../src/tools/output/markdown";
import { terminalText } from "../../../src/tools/output/terminal";
import { hostileTexts } from "../../full/html/hostile";
import { evil, harmIn } from "../../support/hostile";
import { codePoint } from "../../support/any-text";

const table = (parts: { columns?: string[]; name?: Text; cell?: Cell; remark?: Remark }): DocumentBlock => ({
  ...{ kind: "table", columns: ["Resource", ...(parts.columns ?? ["What"])], noun: "row", group: "In" },
  rows: [
    { name: parts.name ?? "a", cells: [parts.cell ?? { statements: ["b"] }], remark: parts.remark },
    { name: "c", cells: [{ statements: ["d"] }] },
  ],
});
const finding: Finding = {
  ...{ rule: "a", severity: "error", urn: "b", type: "C", name: "c", message: "d", place: undefined },
};
const findings = (
  form: "table" | "list",
  parts: Partial<Finding>,
  { title = "e", names }: { title?: string; names?: Remark } = {},
): DocumentBlock => ({
  ...{ kind: "findings", form, findings: [{ ...finding, ...parts }] },
  ...{ titleOf: () => title, remarkOf: () => names },
});
/** A finding with the text in each of its parts. */
const hostile = (text: string): Partial<Finding> => ({
  ...{ rule: text, type: text, name: text, message: text, write: text, place: { file: text, line: 1 } },
});
const remark = (text: string, names: string[], isWhole: boolean): Remark => ({
  ...{ text, names, isWhole, isUsual: false },
});
const six = (text: string): string[] => Array.from({ length: 6 }, () => text);

/** A document with the text in one position. */
const positions: Readonly<Record<string, (text: string) => DocumentBlock>> = {
  paragraph: (text) => ({ kind: "paragraph", text }),
  "paragraph with a level": (text) => ({ kind: "paragraph", text, level: "warning" }),
  code: (text) => ({ kind: "paragraph", text: ["a ", { code: text }, " b"] }),
  "what is strong": (text) => ({ kind: "paragraph", text: [{ strong: [text, { code: text }] }] }),
  "failure's title": (text) => ({ kind: "failures", title: text, texts: ["a"] }),
  failure: (text) => ({ kind: "failures", title: "a", texts: [text, text] }),
  item: (text) => ({ kind: "list", items: [{ text }, { text: "a" }], noun: "item" }),
  "item's item": (text) => ({ kind: "list", items: [{ text: "a", items: [text, "b"] }], noun: "item" }),
  "folded item": (text) => ({
    ...{ kind: "list", items: [{ text: "a", items: six(text), fold: text }], noun: "item" },
  }),
  "item's remark": (text) => ({
    kind: "list",
    items: [{ text: "a", remark: remark(text, [], true) }],
    noun: "a",
  }),
  "item's names": (text) => ({
    ...{ kind: "list", items: [{ text: "a", remark: remark(text, [text], false) }], noun: "a" },
  }),
  column: (text) => table({ columns: [text] }),
  "row's name": (text) => table({ name: [text, { code: text }] }),
  "row's remark": (text) => table({ remark: remark(text, [text], false) }),
  statement: (text) => table({ cell: { statements: [text, text], brief: text } }),
  "statement's list": (text) =>
    table({ cell: { statements: [{ text, all: { title: text, items: [text] } }] } }),
  "finding of a table": (text) => findings("table", hostile(text), { title: text }),
  "finding of a list": (text) => findings("list", hostile(text)),
  "finding's names": (text) => findings("table", {}, { names: remark(text, [text], false) }),
  "section's title": (text) => ({ kind: "section", title: text, blocks: [{ kind: "paragraph", text: "a" }] }),
  "fold's title": (text) => ({ kind: "fold", title: text, blocks: [{ kind: "paragraph", text: "a" }] }),
  command: (text) => ({ kind: "commands", lines: [text, "a"] }),
};

const texts = [
  ...hostileTexts,
  evil,
  "# heading\n- item\n1. item\n> quote\n```\nfence\n\n    code",
  "```",
  "1. item",
  "- item",
  "=== ",
  "a | b || \\| c",
  "`a` ``b`` ```c``` \\`",
  "*a* **b** _c_ ~~d~~ [e](http://f) ![g](h) <i@j.k> \\",
  "::error::a ##[add-mask]b ##vso[task.x]c",
  "--- | ---",
  " ",
];

/** As many lines as the text has, of words without a meaning. */
function harmless(text: string): string {
  return text.replace(/[^\n]+/g, "words");
}

/** The text without the invisible spaces by which Markdown makes no link. */
function withoutBreaks(form: string): string {
  return form.replaceAll("\u200b", "");
}

/** The markup of the page, without its texts. */
const renderers: Readonly<
  Record<string, { draw: (text: string, block: DocumentBlock) => string; markupOf: (form: string) => string }>
> = {
  terminal: {
    draw: (_, block) => terminalText([block, { kind: "paragraph", text: "end" }]),
    markupOf: (form) => form.replace(/[^\n]+/g, ""),
  },
  "narrow terminal": {
    draw: (_, block) =>
      terminalText([block.kind === "table" ? { ...block, isWide: true } : block], { columns: 4 }),
    markupOf: (form) => form.replace(/[^\n]+/g, ""),
  },
  Markdown: {
    draw: (title, block) => markdownPage({ title, blocks: [block, { kind: "paragraph", text: "end" }] }),
    markupOf: markdownMarkup,
  },
  HTML: {
    draw: (title, block) => htmlPage({ title, blocks: [block] }),
    markupOf: (form) =>
      (form.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/data-label="[^"]*"/, "")).join(""),
  },
};

/** What Markdown and HTML act on: pipes that end a cell, then, outside of code spans, marks and tags. */
function markdownMarkup(form: string): string {
  const marks = (line: string): string =>
    line
      .replace(/\\[!-/:-@[-`{-~]|&(#\d+|\w+);|(`+)(?!`)[^]*?(?<!`)\2(?!`)/g, "")
      .replace(/^( *)([-+>=]|\d+[.)])(?= |$)/, "$1[$2]")
      .replace(/[^`*_[\]<>#~]/g, "");
  const lines = form.replace(/^(`{3,})sh\n(?:[^]*?\n)??\1$/m, "").split("\n");
  // GitHub ends no cell at a pipe behind a backslash, whatever stands before it.
  const pipes = (line: string): string => (line.startsWith("|") ? line.match(/(?<!\\)\|/g)!.join("") : "");
  return lines.map((line) => `${pipes(line)} ${marks(line)}`).join("\n");
}

describe.each(Object.entries(renderers))("the document as %s", (_, { draw, markupOf }) => {
  describe.each(Object.entries(positions))("with a text as %s", (__, blockOf) => {
    const drawn = (text: string): string => draw(text, blockOf(text));

    it.each(texts.map((text) => [text.slice(0, 60), text]))("keeps %j text", (___, text) => {
      const form = drawn(text);
      expect(markupOf(form)).toBe(markupOf(drawn(harmless(text))));
      expect(harmIn(withoutBreaks(form))).toEqual([]);
      expect(form).not.toMatch(/^\s*::|##\w*\[/m);
    });

    it("keeps any text text", () => {
      fc.assert(
        fc.property(fc.string({ unit: codePoint, minLength: 1, maxLength: 40 }), (text) => {
          const form = drawn(text);
          expect(harmIn(withoutBreaks(form))).toEqual([]);
          expect(markupOf(form)).toBe(markupOf(drawn(harmless(text))));
        }),
        { numRuns: 50 },
      );
    });
  });
});

it.each([
  ["list", "`a|b.ts:1`"],
  ["table", "`a\\|b.ts:1`"],
] as const)("a path of the program with | in a %s of Markdown is %s", (form, written) => {
  const page = markdownPage({ title: "a", blocks: [findings(form, { place: { file: "a|b.ts", line: 1 } })] });
  expect(page).toContain(written);
});
