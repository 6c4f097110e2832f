/** The layout of generated code: that of prettier with its defaults. */
import { slashes } from "./generated-file";
import { fitsOnLine, keyLiteral, textLiteral } from "./literal";

export type Expression =
  | { readonly kind: "text"; readonly value: string }
  /** Code that always fits on a line, such as a number. */
  | { readonly kind: "code"; readonly code: string }
  /** `variable.id` */
  | { readonly kind: "id"; readonly variable: string }
  | { readonly kind: "call"; readonly callee: string; readonly argument: Expression }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "object"; readonly members: readonly Member[] };

export interface Member {
  /** Undefined where the member is only a comment. */
  readonly key?: string;
  readonly value?: Expression;
  /** Comment lines above it. */
  readonly comments?: readonly string[];
}

const space = (indent: number): string => " ".repeat(indent);

/** The expression between `before` and `after`. Lines after the first start at `indent`. */
function layOut(expression: Expression, before: string, after: string, indent: number): string {
  switch (expression.kind) {
    case "text":
    case "id":
      return flatOr(
        expression,
        before,
        after,
        (flat) => `${before.trimEnd()}\n${space(indent + 2)}${flat}${after}`,
      );
    case "code":
      return before + expression.code + after;
    case "call": {
      const inner = expression.argument;
      if (inner.kind === "list" && inner.items.length > 0) {
        return layOut(inner, `${before}${expression.callee}(`, `)${after}`, indent);
      }
      return flatOr(expression, before, after, (flat) => {
        const argument = flat.slice(expression.callee.length + 1, -1);
        return `${before}${expression.callee}(\n${space(indent + 2)}${argument},\n${space(indent)})${after}`;
      });
    }
    case "list":
      if (isTable(expression)) return brokenList(expression.items, before, after, indent, false);
      return flatOr(expression, before, after, (_flat, ascii) =>
        brokenList(expression.items, before, after, indent, ascii),
      );
    case "object": {
      if (expression.members.length === 0) return `${before}{}${after}`;
      const members = expression.members.map((member) => memberLines(member, indent + 2));
      return `${before}{\n${members.join("")}${space(indent)}}${after}`;
    }
  }
}

/** The expression on one line where it fits, otherwise the result of `broken`. */
function flatOr(
  expression: Expression,
  before: string,
  after: string,
  broken: (flat: string, ascii: boolean) => string,
): string {
  const flat = flatText(expression, false);
  const isFitting = fitsOnLine(before + flat + after);
  if (isFitting === true) return before + flat + after;
  if (isFitting === false) return broken(flat, false);
  const escaped = flatText(expression, true);
  return fitsOnLine(before + escaped + after) ? before + escaped + after : broken(escaped, true);
}

function brokenList(
  items: readonly Expression[],
  before: string,
  after: string,
  indent: number,
  ascii: boolean,
): string {
  const lines = items.map((item) =>
    ascii || item.kind === "text"
      ? `${space(indent + 2)}${flatText(item, ascii)},\n`
      : `${layOut(item, space(indent + 2), ",", indent + 2)}\n`,
  );
  return `${before}[\n${lines.join("")}${space(indent)}]${after}`;
}

/** A list of several lists always has a line for each. */
function isTable({ items }: { readonly items: readonly Expression[] }): boolean {
  return items.length > 1 && items.every((item) => item.kind === "list" && item.items.length > 1);
}

function memberLines({ key, value, comments }: Member, indent: number): string {
  const above = (comments ?? []).map((line) => `${space(indent)}${slashes(line)}\n`).join("");
  if (key === undefined || value === undefined) return above;
  const name = keyLiteral(key);
  const before = `${space(indent)}${name}: `;
  // After a short key a new line saves nothing.
  if (name.length <= 4 && (value.kind === "text" || value.kind === "id")) {
    return `${above}${before}${flatText(value, false)},\n`;
  }
  return `${above}${layOut(value, before, ",", indent)}\n`;
}

/** The expression on one line. Objects always take several lines, except in lists. */
function flatText(expression: Expression, ascii: boolean): string {
  switch (expression.kind) {
    case "text":
      return textLiteral(expression.value, ascii);
    case "code":
      return expression.code;
    case "id":
      return `${expression.variable}.id`;
    case "call":
      return `${expression.callee}(${flatText(expression.argument, ascii)})`;
    case "list":
      return `[${expression.items.map((item) => flatText(item, ascii)).join(", ")}]`;
    case "object": {
      const members = expression.members.map(
        ({ key, value }) => `${keyLiteral(key!)}: ${flatText(value!, ascii)}`,
      );
      return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
    }
  }
}

/** The parts of a resource's statement. */
export interface Statement {
  readonly variable: string;
  readonly className: string;
  readonly name: string;
  readonly args: readonly Member[];
  /** The resource options, on one line. */
  readonly options: readonly (readonly [name: string, code: string])[];
}

/** `export const office = new IpPolicy("office", {…}, {…});` */
export function statementText({ variable, className, name, args, options }: Statement): string {
  const given = options.map(([option, code]) => (option === code ? option : `${option}: ${code}`));
  const last = given.length > 0 ? [`{ ${given.join(", ")} }`] : [];
  const parts = (indent: number): string[] => {
    const object: Expression = { kind: "object", members: args };
    const middle = args.length + last.length > 0 ? [layOut(object, "", "", indent)] : [];
    return [textLiteral(name), ...middle, ...last].map((part) => space(indent) + part);
  };
  const declared = `export const ${variable} =`;
  const created = `new ${className}(`;
  const head = `${declared} ${created}`;
  // An object in several lines can start on the line of the name only where nothing follows it.
  const compact = `${head}${parts(0).join(", ")});`;
  if ((args.length === 0 || last.length === 0) && fitsOnLine(compact.split("\n", 1)[0]!)) return compact;
  if (fitsOnLine(head)) return `${head}\n${parts(2).join(",\n")},\n);`;
  return `${declared}\n  ${created}\n${parts(4).join(",\n")},\n  );`;
}

/** An import statement of several names. */
export function importText(names: readonly string[], module: string): string {
  const flat = `import { ${names.join(", ")} } from ${textLiteral(module)};`;
  if (names.length === 1 || fitsOnLine(flat)) return flat;
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from ${textLiteral(module)};`;
}
