/** The parser and the formatter for the TypeScript and JavaScript of a program. */
import type ts from "typescript";
import { GatewayError } from "../../../provider/errors";

/**
 * TypeScript as Pulumi itself loads it for programs: that of the project, else the copy inside of @pulumi/pulumi.
 * So a project without TypeScript can be read too.
 */
export function typescript(): typeof ts {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only a repeated import needs the compiler
  return require("@pulumi/pulumi/typescript-shim") as typeof ts;
}

/** Brackets inside of each other, more than any program has. The parser tries some of them in several ways, which adds up. */
const deepest = 200;

function tooDeep(): GatewayError {
  return new GatewayError("a file of the program could not be read: its code is nested too deep");
}

/** Whether brackets stand deeper inside of each other than the parser reads in a short time. */
function isTooDeep(text: string): boolean {
  const { createScanner, ScriptTarget, SyntaxKind } = typescript();
  const scanner = createScanner(ScriptTarget.Latest, true, undefined, text);
  const opening = [SyntaxKind.OpenParenToken, SyntaxKind.OpenBracketToken, SyntaxKind.OpenBraceToken];
  const closing = [SyntaxKind.CloseParenToken, SyntaxKind.CloseBracketToken, SyntaxKind.CloseBraceToken];
  let brackets = 0;
  let angles = 0; // what opens type arguments or compares; a statement ends both
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

/** The syntax tree of a source. Errors in the syntax do not throw: the parser reads what it can. */
export function parseSource(text: string): ts.SourceFile {
  const { createSourceFile, ScriptTarget } = typescript();
  if (isTooDeep(text)) throw tooDeep();
  try {
    return createSourceFile("program.ts", text, ScriptTarget.Latest, true);
  } catch (error) {
    // The parser calls itself for each level.
    if ((error as Error).name !== "RangeError") throw error;
    throw tooDeep();
  }
}

/** All nodes of a tree, each before those inside of it. */
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

/** The first argument of a call or a `new`, where it is a plain text. */
export function firstText({ arguments: args }: ts.CallExpression | ts.NewExpression): string | undefined {
  const first = args?.[0];
  return first && typescript().isStringLiteralLike(first) ? first.text : undefined;
}

/**
 * Code in the layout of TypeScript's own formatter, which editors use too. It changes white space alone, and keeps the
 * breaks of lines.
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

/** A change of a part of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The text with edits that are in its order. It is copied once, as the statement of a set has thousands of them. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, newText } of edits) {
    parts.push(text.slice(done, start), newText);
    done = end;
  }
  return parts.join("") + text.slice(done);
}
