/** The parser for the TypeScript and JavaScript of a program. */
import type ts from "typescript";

/**
 * TypeScript as Pulumi itself loads it for programs: that of the project, else the copy inside of @pulumi/pulumi.
 * So a project without TypeScript can be read too.
 */
export function typescript(): typeof ts {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only a repeated import needs the compiler
  return require("@pulumi/pulumi/typescript-shim") as typeof ts;
}

/** The syntax tree of a source. Errors in the syntax do not throw: the parser reads what it can. */
export function parseSource(text: string): ts.SourceFile {
  const { createSourceFile, ScriptTarget } = typescript();
  return createSourceFile("program.ts", text, ScriptTarget.Latest, true);
}

/** All nodes of a tree, each before those inside of it. */
export function* nodesOf(node: ts.Node): Generator<ts.Node, void, undefined> {
  yield node;
  const children: ts.Node[] = [];
  typescript().forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}

/** The first argument of a call or a `new`, where it is a plain text. */
export function firstText({ arguments: args }: ts.CallExpression | ts.NewExpression): string | undefined {
  const first = args?.[0];
  return first && typescript().isStringLiteralLike(first) ? first.text : undefined;
}
