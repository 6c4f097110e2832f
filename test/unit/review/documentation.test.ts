import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commentMap } from "../../../src/map/mermaid";
import { readPreview } from "../../../src/stack/preview";
import { markdown } from "../../../src/review/output/markdown";
import { catalog } from "../../../src/review/rules";
import { policies } from "../../../src/policy";
import { previewText, reviewOf } from "./support";

// TUNNEL_GATEWAY_WRITE_DOCS=1 writes the generated parts.
const root = join(__dirname, "../../..");
const page = join(root, "docs/review.md");

/** Compares a file with its fresh text, or writes it. */
function check(file: string, fresh: (text: string) => string): void {
  const text = readFileSync(file, "utf8");
  if (process.env.TUNNEL_GATEWAY_WRITE_DOCS === "1") writeFileSync(file, fresh(text));
  else expect(text).toBe(fresh(text));
}

function generated(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- begin: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  return page.slice(0, from) + `\n${text.trim()}\n\n` + page.slice(to);
}

it("the documentation shows the current review and every rule", () => {
  const cell = (text: string): string => text.replace(/(?<!`)([|*])(?!`)/g, "\\$1");
  const rules = [
    "| Rule | Severity | Finding | Meaning, and what to do |",
    "| --- | --- | --- | --- |",
    ...catalog.map(
      ({ id, severity, title, help }) =>
        `| <a id="${id.replace("/", "")}"></a>\`${id}\` | ${severity} | ${cell(title)} | ${cell(help)} |`,
    ),
  ];
  const text = previewText("pull-request");
  const example = markdown(reviewOf(text), undefined, commentMap(readPreview(text)));
  check(page, (text) => generated(generated(text, "review", example), "rules", rules.join("\n")));
  for (const { name, enforcementLevel } of policies) {
    expect(readFileSync(page, "utf8")).toMatch(new RegExp(`\\| \`${name}\` +\\| \`${enforcementLevel}\``));
  }
});
