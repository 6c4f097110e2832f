/** The statements of earlier imports in the files of a program, with the user's changes. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type ts from "typescript";
import { idProblem, namesIn } from "../../../provider/http/path";
import { declarations } from "../../../resources/registry";
import { programFiles } from "../objects/program-order";
import { textLiteral } from "./literal";
import { firstText, nodesOf, parseSource, typescript, withEdits } from "./typescript";
import type { TextEdit } from "./typescript";

export interface ResourceStatement {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly variable: string;
  /** The statement with the comments above it. */
  readonly text: string;
}

export interface ExistingStatement extends ResourceStatement {
  /**
   * Whether the stack manages its resource, so that the statement is kept. Other statements belong to an interrupted run or to
   * resources that no longer exist.
   */
  readonly isManaged: boolean;
}

export interface ExistingFile {
  readonly text: string;
  readonly statements: readonly ExistingStatement[];
  /** The relative modules that it imports variables from, by variable. */
  readonly imports: ReadonlyMap<string, string>;
}

/** The files of earlier imports in a folder, by the file's name without its ending. */
export type ExistingProgram = ReadonlyMap<string, ExistingFile>;

/** @param managed the keys of the resources that the stack manages. */
export function existingProgram(folder: string, managed: ReadonlySet<string>): ExistingProgram {
  const paths = programFiles.map(({ name }) => [name, join(folder, `${name}.ts`)] as const);
  const existing = paths.filter(([, path]) => existsSync(path));
  return new Map(existing.map(([name, path]) => [name, parseFile(readFileSync(path, "utf8"), managed)]));
}

export function statementsOf(program: ExistingProgram): ExistingStatement[] {
  return [...program.values()].flatMap(({ statements }) => statements);
}

/** The identity of a statement: `<class> <id>`. */
export function statementKey({ type, id }: Pick<ResourceStatement, "type" | "id">): string {
  return `${type} ${id}`;
}

export function parseFile(text: string, managed: ReadonlySet<string> = new Set()): ExistingFile {
  const { statements } = parseSource(text);
  return {
    text,
    statements: statements
      .flatMap((node) => resourceStatement(node, text) ?? [])
      .map((statement) => ({ ...statement, isManaged: managed.has(statementKey(statement)) })),
    imports: new Map(statements.flatMap(importedVariables)),
  };
}

/** `export const office = new IpPolicy("office", …)` below a comment with the id; undefined for any other statement. */
function resourceStatement(node: ts.Statement, text: string): ResourceStatement | undefined {
  const { SyntaxKind, isIdentifier, isNewExpression, isVariableStatement } = typescript();
  if (!isVariableStatement(node)) return undefined;
  const isExported = node.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword) ?? false;
  const [declaration, ...others] = node.declarationList.declarations;
  const created = declaration?.initializer;
  if (!isExported || others.length > 0 || !created || !isNewExpression(created)) return undefined;
  const name = firstText(created);
  if (name === undefined || !isIdentifier(created.expression) || !isIdentifier(declaration.name)) {
    return undefined;
  }
  const comment = idComment(node, created.expression.text, text);
  if (!comment) return undefined;
  return {
    id: comment.id,
    type: created.expression.text,
    name,
    variable: declaration.name.text,
    text: `${text.slice(comment.start, endOf(node, text))}\n`,
  };
}

/** The comment with the id above a statement. Other line comments, including the user's, may precede or follow it. */
function idComment(node: ts.Node, type: string, text: string): { id: string; start: number } | undefined {
  const ranges = typescript().getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  const ids = ranges.map(({ pos, end }) => /^\/\/ (\S+)$/.exec(text.slice(pos, end))?.[1]);
  const at = ids.findLastIndex((id) => id !== undefined && mayBeId(type, id));
  if (at < 0) return undefined;
  // A comment above an empty line does not belong to the statement.
  const isApart = (i: number): boolean =>
    text.slice(ranges[i - 1]!.end, ranges[i]!.pos).split("\n").length > 2;
  let first = at;
  while (first > 0 && !isApart(first)) first -= 1;
  return { id: ids[at]!, start: ranges[first]!.pos };
}

/** Whether a word can be the id of an object of the class. */
function mayBeId(type: string, word: string): boolean {
  const declaration = declarations.find((each) => each.type === type);
  if (declaration === undefined) return false;
  const { idPrefix, path, fields } = declaration;
  const names = namesIn(path);
  const owner = fields[names[0] ?? ""]?.shape;
  const inPath = owner?.kind === "string" ? (owner.format.refersTo ?? []) : [];
  const prefixes = idPrefix === undefined ? inPath : [idPrefix];
  return (
    idProblem(declaration, word) === undefined &&
    (prefixes.length === 0 || prefixes.some((prefix) => word.startsWith(prefix))) &&
    (names.length < 2 || word.includes("/"))
  );
}

/** The end of a statement, including comments after it on the same line. */
function endOf(node: ts.Node, text: string): number {
  return typescript().getTrailingCommentRanges(text, node.getEnd())?.at(-1)?.end ?? node.getEnd();
}

/** `import { office } from "./policies"` */
function importedVariables(node: ts.Statement): [string, string][] {
  const { isImportDeclaration, isNamedImports, isStringLiteral } = typescript();
  if (!isImportDeclaration(node) || !isStringLiteral(node.moduleSpecifier)) return [];
  const module = node.moduleSpecifier.text;
  const bindings = node.importClause?.namedBindings;
  if (!module.startsWith(".") || !bindings || !isNamedImports(bindings)) return [];
  return bindings.elements
    .filter(({ propertyName }) => propertyName === undefined)
    .map(({ name }) => [name.text, module]);
}

/** The names that a statement uses, without its own variable and the names of properties. */
export function namesUsedIn({ text }: Pick<ResourceStatement, "text">): Set<string> {
  const { isIdentifier } = typescript();
  const nodes = [...nodesOf(parseSource(text))].filter((node) => isIdentifier(node));
  return new Set(nodes.filter((node) => !isPropertyName(node)).map((node) => node.text));
}

function isPropertyName(node: ts.Identifier): boolean {
  const { isPropertyAccessExpression, isPropertyAssignment, isVariableDeclaration } = typescript();
  const { parent } = node;
  return (
    (isPropertyAccessExpression(parent) || isPropertyAssignment(parent) || isVariableDeclaration(parent)) &&
    parent.name === node
  );
}

/**
 * The statement with ids in place of `<variable>.id`, for variables that the program loses. A statement without such variables is
 * returned unchanged.
 */
export function withoutReferences<T extends ResourceStatement>(
  statement: T,
  lost: ReadonlyMap<string, string>,
): T {
  if (lost.size === 0) return statement;
  const source = parseSource(statement.text);
  const { isIdentifier, isPropertyAccessExpression } = typescript();
  const edits = [...nodesOf(source)].flatMap((node): TextEdit[] => {
    if (!isPropertyAccessExpression(node) || !isIdentifier(node.expression)) return [];
    const id = node.name.text === "id" ? lost.get(node.expression.text) : undefined;
    return id === undefined
      ? []
      : [{ start: node.getStart(source), end: node.getEnd(), newText: textLiteral(id) }];
  });
  return edits.length === 0 ? statement : { ...statement, text: withEdits(statement.text, edits) };
}
