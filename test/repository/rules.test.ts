/** Rules of CONTRIBUTING.md that no linter knows, checked over all sources. */
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { declarations, readable } from "../../src/resources/registry";

const root = resolve(__dirname, "../../src");
const classes = new Set([...declarations, ...readable].map(({ type }) => type));

/** What is about single classes, and so may name them. */
const aboutClasses: { folder: string; reason: string }[] = [
  { folder: "resources/", reason: "the declarations themselves" },
  { folder: "program/components/", reason: "a component is made of certain classes" },
  {
    folder: "tools/review/rules/",
    reason: "a rule of the review says what a change of certain classes means",
  },
  {
    folder: "tools/review/account-facts.ts",
    reason: "the facts that rules about certain classes ask the account for",
  },
  { folder: "tools/policy/", reason: "a policy checks certain classes" },
];

type Place = (node: ts.Node, what: string) => void;

/** What the check finds in a file, as "file:line what". */
function found(file: string, text: string, check: (node: ts.Node, add: Place) => void): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const places: string[] = [];
  const add: Place = (node, what) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    places.push(`${file}:${line + 1} ${what}`);
  };
  const visit = (node: ts.Node): void => {
    check(node, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

const equalities = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
];

/** The expressions whose value decides something in the node: the sides of a comparison, what a text is searched for. */
function compared(node: ts.Node): ts.Expression[] {
  if (ts.isBinaryExpression(node) && equalities.includes(node.operatorToken.kind))
    return [node.left, node.right];
  if (ts.isCaseClause(node)) return [node.expression];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const searches = [
      "includes",
      "startsWith",
      "endsWith",
      "match",
      "matchAll",
      "search",
      "test",
      "exec",
      "indexOf",
    ];
    if (!searches.includes(name.text)) return [];
    const inList = ts.isArrayLiteralExpression(expression) ? [...expression.elements] : [expression];
    return [...inList, ...node.arguments];
  }
  return [];
}

function branchesOnClass(node: ts.Node, add: Place): void {
  for (const side of compared(node)) {
    if (ts.isStringLiteralLike(side) && classes.has(side.text))
      add(node, `decides by the class ${side.text}`);
  }
}

const messages = ["message", "serviceMessage", "stderr", "msg"];

/** Whether the expression is a message, also a changed one such as `(error.message ?? "").toLowerCase()`. */
function isMessage(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return messages.includes(node.text);
  if (ts.isPropertyAccessExpression(node))
    return messages.includes(node.name.text) || isMessage(node.expression);
  if (ts.isCallExpression(node)) return isMessage(node.expression);
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node))
    return isMessage(node.expression);
  return ts.isBinaryExpression(node) && [node.left, node.right].some(isMessage);
}

/** An empty message says that there is none, which is no wording. */
function decidesOnWording(node: ts.Node, add: Place): void {
  const sides = compared(node);
  const isPresence = sides.some(
    (side) => (ts.isStringLiteralLike(side) && side.text === "") || side.getText() === "undefined",
  );
  if (!isPresence && sides.some(isMessage)) add(node, `decides by a message: ${node.getText().slice(0, 80)}`);
}

/** A call takes each item as an argument of its own, and a list of more than about 125,000 throws a RangeError. */
function spreadsList(node: ts.Node, add: Place): void {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  const method = node.expression.name.text;
  const isOfLists = ["push", "unshift", "splice", "concat", "max", "min", "union"].includes(method);
  const spreads = node.arguments.filter(ts.isSpreadElement);
  if (isOfLists && spreads.length > 0) add(node, `passes a list to ${method} as arguments`);
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

it.each([
  [
    "branch on a class",
    branchesOnClass,
    (file: string) => !aboutClasses.some(({ folder }) => file.startsWith(folder)),
  ],
  ["decide on the wording of a message", decidesOnWording, () => true],
  ["pass a list of any length as arguments", spreadsList, () => true],
] as const)("the sources do not %s", (_what, check, isChecked) => {
  const checked = files.filter((file) => isChecked(file) && !file.startsWith("emulator/"));
  expect(checked.length).toBeGreaterThan(150);
  expect(checked.flatMap((file) => found(file, readFileSync(join(root, file), "utf8"), check))).toEqual([]);
});

it.each([
  ['if (declaration.type === "EventSubscription") return;', branchesOnClass],
  ['switch (type) { case "TcpEdge": break; }', branchesOnClass],
  ['const is = ["IpPolicy", "TcpEdge"].includes(type);', branchesOnClass],
  ["all.push(...more);", spreadsList],
  ["const last = Math.max(0, ...ends);", spreadsList],
  ['if (cause.message.startsWith("Proxy response (")) return;', decidesOnWording],
  ['if (/owner/i.test(error.serviceMessage ?? "")) return;', decidesOnWording],
  ['if (stderr.toLowerCase().includes("conflict")) return;', decidesOnWording],
  ['if ((error as Error).message === "no stack") return;', decidesOnWording],
] as const)("finds %s", (code, check) => {
  expect(found("made-up.ts", code, check)).not.toEqual([]);
});

it("takes neither the lack of a message nor a class that is named for another purpose for a branch", () => {
  const code =
    'if (message === "" || error.message !== undefined) show(declarationOf("TcpEdge"), error.message);';
  expect([found("made-up.ts", code, branchesOnClass), found("made-up.ts", code, decidesOnWording)]).toEqual([
    [],
    [],
  ]);
});
