// What the sources say about each resource: the declarations, and the JSDoc of classes, arguments and outputs.
import Module, { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../paths.mjs";

const source = join(root, "src");

/** The declarations, loaded from the sources, so that generated pages are never older. */
export function readDeclarations() {
  return load("./resources/registry.ts").declarations;
}

/** The keys of the settings in the Pulumi configuration and their environment variables, by setting. */
export function readSettings() {
  const { configKey, environmentNames } = load("./settings.ts");
  return Object.entries(environmentNames).map(([name, variable]) => ({
    name,
    key: configKey(name),
    variable,
  }));
}

function load(module) {
  Module._extensions[".ts"] = (module, file) => {
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
    module._compile(
      ts.transpileModule(readFileSync(file, "utf8"), { compilerOptions: options }).outputText,
      file,
    );
  };
  return createRequire(join(source, "_"))(module);
}

/**
 * The public classes and interfaces by name, each with its text, its members in order, and its example blocks:
 * `{ name, text, members: [{ name, text, type, optional, refersTo }] }`.
 */
export function readTypes() {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, files: ["src/index.ts"], include: [] },
    ts.sys,
    root,
  );
  const program = ts.createProgram([join(source, "index.ts")], options);
  const checker = program.getTypeChecker();
  const types = new Map();
  for (const file of program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(source))) {
    for (const node of file.statements) {
      if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node))
        types.set(node.name.text, typeOf(node, checker));
    }
  }
  return types;
}

function typeOf(node, checker) {
  // The type checker resolves the call that makes a resource's base class.
  const bases = checker.getBaseTypes(checker.getTypeAtLocation(node)).map(({ symbol }) => symbol.name);
  const members = node.members
    .filter((member) => ts.isPropertyDeclaration(member) || ts.isPropertySignature(member))
    .filter((member) => member.type !== undefined)
    .filter((member) => !member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
    .map((member) => ({
      name: member.name.text,
      text: textOf(member),
      optional: member.questionToken !== undefined,
      ...described(member.type, checker),
    }));
  return { name: node.name.text, text: textOf(node), bases, members };
}

/** The text before the first tag; that of `@deprecated` is added. */
function textOf(node) {
  const text = ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment));
  const deprecated = ts.getJSDocDeprecatedTag(node);
  return [...text, deprecated && `Deprecated: ${ts.getTextOfJSDocComment(deprecated.comment)}`]
    .filter(Boolean)
    .join(" ");
}

/** A type without Pulumi's wrappers: `text` to read, and the interfaces that `refersTo` names. */
function described(node, checker) {
  if (ts.isTypeReferenceNode(node)) return reference(node, checker);
  if (ts.isParenthesizedTypeNode(node)) return described(node.type, checker);
  if (ts.isArrayTypeNode(node)) {
    const item = described(node.elementType, checker);
    return { ...item, type: item.type.includes("|") ? `(${item.type})[]` : `${item.type}[]` };
  }
  if (ts.isUnionTypeNode(node)) {
    const parts = node.types
      .filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword)
      .map((part) => described(part, checker));
    return {
      type: parts.map(({ type }) => type).join(" | "),
      refersTo: parts.flatMap(({ refersTo }) => refersTo),
    };
  }
  return { type: node.getText(), refersTo: [] };
}

function reference(node, checker) {
  const name = node.typeName.right?.text ?? node.typeName.text;
  const args = (node.typeArguments ?? []).map((argument) => described(argument, checker));
  if (["Input", "Output", "Readonly", "Unwrap"].includes(name)) return args[0];
  if (name === "Record") {
    return {
      type: `Record<${args.map(({ type }) => type).join(", ")}>`,
      refersTo: args.flatMap(({ refersTo }) => refersTo),
    };
  }
  let symbol = checker.getSymbolAtLocation(node.typeName);
  if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration);
  return alias ? described(alias.type, checker) : { type: name, refersTo: [name] };
}
