/** The parser and the formatter for the TypeScript and JavaScript of a program. */
import type ts from "typescript";
import { GatewayError } from "../../../provider/errors";

/**
 * TypeScript as Pulumi loads it for programs: the project's version, or else the copy inside @pulumi/pulumi. A project without
 * TypeScript can therefore be read too.
 */
export function typescript(): typeof ts {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only a repeated import needs the compiler
  return require("@pulumi/pulumi/typescript-shim") as typeof ts;
}

/**
 * The maximum depth of nested brackets, more than any program needs. The parser tries several readings at each level, so deeper
 * nesting takes too long.
 */
const deepest = 200;

function tooDeep(): GatewayError {
  return new GatewayError("a file of the program could not be read: its code is nested too deep");
}

/** Whether brackets are nested too deeply for the parser to read in a short time. */
function isTooDeep(text: string): boolean {
  const { createScanner, ScriptTarget, SyntaxKind } = typescript();
  const scanner = createScanner(ScriptTarget.Latest, true, undefined, text);
  const opening = [SyntaxKind.OpenParenToken, SyntaxKind.OpenBracketToken, SyntaxKind.OpenBraceToken];
  const closing = [SyntaxKind.CloseParenToken, SyntaxKind.CloseBracketToken, SyntaxKind.CloseBraceToken];
  let brackets = 0;
  let angles = 0; // open type arguments or comparisons; the end of a statement resets the count
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (opening.includes(token)) brackets += 1;
    else if (closing.includes(token)) brackets = Math.max(0, brackets - 1);
    else if (token === SyntaxKind.LessThanToken) angles += 1;
    else if (token === SyntaxKind.GreaterThanToken) angles = Math.max(0, angles - 1);
    if (token === SyntaxKind.SemicolonToken || token === SyntaxKind.CloseBraceToken) angles = 0;
    if (brackets + angles > deepest) return true;
  }
  return false;
}

/** The syntax tree of a source. Syntax errors do not throw: the parser reads as much as it can. */
export function parseSource(text: string): ts.SourceFile {
  const { createSourceFile, ScriptTarget } = typescript();
  if (isTooDeep(text)) throw tooDeep();
  try {
    return createSourceFile("program.ts", text, ScriptTarget.Latest, true);
  } catch (error) {
    // The parser is recursive.
    if ((error as Error).name !== "RangeError") throw error;
    throw tooDeep();
  }
}

/** All nodes of a tree, parents before children. */
export function* nodesOf(node: ts.Node): Generator<ts.Node, void, undefined> {
  const { forEachChild } = typescript();
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const children: ts.Node[] = [];
    forEachChild(next, (child) => void children.push(child));
    for (const child of children.reverse()) open.push(child);
  }
}

/** The first argument of a call or a `new`, if it is a plain text. */
export function firstText({ arguments: args }: ts.CallExpression | ts.NewExpression): string | undefined {
  const first = args?.[0];
  return first && typescript().isStringLiteralLike(first) ? first.text : undefined;
}

/**
 * Code in the layout of TypeScript's own formatter, which editors also use. It changes only white space, and keeps line breaks.
 */
export function formatted(text: string): string {
  const { ScriptSnapshot, createLanguageService, getDefaultFormatCodeSettings } = typescript();
  const file = "program.ts";
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({}),
    getCurrentDirectory: () => "",
    getDefaultLibFileName: () => "",
    getScriptFileNames: () => [file],
    getScriptVersion: () => "",
    getScriptSnapshot: () => ScriptSnapshot.fromString(text),
    fileExists: () => false,
    readFile: () => undefined,
  };
  const settings = { ...getDefaultFormatCodeSettings("\n"), indentSize: 2 };
  const edits = createLanguageService(host, undefined, true).getFormattingEditsForDocument(file, settings);
  return withEdits(
    text,
    edits.map(({ span, newText }) => ({ start: span.start, end: span.start + span.length, newText })),
  );
}

/** A replacement of a part of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/**
 * The text with the edits, which must be in order. The text is copied once, because the statement of a set has thousands of
 * edits.
 */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, newText } of edits) {
    parts.push(text.slice(done, start), newText);
    done = end;
  }
  return parts.join("") + text.slice(done);
}
