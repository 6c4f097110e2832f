/**
 * The pages of docs/troubleshooting quote messages that there are, and every error of the package. A quote is code in a
 * heading, or at the beginning of a list item; … stands for what varies.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { root } from "./blocks";

interface Message {
  readonly where: string;
  /** Its text, with … for what varies. */
  readonly text: string;
  readonly isError: boolean;
}

/** Invariants of the package itself are no errors of users. */
const internal = ["no area of the generated program holds", "is not declared as a map"];

/** The beginning of headings over messages about the arguments of a command, whose code is no message. */
const argumentsOf = "### Wrong arguments: ";

const messages = sources().flatMap(messagesIn);
const folder = join(root, "docs/troubleshooting");
const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
const quotes = pages.flatMap(quotesIn);

describe("docs/troubleshooting", () => {
  it.each(quotes)("quotes what src says: %s", (quote) => {
    expect(fixed(quote).join(" ")).toMatch(/\w+\W+\w+/);
    const parts = fixed(quote);
    expect(messages.some(({ text }) => holds(text, parts))).toBe(true);
  });

  it("quotes every error", () => {
    const errors = messages.filter(({ text, isError }) => isError && isTelling(text));
    const parts = quotes.map(fixed);
    const missing = errors.filter(({ text }) => !parts.some((each) => holds(text, each)));
    expect(missing.map(({ where, text }) => `${where} ${text}`)).toEqual([]);
    expect(errors.length).toBeGreaterThan(50);
  });
});

/** Of the emulator users meet what it answers, and the service's words are not the package's. */
function sources(): string[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".ts") && !file.startsWith("emulator")).sort();
}

/** All text of a file; concatenations as one. */
function messagesIn(file: string): Message[] {
  const path = join(root, "src", file);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found: Message[] = [];
  const visit = (node: ts.Node, inError: boolean): void => {
    const text = textOf(node);
    if (text !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ where: `${relative(root, path)}:${line + 1}`, text: tidy(text), isError: inError });
    }
    // What is inside of a text, such as the branches of a condition, is a part of the message and no error itself.
    const within = text === undefined && (inError || isNewError(node));
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source, false);
  return found;
}

function isNewError(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression)) return false;
  return node.expression.text.endsWith("Error") && !internal.some((text) => node.getText().includes(text));
}

/** The text of a literal, a template or a concatenation of them; undefined of anything else. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? "…") + (right ?? "…");
}

function quotesIn(page: string): string[] {
  const lines = page
    .split("\n")
    .filter((line) => /^#{3} .*`|^- `/.test(line) && !line.startsWith(argumentsOf));
  return lines.flatMap((line) => [...line.matchAll(/(`+)(.*?)\1(?!`)/g)].map(([, , quote]) => tidy(quote!)));
}

/** The words of a text that do not vary. */
function fixed(text: string): string[] {
  return text
    .split("…")
    .map((part) => part.trim())
    .filter((part) => /\w/.test(part));
}

/** Whether the message holds the parts of a quote, in their order. */
function holds(message: string, parts: readonly string[]): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = message.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** Whether a message has words of its own, and is more than the frame of another. */
function isTelling(text: string): boolean {
  return fixed(text).join(" ").split(/\W+/).filter(Boolean).length >= 3;
}

function tidy(text: string): string {
  return text.replace(/\s+/g, " ").replace(/…+/g, "…").trim();
}
