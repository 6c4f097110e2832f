import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdown } from "../../../src/review/output/markdown";
import { catalog } from "../../../src/review/rules";
import { policies } from "../../../src/policy";
import { previewText, reviewOf } from "./support";

// TUNNEL_GATEWAY_WRITE_DOCS=1 writes the generated parts anew.
const file = join(__dirname, "../../../docs/review.md");

function generated(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- begin: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  return page.slice(0, from) + `\n${text.trim()}\n\n` + page.slice(to);
}

it("the documentation holds the review as it is made now, and every rule", () => {
  const page = readFileSync(file, "utf8");
  const rules = catalog.map(
    ({ id, severity, title, help }) => `### \`${id}\`\n\n**${title}** (${severity}). ${help}`,
  );
  const example = markdown(reviewOf(previewText("pull-request")));
  const fresh = generated(generated(page, "review", example), "rules", rules.join("\n\n"));
  if (process.env.TUNNEL_GATEWAY_WRITE_DOCS === "1") writeFileSync(file, fresh);
  else expect(page).toBe(fresh);
  const readme = readFileSync(join(__dirname, "../../../README.md"), "utf8");
  expect(readme).toBe(generated(readme, "review", example));
  for (const { name, enforcementLevel } of policies) {
    expect(page).toMatch(new RegExp(`\\| \`${name}\` +\\| \`${enforcementLevel}\``));
  }
});
