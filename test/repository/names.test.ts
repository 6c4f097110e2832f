/**
 * The words of the code: docs/development/vocabulary.md has those that several folders of `src` share, each with one meaning,
 * and the words that mean too much to stand alone, outside and inside of files.
 */
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, normalize, resolve } from "node:path";
import ts from "typescript";

const root = resolve(__dirname, "../..");
const page = readFileSync(join(root, "docs/development/vocabulary.md"), "utf8");

/** What a file exports, what it names inside, and the types that it imports from other files. */
interface Source {
  readonly file: string;
  readonly types: readonly string[];
  readonly others: readonly string[];
  /** Its functions at any depth, and the members of its classes and interfaces whose types do not say what they are. */
  readonly inner: readonly string[];
  readonly imports: readonly (readonly [name: string, file: string])[];
}

function sourceOf(file: string, text: string): Source {
  const types: string[] = [];
  const others: string[] = [];
  const imports: [string, string][] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  for (const node of source.statements) {
    if (ts.isImportDeclaration(node)) {
      const module = (node.moduleSpecifier as ts.StringLiteral).text;
      const bindings = node.importClause?.namedBindings;
      if (!module.startsWith(".") || !bindings || !ts.isNamedImports(bindings)) continue;
      const from = normalize(`${dirname(file)}/${module}.ts`).replaceAll("\\", "/");
      for (const { name, propertyName } of bindings.elements)
        imports.push([(propertyName ?? name).text, from]);
    }
    const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
      types.push(node.name!.text);
    else if (ts.isFunctionDeclaration(node)) others.push(node.name!.text);
    else if (ts.isVariableStatement(node))
      for (const { name } of node.declarationList.declarations)
        if (ts.isIdentifier(name)) others.push(name.text);
  }
  return { file, types, others, inner: innerNames(source), imports };
}

function innerNames(source: ts.SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as ts.NamedDeclaration;
    if (name && ts.isIdentifier(name) && (isFunction(node) || isUnsaidMember(node, name.text)))
      names.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node))
    return true;
  if (!ts.isVariableDeclaration(node) && !ts.isParameter(node)) return false;
  const { type, initializer } = node;
  return (
    (type !== undefined && ts.isFunctionTypeNode(type)) ||
    (initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)))
  );
}

/** Whether it is a member of a class or an interface, and its type does not contain its name: `rule: HeldRule` does. */
function isUnsaidMember(node: ts.Node, name: string): boolean {
  const isMember =
    ts.isPropertyDeclaration(node) ||
    ts.isAccessor(node) ||
    (ts.isPropertySignature(node) && ts.isInterfaceDeclaration(node.parent)) ||
    (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent));
  if (!isMember) return false;
  const { type } = node as ts.PropertyDeclaration;
  return !type?.getText().includes(name[0]!.toUpperCase() + name.slice(1));
}

/** The folder of `src`, or the room of the tools, that a file is in. */
const folderOf = (file: string): string => /^(tools\/)?[^/]+/.exec(file)![0];

/** The types that at least two other folders use, as `name: file`. */
function sharedTypes(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, types }) =>
    types
      .filter((type) => {
        const users = sources.filter(({ imports }) =>
          imports.some(([name, from]) => name === type && from === file),
        );
        const folders = new Set(users.map((user) => folderOf(user.file)));
        folders.delete(folderOf(file));
        return folders.size > 1;
      })
      .map((type) => `${type}: ${file}`),
  );
}

/** The rows of a table of the page, by the title of its first column. */
function rows(title: string): string[][] {
  const lines = page.split("\n");
  const head = lines.findIndex((line) => new RegExp(`^\\| ${title} `).test(line));
  const rest = lines.slice(head + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("`", "").trim()),
  );
}

// The emulator is a program of its own: it imports nothing of the rest, and both use the API's words.
const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts") && folderOf(file) !== "emulator")
  .map((file) => sourceOf(file, readFileSync(join(root, "src", file), "utf8")));
/** Members of the JSON that commands print: their names are fixed. */
const printed = [
  "guarded: tools/review/access/access-report.ts", // of the access in a review: its places
  "place: tools/review/review.ts", // of a review: its stack
  "place: tools/output/finding.ts", // of a finding: its line
];
/** What each file of a kind exports by the same name. */
const conventions = [
  { files: /^native\.ts$/, names: /^[A-Z]/ }, // the same classes over the other provider
  { files: /^schema\/no-program\.ts$/, names: /./ }, // stands in for schema/sdk.ts
  { files: /^tools\/cli\/commands\//, names: /^(command|run)$/ },
  { files: /^schema\/formats\//, names: /^(check|advise|canonical|example)$/ },
];
const words = rows("Word");
const ambiguous = rows("Alone").map(([word]) => word!);

it("has the types that several folders share in the vocabulary, with the file of each", () => {
  const listed = words.map(([word, , file]) => `${word!}: ${file!.replace("src/", "")}`);
  expect(sharedTypes(sources).filter((type) => !listed.includes(type))).toEqual([]);
  expect(listed.length).toBeGreaterThan(30);
});

it("gives each word of the vocabulary one meaning, in the file that the page names", () => {
  for (const [word, meaning, file] of words) {
    const files = sources.filter(({ types }) => types.includes(word!)).map((source) => `src/${source.file}`);
    expect([word, files]).toEqual([word, [file]]);
    expect(meaning).toMatch(/^\S+ \S+.*\w$/);
  }
  expect(words.map(([word]) => word)).toEqual([...new Set(words.map(([word]) => word))].sort());
});

it("exports no word alone that has several meanings", () => {
  expect(ambiguous.length).toBeGreaterThan(5);
  const alone = sources.flatMap(({ file, types, others }) =>
    [...types, ...others].filter((name) => ambiguous.includes(name)).map((name) => `${name}: ${file}`),
  );
  expect(alone).toEqual([]);
});

it("names nothing inside of a file by such a word, unless its type says what it is", () => {
  const alone = sources.flatMap(({ file, inner }) =>
    inner.filter((name) => ambiguous.includes(name)).map((name) => `${name}: ${file}`),
  );
  expect(alone.filter((name) => !printed.includes(name))).toEqual([]);
  expect(alone).toEqual(expect.arrayContaining([...printed]));
});

it("exports one thing by one name", () => {
  const exports = sources.flatMap(({ file, types, others }) =>
    [...new Set([...types, ...others])]
      .filter((name) => !conventions.some(({ files, names }) => files.test(file) && names.test(name)))
      .map((name) => ({ name, file })),
  );
  const twice = [...Map.groupBy(exports, ({ name }) => name)].filter(([, all]) => all.length > 1);
  expect(twice.map(([name, all]) => [name, ...all.map(({ file }) => file)].join(" "))).toEqual([]);
});

it("finds functions and members that say too little", () => {
  const { inner } = sourceOf(
    "a/x.ts",
    `interface X { a(): void; readonly b: string; readonly c?: HeldC; d: () => void }
     class Y { e = 1; private get f() { return 1; } constructor(private readonly g: string, h: string, readonly i: I) {} }
     function j(k: () => void, l = () => 1, m: string) { const n = () => 1; const o = 1; const { p } = q; }
     type R = { s: string };`,
  );
  expect(inner).toEqual(["a", "b", "d", "e", "f", "g", "j", "k", "l", "n"]);
});

it("gives no two files one name, but to those that every command or folder has", () => {
  const conventional = ({ file }: Source): boolean =>
    /(^|\/)(index|main)\.ts$/.test(file) || /^tools\/cli\/commands\/[^/]+\/(run|report)\.ts$/.test(file);
  const byName = Map.groupBy(
    sources.filter((source) => !conventional(source)),
    ({ file }) => basename(file),
  );
  const twice = [...byName.values()]
    .filter((all) => all.length > 1)
    .map((all) => all.map(({ file }) => file));
  expect(twice).toEqual([]);
});

it("counts the folders that import a type, and not its own folder or what only passes it on", () => {
  const found = sharedTypes([
    sourceOf("a/x.ts", "export interface Shared {} export class Near {} interface Own {}"),
    sourceOf("a/y.ts", 'import type { Near } from "./x";'),
    sourceOf("b/z.ts", 'import { Shared as Mine, Near } from "../a/x";'),
    sourceOf("c.ts", 'import type { Shared } from "./a/x";'),
    sourceOf("d/index.ts", 'export type { Near } from "../a/x";'),
  ]);
  expect(found).toEqual(["Shared: a/x.ts"]);
});
