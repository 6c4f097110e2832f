/** The parser for the TypeScript and JavaScript of a program. */
import type ts from "typescript";
import { GatewayError } from "../provider/errors";

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
  try {
    return createSourceFile("program.ts", text, ScriptTarget.Latest, true);
  } catch (error) {
    // The parser calls itself for each level.
    if ((error as Error).name !== "RangeError") throw error;
    throw new GatewayError("a file of the program could not be read: its code is nested too deep");
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
    open.push(...children.reverse());
  }
}

/** The first argument of a call or a `new`, where it is a plain text. */
export function firstText({ arguments: args }: ts.CallExpression | ts.NewExpression): string | undefined {
  const first = args?.[0];
  return first && typescript().isStringLiteralLike(first) ? first.text : undefined;
}
