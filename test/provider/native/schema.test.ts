/** The schema from which Pulumi makes the SDKs of other languages, against the declarations. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as gateway from "../../../src";
import { accountFunctions } from "../../../src/provider/native/functions";
import { declarations } from "../../../src/resources/registry";
import { environmentNames } from "../../../src/provider/settings/settings";
import type { Fields, Shape } from "../../../src/schema/field";

interface Property {
  type?: string;
  $ref?: string;
  secret?: boolean;
  description?: string;
  items?: Property;
  additionalProperties?: Property;
  oneOf?: Property[];
  willReplaceOnChanges?: boolean;
  replaceOnChanges?: boolean;
}
interface ObjectType {
  properties: Record<string, Property>;
  required: string[];
  description?: string;
  enum?: { value: string }[];
}
interface Resource extends ObjectType {
  description: string;
  inputProperties: Record<string, Property>;
  requiredInputs: string[];
  aliases: { type: string }[];
}
interface Schema {
  name: string;
  version: string;
  config: { variables: Record<string, Property> };
  provider: { inputProperties: Record<string, Property> };
  resources: Record<string, Resource>;
  functions: Record<string, { description: string; inputs: ObjectType; outputs: ObjectType }>;
  types: Record<string, ObjectType>;
}

const root = resolve(__dirname, "../../..");
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), "utf8"));
const schema = read("src/provider/native/schema.json") as Schema;
const token = (name: string): string => `tunnel-gateway:index:${name}`;

/** The object type that a property refers to. */
function objectOf({ $ref, oneOf, items, additionalProperties }: Property): ObjectType | undefined {
  const inner = items ?? additionalProperties;
  if (inner) return objectOf(inner);
  if (oneOf) return oneOf.map(objectOf).find((each) => each !== undefined);
  return $ref?.startsWith("#/types/") ? schema.types[$ref.slice("#/types/".length)] : undefined;
}

/** The fields of the object that a shape holds, itself or as items or values. */
function membersOf(shape: Shape): Fields | undefined {
  if (shape.kind === "object") return shape.fields;
  if (shape.kind === "list") return membersOf(shape.item.shape);
  return shape.kind === "map" ? membersOf(shape.value.shape) : undefined;
}

/** Compares fields with properties at every depth, and returns what was compared. */
function compare(
  fields: Fields,
  { properties, required }: Pick<ObjectType, "properties" | "required">,
  isInput: boolean,
  path: string,
): string[] {
  const expected = Object.entries(fields).filter(([, { presence, traits }]) =>
    isInput ? presence !== "computed" : !traits.local,
  );
  // A map that may be given as a list is two arguments, of which the program gives one.
  const names = expected.flatMap(([name, { shape }]) => {
    const list = shape.kind === "map" && isInput ? shape.listed?.argument : undefined;
    return list === undefined ? [name] : [name, list];
  });
  expect([path, Object.keys(properties)]).toEqual([path, names]);
  const needed = expected
    .filter(([, { presence, shape }]) => presence === "required" && !(shape.kind === "map" && shape.listed))
    .map(([name]) => name);
  if (isInput) expect([path, required]).toEqual([path, needed]);
  else expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
  return expected.flatMap(([name, { shape, traits }]) => {
    const own = `${path}.${name}`;
    const property = properties[name]!;
    expect([own, property.secret ?? false]).toEqual([own, traits.secret ?? false]);
    expect(property.replaceOnChanges).toBeUndefined();
    const members = membersOf(shape);
    const type = members && objectOf(property);
    return members ? [own, ...compare(members, type!, isInput, own)] : [own];
  });
}

it("has every resource with all its arguments and outputs, at every depth, and the alias of the dynamic one", () => {
  expect(Object.keys(schema.resources)).toEqual(declarations.map(({ type }) => token(type)));
  for (const { type, fields } of declarations) {
    const resource = schema.resources[token(type)]!;
    const [inputs, outputs] = [
      compare(
        fields,
        { properties: resource.inputProperties, required: resource.requiredInputs },
        true,
        type,
      ),
      compare(fields, resource, false, type),
    ];
    expect(inputs.length + outputs.length).toBeGreaterThan(2);
    expect(resource.aliases).toEqual([{ type: `pulumi-nodejs:dynamic/tunnel-gateway:${type}` }]);
    expect(resource.description).toMatch(/Specification: /);
  }
});

it("has a text for every resource, function, type, argument, output and setting", () => {
  const { resources, functions, types } = schema;
  const objects: Record<string, Partial<Resource>> = {
    ...resources,
    ...types,
    ...Object.fromEntries(
      Object.entries(functions).flatMap(([name, { inputs, outputs }]) => [
        [`${name} inputs`, inputs],
        [`${name} outputs`, outputs],
      ]),
    ),
    config: { inputProperties: schema.config.variables },
  };
  const properties = Object.entries(objects).flatMap(([name, { properties = {}, inputProperties = {} }]) =>
    [...Object.entries(properties), ...Object.entries(inputProperties)].map(
      ([each, { description }]) => [`${name} ${each}`, description] as const,
    ),
  );
  const whole = [...Object.entries(resources), ...Object.entries(functions), ...Object.entries(types)].map(
    ([name, { description }]) => [name, description] as const,
  );
  expect([...properties, ...whole].filter(([, text]) => !text).map(([name]) => name)).toEqual([]);
  expect(JSON.stringify(schema)).not.toMatch(/\{@link|undefined"/);
});

it("has the settings of the provider, of which the key is a secret, and the version of the package", () => {
  const { variables } = schema.config;
  expect(Object.keys(variables)).toEqual(Object.keys(environmentNames));
  expect(schema.provider.inputProperties).toEqual(variables);
  const secrets = Object.keys(variables).filter((name) => variables[name]!.secret);
  expect(secrets).toEqual(["apiKey"]);
  expect(schema.version).toBe((read("package.json") as { version: string }).version);
});

it("has every function, with the argument of its owner", () => {
  expect(new Set(Object.keys(schema.functions))).toEqual(
    new Set(accountFunctions.map(({ name }) => token(name))),
  );
  for (const { name, lists, owner } of accountFunctions) {
    const { inputs, outputs } = schema.functions[token(name)]!;
    expect(inputs.required).toEqual(owner === undefined ? [] : [owner]);
    expect(Object.keys(outputs.properties)).toContain(lists ? "objects" : "id");
  }
});

it("refers to every type that it has, and to no other", () => {
  const named = [...JSON.stringify(schema).matchAll(/"#\/types\/([^"]+)"/g)].map((match) => match[1]!);
  expect([...new Set(named)].sort()).toEqual(Object.keys(schema.types).sort());
});

it("has no union of a map and a list, which Python does not take, and a list in the place of such a map", () => {
  const { inputProperties } = schema.resources[token("IpPolicyRuleSet")]!;
  expect(inputProperties.rules!.oneOf).toBeUndefined();
  expect(inputProperties.rules!.type).toBe("object");
  const items = { $ref: `#/types/${token("IpPolicyRuleSetEntry")}` };
  expect(inputProperties.entries).toMatchObject({ type: "array", items });
  const unions = [...JSON.stringify(schema).matchAll(/"oneOf":(\[.*?\])/g)].map((match) => match[1]!);
  expect(unions.length).toBeGreaterThan(3);
  expect(unions.filter((union) => union.includes('"array"') || union.includes('"object"'))).toEqual([]);
});

it("has a whole number only where it fits into the 32 bits of C# and Java", () => {
  const { inactivityTimeout } = schema.resources[token("HttpsEdgeRouteOidc")]!.inputProperties;
  expect(inactivityTimeout!.type).toBe("number");
  const { statusCode } = schema.resources[token("HttpResponseBackend")]!.inputProperties;
  expect(statusCode!.type).toBe("integer");
});

it("lists the words of a value that has a fixed set of them, as well as text", () => {
  const { action } = schema.resources[token("IpPolicyRule")]!.inputProperties;
  expect(action!.oneOf).toEqual([{ type: "string" }, { $ref: `#/types/${token("IpPolicyRuleAction")}` }]);
  expect(schema.types[token("IpPolicyRuleAction")]!.enum).toEqual([{ value: "allow" }, { value: "deny" }]);
});

it("names its words as the classes for TypeScript do, which programs that Pulumi writes use", () => {
  const enumerations = Object.entries(schema.types).filter(([, each]) => each.enum !== undefined);
  expect(enumerations.map(([name]) => name)).toContain(token("IpPolicyRuleAction"));
  for (const [name, each] of enumerations) {
    const own = (gateway as unknown as Record<string, object>)[name.split(":").at(-1)!];
    expect([name, Object.values(own ?? {})]).toEqual([name, each.enum!.map(({ value }) => value)]);
  }
});

it("says what replaces an object, and leaves the decision to the provider", () => {
  const { action, description } = schema.resources[token("IpPolicyRule")]!.inputProperties;
  expect([action!.willReplaceOnChanges, description!.willReplaceOnChanges]).toEqual([true, undefined]);
});
