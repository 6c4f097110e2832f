#!/usr/bin/env node
// Generates docs/resources, the list of settings, and the schema and classes of the native provider. With --check it
// writes nothing and reports what is stale. Both report what the JSDoc leaves out. With --arguments it also prints what the
// pages say of each argument, as JSON.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gaps, undeclaredGaps } from "./lib/docs/gaps.mjs";
import { commonItems, overviewPage, page, settingsList, undeclaredPage } from "./lib/docs/pages.mjs";
import { argumentsOf, columns, kebab } from "./lib/docs/prose.mjs";
import { readDeclarations, readFunctions, readSettings, readTypes } from "./lib/docs/sources.mjs";
import { formatted } from "./lib/format.mjs";
import { nativeSchema } from "./lib/native-schema.mjs";
import { root } from "./lib/paths.mjs";

const folder = "docs/resources";
const schemaFile = "src/provider/native/schema.json";
const doorFile = "src/native.ts";
const settingsPage = "docs/installation-configuration.md";

/** Classes of the package that are not objects of the API. */
const undeclared = [
  { name: "IpAccessList" },
  {
    name: "Provider",
    described: "The [settings](../installation-configuration.md#settings)",
  },
];

/** Resolves with an exit code. */
export async function docs({ check = false, printsArguments = false } = {}) {
  const declarations = readDeclarations();
  const [types, settings] = [readTypes(declarations), readSettings()];
  if (printsArguments) console.log(JSON.stringify(documentedArguments(declarations, types)));
  const common = commonItems(declarations, types);
  const files = new Map([
    ...declarations.map((declaration) => [
      `${folder}/${kebab(declaration.type)}.md`,
      page(declaration, types, common),
    ]),
    ...undeclared.map((each) => [`${folder}/${kebab(each.name)}.md`, undeclaredPage(each, types)]),
    [`${folder}/README.md`, overviewPage(declarations, undeclared, types, common)],
    [settingsPage, withList(settingsPage, "settings", settingsList(settings, types))],
    [doorFile, withClasses(declarations)],
    [schemaFile, JSON.stringify(nativeSchema({ declarations, settings, functions: readFunctions(), types }))],
  ]);
  const problems = [
    ...declarations.flatMap((declaration) => gaps(declaration, types)),
    ...undeclared.flatMap(({ name }) => undeclaredGaps(name, types)),
  ];
  for (const [name, text] of files) {
    const file = join(root, name);
    const wanted = await formatted(file, text);
    if (existsSync(file) && readFileSync(file, "utf8") === wanted) continue;
    if (check) problems.push(`${name} is stale: run npm run docs`);
    else write(file, wanted);
  }
  for (const name of existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []) {
    if (files.has(`${folder}/${name}`)) continue;
    if (check) problems.push(`${folder}/${name} documents no resource: run npm run docs`);
    else rmSync(join(root, folder, name));
  }
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

/** The page with the list between its markers. */
function withList(file, name, list) {
  const markers = [`<!-- generated:${name} -->`, `<!-- /generated:${name} -->`];
  return fillIn(file, markers, list);
}

/** The file of the native provider's classes with one line for each class. */
function withClasses(declarations) {
  const lines = declarations.map(({ type }) => `export class ${type} extends nativeClass(own.${type}) {}`);
  const markers = ["// generated:classes", "// /generated:classes"];
  return fillIn(doorFile, markers, lines.join("\n"));
}

/** The text of a file with new content between two of its comments. */
function fillIn(file, [begin, end], content) {
  const text = readFileSync(join(root, file), "utf8");
  const start = text.indexOf(begin);
  const stop = text.indexOf(end, start);
  if (start < 0 || stop < 0) throw new Error(`${file}: the markers ${begin} and ${end} are missing`);
  return `${text.slice(0, start + begin.length)}\n\n${content}\n\n${text.slice(stop)}`;
}

/**
 * What the pages say of each argument, for the tests that compare it with the specification:
 * `{ class: { path: { optional, fallback, removed } } }`. The members of alternatives have neither text.
 */
function documentedArguments(declarations, types) {
  const everywhere = { get: () => undefined, set: () => undefined }; // a type is described wherever it occurs
  const described = ({ path, text, optional, isAlternative, removed }) => [
    path,
    { optional: optional && !isAlternative, fallback: columns(text).fallback, removed },
  ];
  return Object.fromEntries(
    declarations.map((declaration) => {
      const members = argumentsOf(declaration, types, everywhere).filter(({ path }) => !path.includes("[]"));
      return [declaration.type, Object.fromEntries(members.map(described))];
    }),
  );
}

function write(file, text) {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [check, printsArguments] = ["--check", "--arguments"].map((each) => process.argv.includes(each));
  process.exitCode = await docs({ check, printsArguments });
}
