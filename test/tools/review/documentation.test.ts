import { readFileSync } from "node:fs";
import { join } from "node:path";

import { markdown } from "../../../src/tools/review/output/forms";
import { catalog } from "../../../src/tools/review/rules";
import { policies } from "../../../src/tools/policy";
import { expectFresh, withPart } from "../../support/documentation/generated-parts";
import { previewText, reviewOf } from "./support";

const root = join(__dirname, "../../..");
const pipeline = join(root, "docs/review-pipeline.md");
const reference = join(root, "docs/review-reference.md");

it("the documentation shows the current review and every rule", async () => {
  const rules = catalog.map(
    ({ id, severity, title, help }) =>
      `- <a id="${id.replace("/", "")}"></a>**\`${id}\`**, ${severity}: ${title}. ${help}`,
  );
  const text = previewText("pull-request");
  const example = markdown(await reviewOf(text));
  expectFresh(pipeline, (text) => withPart(text, "review", example.trim()));
  expectFresh(reference, (text) => withPart(text, "rules", rules.join("\n")));
  for (const { name, enforcementLevel } of policies) {
    expect(readFileSync(reference, "utf8")).toContain(`- \`${name}\` (\`${enforcementLevel}\`): `);
  }
});

it("the rules that compare arguments by themselves exist", () => {
  const text = readFileSync(join(root, "src/schema/meaning.ts"), "utf8");
  const named = [...text.matchAll(/`(\w+\/[\w-]+)`/g)].map(([, id]) => id);
  expect(named.length).toBeGreaterThan(0);
  expect(catalog.map(({ id }) => id)).toEqual(expect.arrayContaining(named));
});
