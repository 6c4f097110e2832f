/** docs/map.md shows the maps of the fixtures. TUNNEL_GATEWAY_WRITE_DOCS=1 writes them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { mapOfPreview } from "../../../src/map/changes";
import { renderMermaid } from "../../../src/map/mermaid";
import { contentsOf } from "../../../src/inventory/stack";
import { mapOf } from "../../../src/map/graph";
import type { TrafficMap } from "../../../src/map/model";
import { renderSvg } from "../../../src/map/svg";
import { readPreview } from "../../../src/stack/preview";

const root = join(__dirname, "../../..");
const page = join(root, "docs/map.md");
const fixture = (name: string): string =>
  readFileSync(join(root, "test/fixtures/map", `${name}.json`), "utf8");
const stack = JSON.parse(fixture("stack")) as { deployment: { resources: object[] } };

const mapOfStack = (exported: object): TrafficMap => mapOf(contentsOf(exported, "dev").inventory);

function withBlock(text: string, name: string, map: string): string {
  const [begin, end] = [`<!-- begin: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  return `${text.slice(0, from)}\n\`\`\`mermaid\n${map}\`\`\`\n\n${text.slice(to)}`;
}

it("the page shows the current maps of a stack and of a preview", () => {
  const text = readFileSync(page, "utf8");
  const preview = renderMermaid(mapOfPreview(readPreview(fixture("preview"))));
  const fresh = withBlock(withBlock(text, "stack", renderMermaid(mapOfStack(stack))), "preview", preview);
  if (process.env.TUNNEL_GATEWAY_WRITE_DOCS === "1") writeFileSync(page, fresh);
  else expect(text).toBe(fresh);
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
