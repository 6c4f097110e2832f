// What the sources say about each resource: the declarations, and the JSDoc of classes, arguments and outputs.
import Module, { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../paths.mjs";
import { endings } from "./prose.mjs";

const source = join(root, "src");

/** The declarations, loaded from the sources, so that generated pages are never older. */
export function readDeclarations() {
  return load("./resources/registry.ts").declarations;
}

/** The functions of the native provider. */
export function readFunctions() {
  return load("./provider/native/functions.ts").accountFunctions;
}

/** The keys of the settings in the Pulumi configuration and their environment variables, by setting. */
export function readSettings() {
  const { configKey, environmentNames } = load("./provider/settings/settings.ts");
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

/** The types of `src`, in which the texts of arguments have their endings. */
export function readTypes(declarations) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, files: ["src/index.ts"], include: [] },
    ts.sys,
    root,
  );
  const types = typesOf(ts.createProgram([join(source, "index.ts")], options), source);
  const ends = endings(declarations, types);
  for (const member of [...types.values()].flatMap(({ members }) => members))
    member.text = [member.text, ends.get(member.key)].filter(Boolean).join(" ");
  return types;
}

/**
 * The public classes, interfaces and constants in a folder by name, each with its text and its members in order, inherited ones
 * too: `{ name, text, members: [{ name, text, key, type, optional, mayLack, refersTo }] }`. The type checker knows the members
 * that are inferred from fields, and the text of each field.
 */
export function typesOf(program, folder) {
  const checker = program.getTypeChecker();
  const types = new Map();
  for (const file of program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder))) {
    for (const node of file.statements) {
      if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node))
        types.set(node.name.text, typeOf(node, checker));
      for (const name of constantsIn(node))
        types.set(name.text, {
          name: name.text,
          text: textOf(checker.getSymbolAtLocation(name), checker),
          members: [],
        });
    }
  }
  return types;
}

/** The names of the constants that a statement declares. */
function constantsIn(node) {
  if (!ts.isVariableStatement(node)) return [];
  return node.declarationList.declarations.map(({ name }) => name).filter(ts.isIdentifier);
}

function typeOf(node, checker) {
  const members = checker
    .getPropertiesOfType(checker.getTypeAtLocation(node.name))
    .filter(({ flags, declarations }) => isData(flags) && declarations.some(isOurs))
    .map((member) => ({
      name: member.name,
      key: keyOf(member, checker),
      text: textOf(member, checker),
      optional: (member.flags & ts.SymbolFlags.Optional) !== 0,
      mayLack: mayLack(checker.getTypeOfSymbol(member), checker),
      ...described(checker.getTypeOfSymbol(member), checker),
    }));
  return { name: node.name.text, text: textOf(checker.getSymbolAtLocation(node.name), checker), members };
}

/** What all declarations of one field have in common: the compiler may write it out more than once. */
export function keyOf(symbol, checker) {
  return [symbol.declarations[0].getSourceFile().fileName, symbol.name, textOf(symbol, checker)].join();
}

const isData = (flags) => (flags & ts.SymbolFlags.Property) !== 0;
const isOurs = (node) =>
  !node.getSourceFile().fileName.includes("/node_modules/") &&
  (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0;

/** The text before the first tag; that of `@deprecated` is added. */
function textOf(symbol, checker) {
  const deprecated = symbol.getJsDocTags(checker).find(({ name }) => name === "deprecated");
  const parts = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const text = parts.replace(/(\{@link \w+) \}/g, "$1}"); // the compiler parts a name from its text, which may be empty
  return [text, deprecated && `Deprecated: ${ts.displayPartsToString(deprecated.text)}`]
    .filter(Boolean)
    .join(" ");
}

/** Whether the value of an output may be undefined. */
function mayLack(type, checker) {
  const [inner] = type.aliasTypeArguments ?? [];
  if (inner && type.aliasSymbol.name === "Output") return mayLack(inner, checker);
  if (type.symbol?.name === "OutputInstance") return mayLack(checker.getTypeArguments(type)[0], checker);
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(({ flags }) => flags & ts.TypeFlags.Undefined);
}

/** A type without Pulumi's wrappers: `type` to read, and the interfaces that `refersTo` names. */
function described(type, checker) {
  const [inner] = type.aliasTypeArguments ?? [];
  if (inner && ["Input", "Output", "UnwrappedObject"].includes(type.aliasSymbol.name))
    return described(inner, checker);
  if (type.symbol?.name === "OutputInstance") return described(checker.getTypeArguments(type)[0], checker);
  if (type.flags & ts.TypeFlags.Boolean) return { type: "boolean", refersTo: [] };
  if (type.isUnion()) return union(type, checker);
  if (checker.isArrayType(type) || type.symbol?.name === "ReadonlyArray") {
    const item = described(checker.getTypeArguments(type)[0], checker);
    return { ...item, type: item.type.includes("|") ? `(${item.type})[]` : `${item.type}[]` };
  }
  const value = type.getStringIndexType();
  if (value) {
    const { type: text, refersTo } = described(value, checker);
    return { type: `Record<string, ${text}>`, refersTo };
  }
  const name = type.isClassOrInterface() ? type.symbol.name : undefined;
  return name ? { type: name, refersTo: [name] } : { type: checker.typeToString(type), refersTo: [] };
}

/** Of an Input, which is a union, its Promise names the type as it was written. */
function union(type, checker) {
  const promise = type.types.find(({ symbol }) => symbol?.name === "Promise");
  if (promise) return described(checker.getTypeArguments(promise)[0], checker);
  const given = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
  const isSwitch = given.every(({ flags }) => flags & ts.TypeFlags.BooleanLiteral);
  if (isSwitch) return { type: "boolean", refersTo: [] };
  const parts = given.map((part) => described(part, checker));
  return {
    type: parts.map(({ type: text }) => text).join(" | "),
    refersTo: parts.flatMap(({ refersTo }) => refersTo),
  };
}
