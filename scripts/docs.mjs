#!/usr/bin/env node
// Generates docs/resources and the table of the README. With --check it writes nothing and tells what is stale.
// Both tell what the JSDoc leaves out.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { gaps } from "./lib/docs/gaps.mjs";
import { overview, overviewPage, page } from "./lib/docs/pages.mjs";
import { kebab } from "./lib/docs/prose.mjs";
import { readDeclarations, readTypes } from "./lib/docs/sources.mjs";
import { root } from "./lib/paths.mjs";

const folder = "docs/resources";
const markers = ["<!-- generated:resources -->", "<!-- /generated:resources -->"];

/** Resolves with an exit code. */
export async function docs({ check = false } = {}) {
  const declarations = readDeclarations();
  const types = readTypes();
  const files = new Map([
    ...declarations.map((declaration) => [
      `${folder}/${kebab(declaration.type)}.md`,
      page(declaration, types),
    ]),
    [`${folder}/README.md`, overviewPage(declarations)],
    [
      "README.md",
      withTable(readFileSync(join(root, "README.md"), "utf8"), overview(declarations, `${folder}/`)),
    ],
  ]);
  const problems = declarations.flatMap((declaration) => gaps(declaration, types));
  for (const [name, text] of files) {
    const file = join(root, name);
    const formatted = await format(text, { ...(await resolveConfig(file)), filepath: file });
    if (existsSync(file) && readFileSync(file, "utf8") === formatted) continue;
    if (check) problems.push(`${name} is stale: run npm run docs`);
    else write(file, formatted);
  }
  for (const name of existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []) {
    if (files.has(`${folder}/${name}`)) continue;
    if (check) problems.push(`${folder}/${name} documents no resource: run npm run docs`);
    else rmSync(join(root, folder, name));
  }
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

function withTable(readme, table) {
  const [start, end] = markers.map((marker) => readme.indexOf(marker));
  if (start < 0 || end < start)
    throw new Error(`README.md: the markers ${markers.join(" and ")} are missing`);
  return `${readme.slice(0, start + markers[0].length)}\n\n${table}\n\n${readme.slice(end)}`;
}

function write(file, text) {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await docs({ check: process.argv.includes("--check") });
}
