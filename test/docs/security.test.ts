/** docs/development/attacks.md names tests that there are. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks";

const page = readFileSync(join(root, "docs/security.md"), "utf8");
const tested = readFileSync(join(root, "docs/development/attacks.md"), "utf8");
/** The rows of the first table below a heading, without its head. */
function rowsBelow(heading: string): string[] {
  const [, section = ""] = tested.split(`\n## ${heading}\n`);
  const lines = section.split("\n## ")[0]!.split("\n");
  const start = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, at) => at > start && !line.startsWith("|"));
  return lines.slice(start + 2, end);
}

it("names a test for every threat, and only tests that there are", () => {
  const threats = rowsBelow("Threats");
  expect(threats.length).toBeGreaterThan(10);
  expect(threats.filter((row) => !row.includes("`test/"))).toEqual([]);
  const named = [...tested.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path!);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("names for every attack the tests that prove what is said of it, by their titles", () => {
  const attacks = ["What the gate was attacked with", "The programs of the audits"].flatMap(rowsBelow);
  expect(attacks.length).toBeGreaterThan(10);
  const wrong = attacks.filter((row) => {
    const tests = [...row.matchAll(/`(test\/[\w./-]+)`: “([^”]+)”/g)];
    const isThere = ([, path, title]: string[]): boolean =>
      readFileSync(join(root, path!), "utf8").includes(title!);
    return tests.length === 0 || !tests.every(isThere);
  });
  expect(wrong).toEqual([]);
});

it("says how to report a vulnerability, as does SECURITY.md, which points to the page", () => {
  expect(page).toContain("(../SECURITY.md)");
  const policy = readFileSync(join(root, "SECURITY.md"), "utf8");
  expect(policy).toContain("(docs/security.md)");
  expect(policy).toMatch(/in private/);
});
