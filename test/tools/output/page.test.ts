import * as fc from "../../support/fast-check";
import { paragraph, textTable } from "../../../src/tools/output/document";
import type { DocumentBlock } from "../../../src/tools/output/document";
import { htmlPage } from "../../../src/tools/output/html";
import { markdownPage } from "../../../src/tools/output/markdown";
import { html, trusted } from "../../../src/tools/output/html/markup";
import { page } from "../../../src/tools/output/html/page";
import { escapeControls, hasControls } from "../../../src/schema/text/escape";
import { codePoint } from "../../support/any-text";

/** What a browser shows for escaped text. */
function shown(escaped: string): string {
  const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return escaped.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => characters[name]!);
}

describe("a template of HTML", () => {
  it("escapes every text that it inserts, in lists too", () => {
    const texts = ["<script>", "a & b", ["\"'", html`<b>${"<"}</b>`], 7, undefined] as const;
    expect(html`<p>${texts}</p>`.text).toBe("<p>&lt;script&gt;a &amp; b&quot;&#39;<b>&lt;</b>7</p>");
  });

  it("inserts trusted HTML as it is", () => {
    expect(html`<figure>${trusted("<svg></svg>")}</figure>`.text).toBe("<figure><svg></svg></figure>");
  });

  it("shows control characters and marks of the text direction as escapes", () => {
    expect(html`${"a\u0000\u001b[2J\n\u202eb"}`.text).toBe("a\\u0000\\u001b[2J\\n\\u202eb");
  });

  it("never lets a text leave its element or its attribute", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const { text: made } = html`${text}`;
        expect(made).not.toMatch(/[<>"']/);
        expect(hasControls(made)).toBe(false);
        expect(shown(made)).toBe(escapeControls(text));
      }),
    );
  });
});

describe("a page", () => {
  const text = page("</title><script>", html`<h1>${"<x>"}</h1>`);

  it("has a language, an encoding, a viewport, its title and its style", () => {
    for (const part of [
      "<!doctype html>",
      '<html lang="en">',
      '<meta charset="utf-8" />',
      '<meta name="viewport" content="width=device-width, initial-scale=1" />',
      "<title>&lt;/title&gt;&lt;script&gt;</title>",
      ":root { color-scheme: light dark;",
      "<h1>&lt;x&gt;</h1>",
    ])
      expect(text).toContain(part);
  });

  it("forbids scripts and requests", () => {
    expect(text).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:;`,
    );
    expect(text).not.toMatch(/<script|<link|<iframe|src=|https?:/);
  });
});

describe("a document", () => {
  const texts = (count: number): string[] => Array.from({ length: count }, (_, i) => `text ${i}`);
  const itemsOf = (count: number): DocumentBlock => {
    return { kind: "list", noun: "item", items: texts(count).map((text) => ({ text })) };
  };
  const rowsOf = (count: number) => {
    const rows = texts(count).map((text) => [text]);
    return textTable(["Text"], rows, "row");
  };
  const remark = { text: "prod", names: ["prod"], isWhole: true, isUsual: false };
  const grouped = rowsOf(200).rows.map((row) => ({ ...row, remark }));
  const findings = texts(200).map(
    (message) =>
      ({ rule: "r", severity: "note", urn: "u", type: "T", name: "n", message, place: undefined }) as const,
  );
  const nothing = { titleOf: () => undefined, remarkOf: () => undefined };

  it.each<[string, DocumentBlock, string]>([
    ["a list", itemsOf(200), "items"],
    ["a table", rowsOf(200), "rows"],
    ["a table of groups", { ...rowsOf(0), group: "In", rows: grouped }, "rows"],
    ["findings", { kind: "findings", form: "list", findings, ...nothing }, "notes"],
    ["errors", { kind: "failures", title: "Error", texts: texts(200) }, "errors"],
  ])("keeps room for the others in Markdown where %s has no more than its share", (_, block, noun) => {
    const pageOf = (share?: number): string => {
      const blocks = [{ ...block, share } as DocumentBlock, paragraph("the last one")];
      return markdownPage({ title: "T", blocks }, { limit: 2_000 });
    };
    expect(pageOf(0.5)).toContain("the last one");
    expect(pageOf(0.5).length).toBeLessThan(1_100);
    expect(pageOf().length).toBeGreaterThan(1_400);
    expect(pageOf(0.5)).toMatch(new RegExp(`\\d+ ${noun} more, left out because of the size limit\\.`));
  });

  it.each<[string, DocumentBlock]>([
    ["rows", rowsOf(2_002)],
    ["items", itemsOf(2_002)],
  ])("says in HTML how many are left out: %s", (noun, block) => {
    expect(htmlPage({ title: "T", blocks: [block] })).toContain(`<p>… and 2 more ${noun}, left out.</p>`);
  });
});
