/** Whether the program of a project loads the imported files. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type ts from "typescript";
import { mainFileOf } from "../project/project";
import { nodesOf, parseSource, typescript } from "./typescript";

/** The statement that the program needs to load the folder of the imported files; undefined if it already loads them. */
export function missingImport(cwd: string, out: string): string | undefined {
  if (resolve(out) === resolve(cwd)) return undefined;
  const folder = dirname(mainFileOf(cwd));
  if (loads(folder, resolve(out))) return undefined;
  const path = relative(folder, out).split("\\").join("/");
  return `import "${path.startsWith(".") ? path : `./${path}`}";`;
}

/** The relative modules that a source loads, without their extensions. */
export function modulesIn(source: string): string[] {
  return [...nodesOf(parseSource(source))]
    .filter(typescript().isStringLiteralLike)
    .filter(isModule)
    .filter(({ text }) => text.startsWith("."))
    .map(({ text }) => text.replace(/\.[cm]?[jt]s$/, ""));
}

/** Whether the text names the module of an import, an export or a call of `require`. */
function isModule(node: ts.StringLiteralLike): boolean {
  const { isCallExpression, isExportDeclaration, isExternalModuleReference, isImportDeclaration } =
    typescript();
  const { parent } = node;
  if (isCallExpression(parent)) {
    return parent.arguments[0] === node && ["import", "require"].includes(parent.expression.getText());
  }
  return isImportDeclaration(parent) || isExportDeclaration(parent) || isExternalModuleReference(parent);
}

/** Whether a source file of the folder loads the other folder or its index. */
function loads(folder: string, wanted: string): boolean {
  const sources = existsSync(folder) ? readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name)) : [];
  return sources.some((name) =>
    modulesIn(readFileSync(join(folder, name), "utf8")).some((path) => {
      const target = resolve(folder, path);
      return target === wanted || target === join(wanted, "index");
    }),
  );
}
