/** docs/security.md names tests that there are. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./blocks";

const page = readFileSync(join(root, "docs/security.md"), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("|") && line.includes("`test/"));

it("names a test for every threat, and only tests that there are", () => {
  const [, table = ""] = page.split("## Threats");
  const threats = table
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("|"));
  expect(rows).toHaveLength(threats.length - 2);
  const named = [...page.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => path!);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("says how to report a vulnerability, as does SECURITY.md, which points to the page", () => {
  expect(page).toContain("(../SECURITY.md)");
  const policy = readFileSync(join(root, "SECURITY.md"), "utf8");
  expect(policy).toContain("(docs/security.md)");
  expect(policy).toMatch(/in private/);
});
