/** The paths that the pages about the code name exist. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "./blocks";

const pages = [
  "CONTRIBUTING.md",
  "docs/architecture.md",
  "docs/development/life-cycle.md",
  "docs/development/vocabulary.md",
];
const folders = "src|test|scripts|docs|tools|examples|templates|\\.github|\\.ci";

/** The code spans of a line that are paths from the root of the repository. */
function pathsIn(line: string): string[] {
  const spans = [...line.matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
  const commands = spans
    .filter((span) => span.startsWith("npm run unit -- "))
    .flatMap((span) => span.split(" "));
  return [...spans, ...commands].filter((span) => new RegExp(`^(${folders})(/[\\w.*@{},-]+)*/?$`).test(span));
}

/** The code spans of a line that are names of files in its folders, or beside its files. */
function namesIn(line: string): string[] {
  const spans = [...line.matchAll(/`([\w-]+\.(?:ts|mjs|cjs))`/g)].map(([, name]) => name!);
  return pathsIn(line).length === 0 ? [] : spans;
}

function missingIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const paths = pathsIn(line);
    const inside = paths
      .flatMap((path) => globSync([path, `${path}/**`, `${dirname(path)}/*`], { cwd: root }))
      .map((path) => basename(path));
    return [
      ...paths.filter((path) => globSync(path, { cwd: root }).length === 0),
      ...namesIn(line).filter((name) => !inside.includes(name)),
    ];
  });
}

it.each(pages)("%s names paths that exist", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  expect(text.split("\n").flatMap(pathsIn).length).toBeGreaterThan(2);
  // What a command writes is not committed.
  expect(missingIn(text).filter((path) => path !== "docs/api")).toEqual([]);
});

it("finds a path and a name of a file that do not exist", () => {
  const line =
    "| x | `src/tools/cli`, `src/gone/x.ts`, `main.ts` and `gone.ts` | `npm run unit -- test/tools/cli test/unit/gone` |";
  expect(missingIn(line)).toEqual(["src/gone/x.ts", "test/unit/gone", "gone.ts"]);
});
