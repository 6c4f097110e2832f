/** The text of the generated files. */
import { compareTexts } from "../text/order";
import { programFiles } from "./program-files";
import type { ProgramFile } from "./program-files";
import { namesUsedIn, statementKey } from "./existing-program";
import type { ExistingStatement } from "./existing-program";
import { slashes, withHeader } from "./generated-file";
import { importText } from "./layout";
import { dependenciesFirst } from "./order";
import type { NewStatement, Uses } from "./statement";

export interface FileContent {
  readonly programFile: ProgramFile;
  /** Statements that stay as they are. */
  readonly kept: readonly ExistingStatement[];
  readonly added: readonly NewStatement[];
  /** The keys of the statements that the file had, in their order. */
  readonly earlierOrder?: readonly string[];
  /** The modules of the variables that statements may use. */
  readonly modules: ReadonlyMap<string, string>;
}

type Placed = ExistingStatement & { readonly uses: Uses };

/** The text of a file of the program. */
export function fileText({ programFile, kept, added, modules, earlierOrder = [] }: FileContent): string {
  const all = [...kept.map((statement) => ({ ...statement, uses: usesOf(statement, modules) })), ...added];
  const statements = arranged(all, earlierOrder);
  const isUsed = (name: Exclude<keyof Uses, "variables">): boolean =>
    statements.some(({ uses }) => uses[name]);
  const parts = [
    `${imports(statements, modules, isUsed).join("\n")}\n`,
    ...(isUsed("config") ? ["const config = new pulumi.Config();\n"] : []),
    ...(isUsed("weights") ? [weightsText] : []),
    ...statements.map(({ text }) => text),
  ];
  return withHeader(`// ${programFile.title}.\n\n${parts.join("\n")}`, slashes);
}

function imports(
  statements: readonly Placed[],
  modules: ReadonlyMap<string, string>,
  isUsed: (name: "pulumi" | "config" | "weights" | "notReturned") => boolean,
): string[] {
  const classes = new Set(statements.map(({ type }) => type));
  const own = [...classes, ...(isUsed("notReturned") ? ["notReturned"] : [])].sort();
  const needsPulumi = isUsed("pulumi") || isUsed("config") || isUsed("weights");
  return [
    ...(needsPulumi ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    importText(own, "pulumi-tunnel-gateway"),
    ...variablesByModule(statements, modules).map(([module, used]) => importText(used, module)),
  ];
}

/** The variables that the file takes from other modules, sorted. */
function variablesByModule(
  statements: readonly Placed[],
  modules: ReadonlyMap<string, string>,
): [module: string, variables: string[]][] {
  const own = new Set(statements.map(({ variable }) => variable));
  const byModule = new Map<string, Set<string>>();
  for (const variable of statements.flatMap(({ uses }) => [...uses.variables])) {
    const module = modules.get(variable);
    if (module === undefined || own.has(variable)) continue;
    byModule.set(module, (byModule.get(module) ?? new Set()).add(variable));
  }
  return [...byModule]
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([module, variables]) => [module, [...variables].sort()]);
}

/** The statements in the file's earlier order, new ones at the end; but each below those whose variables it uses. */
function arranged(statements: readonly Placed[], earlierOrder: readonly string[]): Placed[] {
  const positions = new Map(earlierOrder.map((key, i) => [key, i]));
  const position = (each: Placed): number => positions.get(statementKey(each)) ?? earlierOrder.length;
  const byVariable = new Map(statements.map((each) => [each.variable, each]));
  const sorted = [...statements].sort((a, b) => position(a) - position(b));
  return dependenciesFirst(sorted, ({ uses }) =>
    [...uses.variables].flatMap((variable) => byVariable.get(variable) ?? []),
  );
}

/** What a statement that stays needs, with the changes that users made to it. */
function usesOf(statement: ExistingStatement, modules: ReadonlyMap<string, string>): Uses {
  const names = namesUsedIn(statement);
  return {
    variables: new Set([...names].filter((name) => modules.has(name))),
    pulumi: names.has("pulumi"),
    config: names.has("config"),
    notReturned: names.has("notReturned"),
    weights: names.has("weights"),
  };
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

/** The text of index.ts, which loads the files. */
export function indexText(files: readonly string[]): string {
  const order = programFiles.map(({ file }) => file).filter((file) => files.includes(file));
  return withHeader(
    `// Loads all resources.\n\n${order.map((file) => `import "./${file}";\n`).join("")}`,
    slashes,
  );
}
