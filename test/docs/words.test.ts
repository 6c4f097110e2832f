/**
 * How much a user would have to read: the words of the README, of docs and of the examples' page, with the generated pages and with
 * code, as `wc -w` counts them. docs/development and docs/architecture.md are left out: they are for maintainers. The limit only ever goes down.
 */
import { pages, textOf } from "../support/documentation/blocks";

const limit = 45_000;
const maintainers = /^(docs\/development\/|docs\/architecture\.md$|CONTRIBUTING\.md$|CHANGELOG\.md$)/;

const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;

it("keeps the pages of users short", () => {
  const counted = pages().filter((page) => !maintainers.test(page));
  expect(counted).toEqual(expect.arrayContaining(["README.md", "examples/README.md", "docs/cli.md"]));
  expect(counted.length).toBeGreaterThan(60);
  expect(counted.map((page) => wordsOf(textOf(page))).reduce((sum, count) => sum + count)).toBeLessThan(
    limit,
  );
});

it("has no wide table on a generated page", () => {
  const generated = pages().filter((page) => page.startsWith("docs/resources/"));
  const wide = generated.filter((page) => /^\|.{120,}$/m.test(textOf(page)));
  expect(wide).toEqual([]);
});

it("says once where the commands of pages start", () => {
  const all = pages().map(textOf).join("\n");
  expect(all.match(/Commands on these pages start in/g)).toHaveLength(1);
  expect(all).not.toMatch(/The commands\s+start in/);
});
