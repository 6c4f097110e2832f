// The published declarations, from those that the compiler emits: one flat file for each entry of the package, which names
// nothing but Pulumi's types. What is inferred from fields becomes interfaces and classes with their members; what is
// written out stays as it is.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { endings } from "./docs/prose.mjs";
import { keyOf, typesOf } from "./docs/sources.mjs";

/** Its classes are those of the first entry, over the native provider. */
const native = "native";
/** The entries without their extension. A later one imports what an earlier one exports. */
const entries = [
  "index",
  native,
  "testing/index",
  "tools/policy/index",
  "emulator/index",
  "provider/dynamic/index",
];
const sdk = "@pulumi/pulumi";
/** The longest line of a comment without its indent. */
const longestLine = 116;

/** Writes the declarations of the entries to the folder `to` of the code, from all that the compiler emitted into `from`. */
export function writeDeclarations(from, to) {
  const files = entries.map((entry) => join(from, `${entry}.d.ts`));
  const options = {
    strict: true,
    module: ts.ModuleKind.Node16,
    target: ts.ScriptTarget.ES2020,
    types: ["node"],
  };
  const program = ts.createProgram(files, options);
  const { declarations } = createRequire(join(to, "_"))("./resources/registry.js");
  const ends = endings(declarations, typesOf(program, join(from, "resources")));
  const owners = new Map();
  for (const [at, file] of files.entries()) {
    const source = program.getSourceFile(file);
    const text =
      entries[at] === native
        ? withoutBases(source.text)
        : new Entry({ at, source, from, checker: program.getTypeChecker(), owners, ends }).text();
    const target = join(to, `${entries[at]}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

/** The compiler puts a constant between a class and the expression that it extends. */
function withoutBases(text) {
  const based = /declare const (\w+)_base: typeof (own\.\w+);\n(export declare class \w+ extends )\1_base\b/g;
  return text.replace(based, "$3$2");
}

/** One entry, and all that its declarations name. */
class Entry {
  #at;
  #source;
  #from;
  #checker;
  /** The entry that exports a symbol, for all entries. */
  #owners;
  /** How the texts of arguments end, by their keys. */
  #ends;
  #queue = [];
  #names = new Map();
  #imports = new Map();
  #statements = [];
  #usesSdk = false;

  constructor({ at, source, from, checker, owners, ends }) {
    this.#at = at;
    this.#source = source;
    this.#from = from;
    this.#checker = checker;
    this.#owners = owners;
    this.#ends = ends;
  }

  text() {
    const exported = this.#checker
      .getExportsOfModule(this.#checker.getSymbolAtLocation(this.#source))
      .map((symbol) => this.#resolved(symbol));
    for (const symbol of exported) {
      if (!this.#owners.has(symbol)) this.#owners.set(symbol, this.#at);
      this.#nameOf(symbol);
    }
    for (const symbol of this.#queue) {
      for (const node of symbol.declarations) this.#statements.push(...this.#declared(node, symbol));
    }
    const imports = [...this.#imports].map(
      ([owner, names]) =>
        `import type { ${[...names].sort().join(", ")} } from "${pathBetween(entries[this.#at], entries[owner])}";`,
    );
    if (this.#usesSdk) imports.unshift(`import * as pulumi from "${sdk}";`);
    const about = /^\/\*\*.*?\*\//s.exec(this.#source.text)?.[0];
    return `${[about, ...imports, ...this.#statements, "export {};"].filter(Boolean).join("\n")}\n`;
  }

  /** The name of a symbol in this entry, which declares it or imports it. */
  #nameOf(symbol) {
    const { name } = symbol;
    const known = this.#names.get(name);
    if (known !== undefined && known !== symbol)
      throw new Error(`Two declarations of one entry are called ${name}`);
    if (known === symbol) return name;
    this.#names.set(name, symbol);
    const owner = this.#owners.get(symbol) ?? this.#at;
    if (owner === this.#at) this.#queue.push(symbol);
    else this.#imports.set(owner, (this.#imports.get(owner) ?? new Set()).add(name));
    return name;
  }

  #resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #isOurs(symbol) {
    return (
      symbol?.declarations?.some((node) => node.getSourceFile().fileName.startsWith(this.#from)) ?? false
    );
  }

  /** The statements of a declaration. */
  #declared(node, symbol) {
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
    const isExported = this.#owners.get(symbol) === this.#at;
    const prefix = `${isExported ? "export " : ""}${isType ? "" : "declare "}`;
    if (ts.isVariableDeclaration(node)) return this.#constant(node, prefix);
    if (ts.isClassDeclaration(node) && this.#isResource(node)) return [this.#resource(node, symbol, prefix)];
    const text =
      ts.isInterfaceDeclaration(node) && this.#isInferred(node)
        ? `interface ${symbol.name} {\n${this.#members(this.#checker.getDeclaredTypeOfSymbol(symbol), node.getSourceFile())}\n}`
        : this.#copied(node).replace(/^(export )?(declare )?/, "");
    return [`${commentOf(node)}${prefix}${text}`];
  }

  /** Whether an interface has the members of a type that is computed, as from fields. */
  #isInferred(node) {
    const parents = (node.heritageClauses ?? []).flatMap(({ types }) => types);
    return parents.some(({ expression }) => {
      const symbol = this.#resolved(this.#checker.getSymbolAtLocation(expression));
      return this.#isOurs(symbol) && (symbol.flags & ts.SymbolFlags.TypeAlias) !== 0;
    });
  }

  #isResource(node) {
    const [parent] = (node.heritageClauses ?? []).flatMap(({ types }) => types);
    return (
      parent !== undefined &&
      ts.isIdentifier(parent.expression) &&
      parent.expression.text === `${node.name.text}_base`
    );
  }

  /** A class of resources: what its base shows of its fields, and how it is made and looked up. */
  #resource(node, symbol, prefix) {
    const base = this.#checker.getTypeOfSymbol(
      this.#checker.getSymbolAtLocation(node.heritageClauses[0].types[0].expression),
    );
    const [Resource, Args] = base.aliasTypeArguments ?? this.#checker.getTypeArguments(base);
    const given = new Map([
      ["Resource", Resource.symbol.name],
      ["Args", this.#nameOf(Args.symbol)],
    ]);
    const statics = base.getProperties().filter((each) => this.#isOurs(each));
    const signatures = statics.map((each) => {
      const [{ declaration }] = this.#checker.getTypeOfSymbol(each).getCallSignatures();
      return `${commentOf(declaration, 1)}    static ${this.#copied(declaration, given)}`;
    });
    const [{ declaration }] = base.getConstructSignatures();
    const parameters = declaration.parameters.map((each) => this.#copied(each, given)).join(", ");
    const made = `${commentOf(declaration, 1)}    constructor(${parameters});`;
    const outputs = this.#members(
      this.#checker.getDeclaredTypeOfSymbol(symbol),
      node.getSourceFile(),
      "readonly ",
    );
    this.#usesSdk = true;
    const body = [...signatures, outputs, made].join("\n");
    return `${commentOf(node)}${prefix}class ${symbol.name} extends pulumi.CustomResource {\n${body}\n}`;
  }

  /** The members of a type that are ours: the id, those of the collection's own file, and those that others have too. */
  #members(type, file, modifier = "") {
    const order = (each) => {
      const [node] = each.declarations;
      const source = node.getSourceFile();
      return [each.name !== "id", source !== file, source.fileName, node.pos];
    };
    return this.#checker
      .getPropertiesOfType(type)
      .filter((each) => this.#isOurs(each))
      .sort((a, b) => compare(order(a), order(b)))
      .map((each) => {
        const isOptional = (each.flags & ts.SymbolFlags.Optional) !== 0;
        const shown = this.#typeText(this.#checker.getTypeOfSymbol(each), isOptional);
        const ending = this.#ends.get(keyOf(each, this.#checker));
        return `${commentOf(each.declarations[0], 1, ending)}    ${modifier}${each.name}${isOptional ? "?" : ""}: ${shown};`;
      })
      .join("\n");
  }

  /** A computed type as a program would write it. */
  #typeText(type, isOptional) {
    const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;
    const node = this.#checker.typeToTypeNode(type, undefined, flags);
    const named = ts.transform(node, [
      (context) => {
        const visit = (each) => {
          if (ts.isIdentifier(each) && each.symbol)
            return ts.factory.createIdentifier(this.#written(each.symbol));
          return ts.visitEachChild(each, visit, context);
        };
        return visit;
      },
    ]).transformed[0];
    const isUndefined = ({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword;
    const kept =
      isOptional && ts.isUnionTypeNode(named)
        ? ts.factory.createUnionTypeNode(named.types.filter((each) => !isUndefined(each)))
        : named;
    return ts.createPrinter({ removeComments: true }).printNode(ts.EmitHint.Unspecified, kept, this.#source);
  }

  /** The name of a symbol that a computed type holds. */
  #written(symbol) {
    if (this.#isOurs(symbol)) return isOfFile(symbol) ? this.#nameOf(symbol) : symbol.name;
    if (!symbol.declarations?.some((node) => node.getSourceFile().fileName.includes(`/${sdk}/`)))
      return symbol.name;
    this.#usesSdk = true;
    return `pulumi.${symbol.name}`;
  }

  /** A constant; a function that reads the account becomes one that is written out. */
  #constant(node, prefix) {
    const statement = node.parent.parent;
    const comment = commentOf(statement);
    const { type, name } = node;
    const target = typeReferenced(type);
    const symbol = target && this.#resolved(this.#checker.getSymbolAtLocation(target));
    const call = symbol?.declarations
      .find(ts.isInterfaceDeclaration)
      ?.members.find(ts.isCallSignatureDeclaration);
    if (call === undefined) return [`${comment}${prefix}const ${this.#copied(node)};`];
    const [parameter] = symbol.declarations.find(ts.isInterfaceDeclaration).typeParameters;
    const result = this.#result(type.typeArguments[0]);
    const text = this.#copied(call, new Map([[parameter.name.text, result.name]]));
    return [...result.statements, `${comment || commentOf(call)}${prefix}function ${name.text}${text}`];
  }

  /** The interface of the objects that a function returns, and the statement that declares it where it is new. */
  #result(node) {
    const target = typeReferenced(node);
    const symbol = this.#resolved(this.#checker.getSymbolAtLocation(target));
    const [of] = node.typeArguments ?? [];
    if (of === undefined && symbol.flags & ts.SymbolFlags.Interface)
      return { name: this.#nameOf(symbol), statements: [] };
    const subject = of ? typeReferenced(of).text : symbol.name.replace(/Result$/, "");
    const name = `${subject}Result`;
    if (this.#names.has(name)) return { name, statements: [] };
    this.#names.set(name, name);
    const members = this.#members(this.#checker.getTypeFromTypeNode(node), node.getSourceFile());
    const comment = `/** What a function that reads an object of the class {@link ${subject}} returns: its outputs as plain values. */`;
    return { name, statements: [`${comment}\nexport interface ${name} {\n${members}\n}`] };
  }

  /** The text of a declaration as it stands, with the names of this entry, and with `given` in the place of parameters. */
  #copied(node, given = new Map()) {
    const start = node.getStart();
    const edits = []; // in the order of the text
    const visit = (each) => {
      const edit = this.#edit(each, given);
      if (edit === undefined) return ts.forEachChild(each, visit);
      const { text, end = each.getEnd(), rest = [] } = edit;
      edits.push({ text, from: each.getStart() - start, to: end - start });
      rest.forEach(visit);
    };
    visit(node);
    return edits.reduceRight(
      (text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to),
      node.getText(),
    );
  }

  /** What takes the place of a node; undefined where its parts decide. */
  #edit(node, given) {
    if (ts.isImportTypeNode(node)) {
      const symbol = this.#resolved(this.#checker.getSymbolAtLocation(node.qualifier));
      return { text: this.#nameOf(symbol), end: node.qualifier.getEnd(), rest: node.typeArguments ?? [] };
    }
    if (ts.isQualifiedName(node) || ts.isPropertyAccessExpression(node)) {
      const left = node.left ?? node.expression;
      if (!ts.isIdentifier(left) || !["sdk", "pulumi"].includes(left.text)) return undefined;
      this.#usesSdk = true;
      return { text: `pulumi.${(node.right ?? node.name).text}` };
    }
    if (!ts.isIdentifier(node)) return undefined;
    const symbol = this.#checker.getSymbolAtLocation(node);
    if (symbol === undefined) return undefined;
    if (given.has(node.text) && symbol.flags & ts.SymbolFlags.TypeParameter)
      return { text: given.get(node.text) };
    const target = this.#resolved(symbol);
    if (this.#isOurs(target)) return isOfFile(target) ? { text: this.#nameOf(target) } : undefined;
    const imported = ts.findAncestor(symbol.declarations?.[0], ts.isImportDeclaration);
    if (imported === undefined) return undefined; // a global one
    const from = imported.moduleSpecifier.text;
    if (from !== sdk)
      throw new Error(`${symbol.name} comes from ${from}, which the declarations of an entry do not import`);
    this.#usesSdk = true;
    return { text: `pulumi.${symbol.name}` };
  }
}

/** Whether a symbol is declared by a file, and not inside of another declaration, as a member is. */
function isOfFile({ declarations }) {
  return declarations.some((node) =>
    ts.isSourceFile(ts.isVariableDeclaration(node) ? node.parent.parent.parent : node.parent),
  );
}

/** The name that a reference to a type ends with. */
function typeReferenced(node) {
  if (node === undefined) return undefined;
  if (ts.isImportTypeNode(node)) return node.qualifier;
  return ts.isTypeReferenceNode(node) ? node.typeName : undefined;
}

/** Which of two lists comes first, by their first items that differ. */
function compare(a, b) {
  const at = a.findIndex((each, index) => each !== b[index]);
  return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
}

/** The JSDoc of a declaration with its line end, indented as a member where `depth` is 1. `ending` comes after its text. */
function commentOf(node, depth = 0, ending = "") {
  const written = node.jsDoc?.at(-1)?.getText();
  if (written === undefined) return "";
  const comment = ending === "" ? written : extended(written, ending);
  const indent = "    ".repeat(depth);
  return `${comment
    .split("\n")
    .map((line) => `${indent}${line.trim().startsWith("*") ? " " : ""}${line.trim()}`)
    .join("\n")}\n`;
}

function extended(comment, ending) {
  const isOneLine = !comment.includes("\n") && `${comment} ${ending}`.length <= longestLine;
  if (isOneLine) return comment.replace("*/", `${ending} */`);
  const lines = comment
    .replace(/^\/\*\* /, "/**\n * ")
    .replace(/\s*\*\/$/, "")
    .split("\n");
  for (const word of ending.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.trim().length < longestLine) lines[lines.length - 1] = longer;
    else lines.push(` * ${word}`);
  }
  return [...lines, " */"].join("\n");
}

function pathBetween(from, to) {
  const path = relative(dirname(from), to).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}
