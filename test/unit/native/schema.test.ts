/** The schema from which Pulumi makes the SDKs of other languages, against the declarations. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as gateway from "../../../src";
import { accountFunctions } from "../../../src/native/functions";
import { declarations } from "../../../src/resources/registry";
import { environmentNames } from "../../../src/settings";
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
  functions: Record<string, { inputs: ObjectType; outputs: ObjectType }>;
  types: Record<string, ObjectType>;
}

const root = resolve(__dirname, "../../..");
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), "utf8"));
const schema = read("src/native/schema.json") as Schema;
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
  expect([path, Object.keys(properties)]).toEqual([path, expected.map(([name]) => name)]);
  const needed = expected.filter(([, { presence }]) => presence === "required").map(([name]) => name);
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

it("has a text for every argument and setting", () => {
  const properties = [
    ...Object.entries(schema.config.variables),
    ...Object.values(schema.resources).flatMap((each) => Object.entries(each.inputProperties)),
  ];
  expect(properties.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
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

it("refers to nothing that it does not have", () => {
  const missing = [...JSON.stringify(schema).matchAll(/"#\/types\/([^"]+)"/g)]
    .map((match) => match[1]!)
    .filter((name) => !(name in schema.types));
  expect(missing).toEqual([]);
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
