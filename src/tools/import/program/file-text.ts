/** The text of the generated files. */
import { compareTexts } from "../../../schema/text/compare-texts";
import type { Group } from "../../../schema/declaration";
import { statementKey } from "./existing-program";
import type { ResourceStatement } from "./existing-program";
import { slashes, withHeader } from "./generated-file";
import { importStatement } from "./literal";
import { dependenciesFirst } from "../objects/program-order";
import type { NewStatement } from "./statement";

type FileStatement = ResourceStatement & Pick<NewStatement, "uses">;

/**
 * @param earlier the statements of the file before the import.
 * @param packageModule the module from which the file imports the classes.
 * @param modules the modules of the variables that statements may use.
 */
export function fileText(
  group: Group,
  all: readonly FileStatement[],
  earlier: readonly ResourceStatement[],
  packageModule: string,
  modules: ReadonlyMap<string, string>,
): string {
  const statements = arranged(all, earlier);
  // The file may import a variable with such a name from another module.
  const isUsed = (name: string): boolean =>
    !modules.has(name) && statements.some(({ uses }) => uses.has(name));
  const classes = statements.map(({ type }) => type);
  const ofPackage = new Set([...classes, ...(isUsed("notReturned") ? ["notReturned"] : [])]);
  const imports = [
    ...(["pulumi", "config", "weights"].some(isUsed) ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    importStatement([...ofPackage].sort(), packageModule),
    ...variablesByModule(statements, modules).map(([module, used]) => importStatement(used, module)),
  ];
  const parts = [
    `${imports.join("\n")}\n`,
    ...(isUsed("config") ? ["const config = new pulumi.Config();\n"] : []),
    ...(isUsed("weights") ? [weightsText] : []),
    ...statements.map(({ text }) => text),
  ];
  return withHeader(`// ${group.title}.\n\n${parts.join("\n")}`, slashes);
}

/** The variables that the file imports from other modules, sorted. */
function variablesByModule(
  statements: readonly FileStatement[],
  modules: ReadonlyMap<string, string>,
): [module: string, variables: string[]][] {
  const own = new Set(statements.map(({ variable }) => variable));
  const used = new Set(statements.flatMap(({ uses }) => [...uses]));
  const others = [...used].filter((name) => modules.has(name) && !own.has(name)).sort();
  return [...Map.groupBy(others, (name) => modules.get(name)!)].sort(([a], [b]) => compareTexts(a, b));
}

/** The statements in the file's earlier order, new ones at the end, but each below the statements whose variables it uses. */
function arranged(
  statements: readonly FileStatement[],
  earlier: readonly ResourceStatement[],
): FileStatement[] {
  const positions = new Map(earlier.map((each, i) => [statementKey(each), i]));
  const position = (each: FileStatement): number => positions.get(statementKey(each)) ?? earlier.length;
  const byVariable = new Map(statements.map((each) => [each.variable, each]));
  const sorted = [...statements].sort((a, b) => position(a) - position(b));
  return dependenciesFirst(sorted, ({ uses }) => [...uses].flatMap((name) => byVariable.get(name) ?? []));
}

const weightsText = `/** Backends with their weights; an Output cannot be the key of a map. */
function weights(
  entries: [pulumi.Input<string>, number][],
): pulumi.Output<Record<string, number>> {
  const ids = pulumi.all(entries.map(([id]) => id));
  return ids.apply((known) =>
    Object.fromEntries(
      known.map((id, i): [string, number] => [id, entries[i]?.[1] ?? 0]),
    ),
  );
}
`;

export function indexText(files: readonly string[]): string {
  const imports = files.map((file) => `import "./${file}";\n`);
  return withHeader(`// Loads all resources.\n\n${imports.join("")}`, slashes);
}
