/** docs/map.md shows the map of a fixture, and another one is in a file. TUNNEL_GATEWAY_WRITE_DOCS=1 writes them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "../../support/fast-check";
import { mapOfPreview } from "../../../src/tools/map/preview-map";
import { renderMermaid } from "../../../src/tools/map/mermaid";
import { mapOf } from "../../../src/tools/map/graph";
import type { TrafficMap } from "../../../src/tools/map/model";
import { renderSvg } from "../../../src/tools/map/svg";
import { expectFresh, withPart } from "../../support/documentation/generated-parts";
import { contentsOf, readPreview } from "../../support/recorded";

const root = join(__dirname, "../../..");
const page = join(root, "docs/map.md");
const fixture = (name: string): string =>
  readFileSync(join(root, "test/fixtures/map", `${name}.json`), "utf8");
const stack = JSON.parse(fixture("stack")) as { deployment: { resources: object[] } };

const mapOfStack = (exported: object): TrafficMap => mapOf(contentsOf(exported, "dev").inventory);

it("the page shows the current map of a stack", () => {
  const map = renderMermaid(mapOfStack(stack));
  expectFresh(page, (text) => withPart(text, "stack", `\`\`\`mermaid\n${map}\`\`\``));
});

it("the map of a preview is the one of the file", () => {
  const file = join(root, "test/fixtures/map/preview.mmd");
  expectFresh(file, () => renderMermaid(mapOfPreview(readPreview(fixture("preview")))));
});

it("the same stack in another order gives the same bytes in every format", () => {
  const expected = [renderMermaid, renderSvg].map((render) => render(mapOfStack(stack)));
  const { resources } = stack.deployment;
  fc.assert(
    fc.property(fc.shuffledSubarray(resources, { minLength: resources.length }), (shuffled) => {
      const map = mapOfStack({ deployment: { resources: shuffled } });
      expect([renderMermaid, renderSvg].map((render) => render(map))).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});
