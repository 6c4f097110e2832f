// The schema of the native provider, from the declarations and the JSDoc of their fields. Pulumi makes the SDKs of other
// languages from it: https://www.pulumi.com/docs/iac/guides/building-extending/packages/schema/
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { replaceColumn } from "./docs/facts.mjs";
import { parts, remarks, shared } from "./docs/prose.mjs";
import { root } from "./paths.mjs";

const token = (name) => `tunnel-gateway:index:${name}`;
const anything = { $ref: "pulumi.json#/Any" };

/**
 * @param declarations of all resources
 * @param settings `{ name }` of each setting of the provider
 * @param functions `{ name, declaration, lists, owner }` of each function
 * @param types what the sources say of each class and interface, by name
 */
export function nativeSchema({ declarations, settings, functions, types }) {
  const { description, keywords, license, version } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const named = new NamedTypes(types);
  const variables = settingProperties(settings, types);
  return {
    ...{ name: "tunnel-gateway", displayName: "Tunnel Gateway", version, description, keywords, license },
    meta: { moduleFormat: "(.*)" },
    config: { variables },
    provider: { description: describedIn(types.get("Provider").text), inputProperties: variables },
    resources: byToken(declarations, (each) => resourceOf(each, listOf(each, functions), named)),
    functions: byToken(functions, (each) => functionOf(each, shownAs(each.declaration, functions), named)),
    types: named.all,
    language: {
      csharp: { namespaces: { "tunnel-gateway": "TunnelGateway" }, respectSchemaVersion: true },
      go: { importBasePath: "pulumi-tunnel-gateway/tunnelgateway", respectSchemaVersion: true },
      nodejs: { packageName: "pulumi-tunnel-gateway-sdk", respectSchemaVersion: true },
      python: {
        packageName: "pulumi_tunnel_gateway",
        pyproject: { enabled: true },
        respectSchemaVersion: true,
      },
    },
  };
}

/** The text of a class without its examples, which are in TypeScript. */
function describedIn(text) {
  const { about, more } = parts(text);
  return plain([about, more].filter(Boolean).join("\n\n"));
}

function byToken(all, specOf) {
  return Object.fromEntries(all.map((each) => [token(each.name ?? each.type), specOf(each)]));
}

function settingProperties(settings, types) {
  const members = membersOf("ProviderArgs", types);
  return Object.fromEntries(
    settings.map(({ name }) => {
      const { text, type } = members.get(name);
      const secret = name === "apiKey" ? { secret: true } : {};
      return [name, { type, description: plain(text), ...secret }];
    }),
  );
}

/** The function that lists the objects of a resource. */
function listOf(declaration, functions) {
  return functions.find((each) => each.lists && each.declaration === declaration);
}

function resourceOf({ type, fields }, list, named) {
  const input = named.propertiesOf({ name: type, of: `${type}Args`, fields, isInput: true });
  const output = named.propertiesOf({ name: type, of: type, fields, isInput: false });
  const { about, more, section } = parts(named.textOf(type));
  const notes = remarks(named.textOf(`${type}Args`));
  return {
    description: plain([about, notes, more, `Specification: ${section}`].filter(Boolean).join("\n\n")),
    ...{ properties: output.properties, required: output.required },
    ...{ inputProperties: input.properties, requiredInputs: input.required },
    ...(list && { listInputs: selectionOf(list) }),
    // A stack of dynamic resources becomes one of native resources without a request.
    aliases: [{ type: `pulumi-nodejs:dynamic/tunnel-gateway:${type}` }],
  };
}

/** The first declaration with the same fields: their objects have one type, as in TypeScript. */
function shownAs({ fields }, functions) {
  return functions.find(({ declaration }) => declaration.fields === fields).declaration;
}

/** A function that reads one object by its id or a filter, or all objects of a collection. `shown`: what it returns. */
function functionOf({ declaration, lists, owner }, shown, named) {
  const { type, noun } = declaration;
  const limit = { type: "integer", description: "The maximum number of objects. Default: all." };
  const selection = selectionOf({ owner });
  const inputs = lists
    ? { ...selection, properties: { ...selection.properties, limit } }
    : {
        ...selection,
        properties: {
          id: { type: "string", description: `The id of the ${noun}.` },
          ...selection.properties,
        },
      };
  const one = named.resultOf(shown);
  const ordered = "The objects, in the order of the service.";
  const many = () => {
    const spec = { ...one, description: `One ${shown.noun}.` };
    const items = { $ref: `#/types/${named.add(`${shown.type}Result`, spec)}` };
    return { properties: { objects: { type: "array", items, description: ordered } }, required: ["objects"] };
  };
  const text = `One ${noun}, by its id or by its values. No object, or more than one, is an error.`;
  return {
    description: lists ? `All objects of the class ${type} that match.` : text,
    inputs,
    outputs: { type: "object", ...(lists ? many() : one) },
  };
}

/** Which objects a function or a list takes. */
function selectionOf({ owner }) {
  const filter = {
    ...{ type: "object", additionalProperties: anything },
    description: "Outputs that an object must have, with their values. They are compared by meaning.",
  };
  const ofOwner = owner && {
    [owner]: { type: "string", description: "The id of the object that they belong to." },
  };
  return { type: "object", properties: { ...ofOwner, filter }, required: owner ? [owner] : [] };
}

/** The named types of the schema: objects and enumerations. */
class NamedTypes {
  all = {};

  constructor(types) {
    this.types = types;
  }

  textOf(name) {
    return this.types.get(name).text;
  }

  /** The object that a function returns: the outputs of a resource, and its id. */
  resultOf({ type, fields, seals }) {
    // The service shows a secret of its own once, in the answer to the creation.
    const shown = Object.entries(fields).filter(
      ([name, { presence, traits }]) => !(presence === "computed" && traits.secret) && name !== seals?.as,
    );
    const { properties, required } = this.propertiesOf({
      ...{ name: type, of: type, fields: Object.fromEntries(shown), isInput: false },
    });
    const id = { type: "string", description: "The id of the object." };
    return { type: "object", properties: { id, ...properties }, required: ["id", ...required] };
  }

  /** Adds a type, and gives its token. */
  add(name, type) {
    this.all[token(name)] ??= type;
    return token(name);
  }

  /** The properties of an object, and the names of those that it always has. `of` is the interface with their texts. */
  propertiesOf({ name, of, fields, isInput }) {
    const members = membersOf(of, this.types);
    const shown = Object.entries(fields).filter(([, { presence, traits }]) =>
      isInput ? presence !== "computed" : !traits.local,
    );
    const properties = shown.flatMap(([each, field]) => {
      const member = members.get(each) ?? { text: "", refersTo: [] };
      const refersTo = member.refersTo.filter((one) => this.types.has(one));
      const isItem = (one) => membersOf(one, this.types).has(field.shape.listed?.key);
      const child = {
        ...{ name: name + each[0].toUpperCase() + each.slice(1), of: refersTo.find((one) => !isItem(one)) },
        item: refersTo.find(isItem),
      };
      const property = [each, this.propertyOf(field, child, member, isInput)];
      return isInput && field.shape.listed
        ? [property, [field.shape.listed.argument, this.listOf(field.shape, child, each)]]
        : [property];
    });
    // A list may take the place of the map.
    const always = ([each, { presence, shape }]) =>
      isInput ? presence === "required" && !shape.listed : !(members.get(each)?.mayLack ?? true);
    return {
      properties: Object.fromEntries(properties),
      required: shown.filter(always).map(([each]) => each),
    };
  }

  propertyOf(field, child, { text }, isInput) {
    const { traits } = field;
    return {
      ...this.typeOf(field, child, isInput),
      ...(text && { description: plain(text) }),
      ...(traits.secret && { secret: true }),
      // The provider decides: replaceOnChanges would replace what only differs in its spelling.
      ...(isInput && replaceColumn(field) === "yes" && { willReplaceOnChanges: true }),
    };
  }

  typeOf({ shape }, child, isInput) {
    switch (shape.kind) {
      case "string":
        return this.textType(shape.format, child, isInput);
      case "number":
        return { type: isInt32(shape) ? "integer" : "number" };
      case "boolean":
        return { type: "boolean" };
      case "list":
        return { type: "array", items: this.typeOf(shape.item, child, isInput) };
      case "map":
        return { type: "object", additionalProperties: this.typeOf(shape.value, child, isInput) };
      case "object":
        return this.objectType(shape, child, isInput);
    }
  }

  /** The argument with a list in the place of the map `name`: the types of Python know no union of the two. */
  listOf({ listed }, { item }, name) {
    const items = this.typeOf(listed.item, { name: item.replace(/Args$/, ""), of: item }, true);
    const description =
      `\`${name}\` as a list, whose items may hold Outputs in the place of keys; two items with the same \`${listed.key}\` are ` +
      `an error. Give \`${name}\` or this list.`;
    return { type: "array", items, description };
  }

  /** A text, or one of a fixed set of words. Programs may give the word as text too. */
  textType({ words }, { name }, isInput) {
    if (words === undefined || !isInput) return { type: "string" };
    const values = words.map((value) => ({ value }));
    // Fields with the same words share a type, as in TypeScript.
    const same = Object.keys(this.all).find((each) => isDeepStrictEqual(this.all[each].enum, values));
    const spec = () => ({ type: "string", enum: values, description: plain(this.textOf(name)) });
    return {
      oneOf: [{ type: "string" }, { $ref: `#/types/${same ?? this.add(name, spec())}` }],
      type: "string",
    };
  }

  /** A type for arguments and outputs, or one for each where they differ: then that of the outputs ends with "State". */
  objectType({ fields, shorthand }, { name, of }, isInput) {
    const own = of === shared ? shared : name;
    const text = this.types.get(of)?.text;
    const spec = {
      type: "object",
      ...(text && { description: plain(text) }),
      ...this.propertiesOf({ name: own, of: of ?? name, fields, isInput }),
    };
    const known = this.all[token(own)];
    const isOther = known !== undefined && !isDeepStrictEqual(known, spec);
    const ref = { $ref: `#/types/${this.add(isOther ? `${own}State` : own, spec)}` };
    return shorthand !== undefined ? { oneOf: [{ type: "string" }, ref] } : ref;
  }
}

/** The members of an interface by name; none where there is no interface. */
function membersOf(name, types) {
  return new Map((types.get(name)?.members ?? []).map((member) => [member.name, member]));
}

/**
 * Whether a number must be whole and fit into 32 bits with a sign, as its check says of numbers that are not so. C# and Java
 * hold a larger one, such as a uint32, as a floating-point number alone.
 */
function isInt32({ check }) {
  return check(1) === undefined && check(1.5) !== undefined && check(2 ** 31) !== undefined;
}

/** A text of the JSDoc for editors of other languages: without links and names of pages. */
function plain(text) {
  return text
    .replace(/\{@link (\w+)\}/g, "$1")
    .replace(/[ \t]*\n(?!\n)(?<!\n\n)[ \t]*/g, " ")
    .replace(/ ?\n\n ?/g, "\n\n")
    .trim();
}
