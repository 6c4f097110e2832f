/** The names that files of `src` export: whoever meets one in another file should know what it means. */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

const root = resolve(__dirname, "../..");

/** Two files that may each declare an exported name. */
const exceptions: { reason: string; may: (one: string, other: string) => boolean }[] = [
  {
    reason: "The emulator is a program of its own and imports nothing of the rest; both use the API's words.",
    may: (one, other) => isIn("emulator", one) !== isIn("emulator", other),
  },
  {
    reason: "The formats are imported whole (`import * as time`); their functions are the members of Format.",
    may: (one, other) => isIn("schema/formats", one) && isIn("schema/formats", other),
  },
  {
    reason: "The command line finds each command by its file, and its work by one name.",
    may: (one, other) => isIn("cli/commands", one) && isIn("cli/commands", other),
  },
];

function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`);
}

/** The files that declare each exported name. A file that only passes a name on does not declare it. */
function declaringFiles(sources: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const options: ts.CompilerOptions = { noResolve: true, noLib: true, types: [] };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getCurrentDirectory: () => "/",
    fileExists: (file) => sources.has(file.slice(1)),
    readFile: (file) => sources.get(file.slice(1)),
    getSourceFile: (file, version) => {
      const text = sources.get(file.slice(1));
      return text === undefined ? undefined : ts.createSourceFile(file, text, version);
    },
  };
  const rootNames = [...sources.keys()].map((file) => `/${file}`);
  const program = ts.createProgram({ rootNames, options, host });
  const checker = program.getTypeChecker();
  const found = new Map<string, Set<string>>();
  for (const file of rootNames) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      for (const declaration of meant.declarations ?? []) {
        const files = found.get(symbol.name) ?? new Set();
        found.set(symbol.name, files.add(declaration.getSourceFile().fileName.slice(1)));
      }
    }
  }
  return found;
}

/** What is declared in two files, as "name: one, other". */
function repeated(declared: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...declared].flatMap(([name, set]) => {
    const files = [...set].sort();
    return files.flatMap((one, i) =>
      files
        .slice(i + 1)
        .filter((other) => !exceptions.some(({ may }) => may(one, other)))
        .map((other) => `${name}: ${one}, ${other}`),
    );
  });
}

const declared = declaringFiles(
  new Map(
    readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => [file.replaceAll("\\", "/"), ts.sys.readFile(join(root, "src", file))!]),
  ),
);

it("gives each exported name of src one meaning", () => {
  expect(declared.size).toBeGreaterThan(1000);
  expect(repeated(declared)).toEqual([]);
});

it("has no exception for files that do not need it", () => {
  const pairs = [...declared.values()].map((files) => [...files].sort());
  const unneeded = exceptions.filter(
    ({ may }) =>
      !pairs.some((files) => files.some((one, i) => files.slice(i + 1).some((other) => may(one, other)))),
  );
  expect(unneeded.map(({ reason }) => reason)).toEqual([]);
});

it("finds a type, a function and a constant that two files declare, and no name that is passed on", () => {
  const found = repeated(
    declaringFiles(
      new Map([
        [
          "a.ts",
          "export interface Rule {} export function read() {} export const [first] = [1]; interface Own {}",
        ],
        [
          "b/c.ts",
          "export type Rule = 1; const inner = 1; export { inner as read }; export const first = 2;",
        ],
        ["index.ts", 'export * from "./a"; export type { Rule } from "./a"; interface Own {} export {};'],
      ]),
    ),
  );
  expect(found.sort()).toEqual(["Rule: a.ts, b/c.ts", "first: a.ts, b/c.ts", "read: a.ts, b/c.ts"]);
});
