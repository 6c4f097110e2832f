import fc from "../../support/fast-check";
import { renderFigure, renderSvg } from "../../../src/tools/map/svg";
import { edge, node } from "./support";
import { codePoint } from "../../support/any-text";
import { widthOf } from "../../../src/tools/output/width";

const empty = { nodes: [], edges: [] };
const hostile = fc.string({ unit: codePoint, maxLength: 60 });

/** The texts of elements, without tags. */
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map((match) => match[1]!);

/** Whether XML 1.0 allows a character. */
const isXml = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff);

const unescaped = (text: string): string =>
  text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

describe("the SVG picture", () => {
  it("has a box for each object, and a line with its text for each edge", () => {
    const svg = renderSvg({
      nodes: [
        node({ key: "clients", role: "clients", kind: "Clients", name: "" }),
        node({
          key: "a",
          role: "policy",
          kind: "IP policy",
          name: "office",
          facts: ["no rules"],
          change: "changed",
        }),
        node({ key: "b", role: "entry", kind: "TCP edge", name: "db", isUnmanaged: true }),
      ],
      edges: [edge("clients", "a"), edge("a", "b", { passage: "off", label: "disabled" })],
    });
    expect(textsOf(svg)).toEqual([
      "Clients",
      "IP policy: changed",
      "office",
      "no rules",
      "TCP edge",
      "db",
      "not in the stack",
      "disabled",
    ]);
    expect([...svg.matchAll(/<g class="([^"]*)"/g)].map((match) => match[1])).toEqual([
      "edge",
      "edge off",
      "node clients shown",
      "node policy shown changed",
      "node entry shown unmanaged",
      "edge off",
    ]);
    expect(svg).toContain("<title>Map of the traffic: 2 objects, 1 changed</title>");
  });

  it("draws an empty map", () => {
    expect(renderSvg(empty)).toContain("<title>Map of the traffic: 0 objects</title>");
  });

  it("draws backends that refer to each other in a circle", () => {
    const nodes = ["a", "b"].map((key) => node({ key, role: "backend", kind: "Weighted backend" }));
    const svg = renderSvg({ nodes, edges: [edge("a", "b"), edge("b", "a"), edge("a", "a")] });
    expect(svg).not.toContain("NaN");
    expect(svg.match(/class="way"/g)).toHaveLength(3);
  });

  it("has a second form for a phone, as wide as its page, with every text inside of its box", () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 30 }), (texts) => {
        const nodes = texts.map((text, i) =>
          node({ key: `${i}`, role: "backend", kind: "Weighted backend", name: text, facts: [text] }),
        );
        const label = { label: "weight 90" };
        const edges = texts.map((_, i) => edge(`${i}`, `${(i * 7) % texts.length}`, label));
        const [, svg] = renderFigure({ nodes, edges }).split("</svg>");
        expect(svg).toMatch(/class="tg-map narrow" role="img" viewBox="0 0 358 /);
        expect(svg!.match(/class="way"/g)).toHaveLength(texts.length);
        for (const box of svg!.matchAll(/<g class="node [^]*?<\/g>/g)) {
          const [, x, width] = /x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(box[0])!.map(Number);
          expect(x! + width!).toBeLessThanOrEqual(358);
          for (const text of textsOf(box[0])) expect(widthOf(unescaped(text), 12)).toBeLessThan(width!);
        }
      }),
    );
  });

  it("is the same each time", () => {
    const nodes = ["a", "b", "c", "d"].map((key) => node({ key, role: "backend", kind: "Weighted backend" }));
    const map = {
      nodes,
      edges: [edge("a", "b"), edge("a", "c", { label: "weight 1" }), edge("b", "d"), edge("c", "d")],
    };
    expect(renderSvg(map)).toBe(renderSvg(map));
  });

  it("escapes every text, and contains no script, link or attribute of its own", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (kind, name, fact, label) => {
        const nodes = [
          node({
            key: "__proto__",
            role: "entry",
            kind,
            name,
            facts: [fact, "</text><script>alert(1)</script>"],
          }),
          node({ key: "constructor", role: "backend", kind, name: '" onload="alert(1)' }),
        ];
        const svg = renderSvg({ nodes, edges: [edge("__proto__", "constructor", { label })] });
        const markup = svg.replace(/<text [^>]*>[^<]*<\/text>/g, "");
        expect(markup).not.toMatch(/script|onload|href|url\(|@import|<a\b|&(?!amp;|lt;|gt;)/);
        expect(svg).not.toMatch(/&(?!amp;|lt;|gt;)/);
        expect([...svg].filter((character) => !isXml(character.codePointAt(0)!))).toEqual([]);
      }),
    );
  });
});
