/** Mermaid itself accepts the maps and draws every text as it is. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mapOfPreview } from "../../../src/tools/map/preview-map";
import { labelled } from "../../../src/tools/map/labels";
import { renderMermaid } from "../../../src/tools/map/mermaid";
import type { TrafficMap } from "../../../src/tools/map/model";
import { mapOf } from "../../../src/tools/map/graph";
import { edge, node } from "../../tools/map/support";
import { hostileTexts } from "../html/hostile";
import { newFolder, root, succeed } from "../package/support";
import { contentsOf, readPreview } from "../../support/recorded";

interface Drawing {
  readonly error?: string;
  readonly nodes: readonly string[];
  readonly edges: number;
  readonly foreign: number;
  readonly hasRun: boolean;
  readonly requests: readonly string[];
  readonly dialogs: readonly string[];
}

const fixture = (name: string): string =>
  readFileSync(join(root, "test/fixtures/map", `${name}.json`), "utf8");

/** Texts that mean something to Mermaid, Markdown or HTML. */
const texts = [
  ...hostileTexts,
  ...[
    "end",
    "click n0 call alert(1)",
    '"]; click n0 "javascript:globalThis.owned = true"',
    "graph TD",
    "subgraph x",
  ],
  ...[
    "`code` **bold** _italic_ __x__",
    "a_b_c",
    "1. list",
    "12) list",
    "- list",
    "+ list",
    "* list",
    "# head",
    "> quote",
  ],
  ...[
    "---",
    "===",
    "~~~",
    "```",
    "%%{init: {}}%%",
    "%% comment",
    "www.example.com https://example.com",
    "a@example.com",
  ],
  ...[
    "#quot; #35; &lt;b&gt; &amp;",
    "$$x^2$$ $y$",
    "fa:fa-ban fab:fa-x",
    "::icon(x)",
    "@{ shape: x }",
    "|pipe|",
    "{{x}}",
  ],
  ...[
    "[link](https://example.com)",
    "![image](https://example.com)",
    "[[x]]",
    "(x)",
    "日本語 😀 עברית",
    "a\\nb\\tc",
    "<br>",
  ],
];

function hostileMap(): TrafficMap {
  const nodes = texts.map((text, i) =>
    node({ key: `${i}`, role: "entry", kind: text, name: text, facts: [text] }),
  );
  return { nodes, edges: nodes.slice(1).map(({ key }, i) => edge(`${i}`, key, { label: texts[i] })) };
}

/** As many objects as a picture may have, all different. */
function largeMap(): TrafficMap {
  const nodes = Array.from({ length: 120 }, (_, i) =>
    node({ key: `${i}`, role: "backend", kind: "Weighted backend" }),
  );
  const edges = Array.from({ length: 200 }, (_, i) =>
    edge(`${i % 119}`, `${119 - ((i * 7) % (119 - (i % 119)))}`),
  );
  const pairs = new Map(edges.map((each) => [`${each.from} ${each.to}`, each]));
  return { nodes, edges: [...pairs.values()] };
}

const maps = {
  stack: mapOf(contentsOf(JSON.parse(fixture("stack")) as object, "dev").inventory),
  preview: mapOfPreview(readPreview(fixture("preview"))),
  hostile: hostileMap(),
  large: largeMap(),
  empty: { nodes: [], edges: [] },
};
const names = Object.keys(maps) as (keyof typeof maps)[];
const drawings = new Map<string, Drawing>();

beforeAll(async () => {
  const folder = newFolder("mermaid");
  const files = names.map((name) => join(folder, `${name}.mmd`));
  names.forEach((name, i) => writeFileSync(files[i]!, renderMermaid(maps[name])));
  const wrong = join(folder, "wrong.mmd");
  writeFileSync(wrong, 'flowchart LR\n  n0["a" --> end\n');
  const temporary = join(folder, "browser"); // where the browser is unpacked
  mkdirSync(temporary);
  const stdout = await succeed(process.execPath, [join(root, "test/full/map/draw.mjs"), ...files, wrong], {
    cwd: folder,
    env: { TMPDIR: temporary },
  });
  const all = JSON.parse(stdout) as Drawing[];
  [...names, "wrong"].forEach((name, i) => drawings.set(name, all[i]!));
});

it("Mermaid refuses a wrong text, so that the other tests prove something", () => {
  expect(drawings.get("wrong")!.error).toContain("Parse error");
});

it.each(names)("Mermaid draws every text of the map %s as it is, and does nothing else", (name) => {
  const { error, nodes, edges, foreign, hasRun, requests, dialogs } = drawings.get(name)!;
  const map = maps[name];
  expect(error).toBeUndefined();
  expect({ foreign, hasRun, requests, dialogs }).toEqual({
    foreign: 0,
    hasRun: false,
    requests: [],
    dialogs: [],
  });
  expect(edges).toBe(map.edges.length);
  const expected = labelled(map).nodes.map(({ lines }) => lines.map(({ text }) => oneSpace(text)).join("\n"));
  const drawn = nodes.map((text) => text.replaceAll("\u200b", "").split("\n").map(oneSpace).join("\n"));
  expect([...drawn].sort()).toEqual(expected.sort());
});

/** A browser shows several spaces as one. */
function oneSpace(text: string): string {
  return text.replace(/ +/g, " ").trim();
}
