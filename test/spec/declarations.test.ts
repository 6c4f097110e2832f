/** Every declaration against the tables of the specification: nothing is missing, nothing is invented. */
import { valueAt } from "../../src/schema/unknown";
import { checkArguments } from "../../src/schema/validate";
import type { Problem } from "../../src/schema/validate";
import type { Declaration } from "../../src/schema/declaration";
import { Field } from "../../src/schema/field";
import type { AnyField, Fields, Shape } from "../../src/schema/field";
import type { RecordedState } from "../../src/schema/recorded-state";
import { mapSecrets } from "../../src/schema/secrets";
import { fieldAt, setPaths } from "../../src/schema/walk";
import { changedArguments, compare } from "../../src/provider/life-cycle/changes";
import type { ArgumentChange } from "../../src/provider/life-cycle/changes";
import { fromWire, toWire } from "../../src/provider/life-cycle/wire";
import { declarations } from "../../src/resources/registry";
import { outputsFrom } from "../../src/schema/values";
import type { Arguments } from "../../src/schema/values";
import { argumentsOf, bodyOf, camelCase, casesOf, nest, pathArgumentsOf, sampleOf } from "./samples";
import type { Json, Leaf } from "./samples";
import { specification } from "./specification";
import type { Form, ManagedObject, Members, Type } from "./specification";

const asSpecified = { patchUndocumented: false };
const patching = { patchUndocumented: true };
/** A new object, at a time before all times of the samples. */
const newObject = { olds: {}, now: Date.UTC(2026, 0, 1) };

it("has a declaration for each managed object of the specification, and for nothing else", () => {
  const names = (classes: readonly string[]): string[] => [...classes].sort();
  // A set manages objects of another collection.
  const managed = declarations.filter(({ setOf, rotates }) => !setOf && !rotates);
  expect(names(managed.map(({ type }) => type))).toEqual(names(specification.map((object) => object.class)));
});

describe.each(specification.map((object) => [object.class, object] as const))("%s", (name, object) => {
  const declaration = declarations.find(({ type }) => type === name)!;
  const { fields, rules } = declaration;
  const cases = casesOf(object.create);
  const check = (args: Json, context: object = newObject): Problem[] =>
    checkArguments(fields, rules, args, context);

  it("has the specification's path, id prefix and list key", () => {
    const shape = (path: string): string => path.replace(/\{\w+\}/g, "{}");
    expect(shape(declaration.path)).toBe(shape(object.path));
    const inPath = [...declaration.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    expect(inPath).toEqual((object.pathArguments ?? []).map(camelCase));
    expect(declaration.idPrefix).toBe(object.idPrefix);
    expect(declaration.listKey).toBe(object.listKey);
    expect(declaration.style === "singleton").toBe(object.isModule ?? false);
  });

  it("takes every create parameter as an argument, at every depth, and no other argument", () => {
    const own = [...(object.pathArguments ?? []).map(camelCase), ...(object.localArguments ?? [])];
    expect(namesThatDiffer(name, fields, object.create, own)).toEqual([]);
    for (const leaves of cases) expect(check(argumentsOf(object, leaves))).toEqual([]);
  });

  it("encodes every argument under its name on the wire", () => {
    for (const leaves of cases) {
      expect(toWire(fields, argumentsOf(object, leaves))).toEqual(bodyOf(object, leaves));
    }
  });

  it("has arguments and outputs of the specification's types", () => {
    const computed = Object.entries(object.response).flatMap(([wire, type]) =>
      outputTypes(object, wire, type),
    );
    const expected = [
      ...Object.entries(object.create),
      ...computed.filter(([wire]) => !(wire in object.create)),
    ];
    const found = expected.map(([wire]) => `${name}.${wire}: ${typeOfField(fields[camelCase(wire)])}`);
    expect(found).toEqual(expected.map(([wire, type]) => `${name}.${wire}: ${typeText(type)}`));
  });

  it("refuses a value of another type for every argument", () => {
    const accepted = allLeaves(cases).filter(({ path, type }) => {
      const args = nest([[camelCase(path), wrongFor(type)]]);
      return !check(args).some((problem) => problem.path.startsWith(camelCase(path)));
    });
    expect(accepted.map(({ path }) => `${name}.${path}`)).toEqual([]);
  });

  describe.each([
    ["as the specification stands", asSpecified],
    ["with patchUndocumented", patching],
  ])("%s", (_, settings) => {
    it("replaces for what an update cannot send, and changes the rest in place", () => {
      const found = eachChange(declaration, object, cases, settings);
      expect(found.map(({ path, changes }) => `${path}: ${actionOf(changes)}`)).toEqual(
        found.map(({ path }) => `${path}: ${expectedAction(object, path, settings)}`),
      );
    });

    it("replaces for another kind or scheme where an update cannot change it", () => {
      const byKind = cases.slice(1).map((leaves, i) => {
        const [path, ...kinds] = kindsOf(object, [cases[i]!, leaves]);
        const isOther = object.replacedByKind?.includes(path!) && kinds[0] !== kinds[1];
        const args = [cases[i]!, leaves].map((each) => argumentsOf(object, each));
        return { path, args, expected: isOther ? "replace" : expectedAction(object, path!, settings) };
      });
      const byScheme = (object.replacedByScheme ?? []).map((path) => {
        const urls = ["https://one.example.com:8443", "tls://one.example.com:8443"];
        const args = urls.map((url) => argumentsOf(object, cases[0]!, { [path]: url }));
        return { path, args, expected: "replace" };
      });
      const changes = [...byKind, ...byScheme];
      const found = changes.map(({ path, args: [before, after] }) => {
        const changes = compare(declaration, stateOf(declaration, before!), after!, settings);
        return `${name}.${path}: ${actionOf(changes)}`;
      });
      expect(found).toEqual(changes.map(({ path, expected }) => `${name}.${path}: ${expected}`));
    });

    it("sends the changed argument in an update, and nothing that an update may not send", () => {
      const wrong = eachChange(declaration, object, cases, settings)
        .filter(({ changes }) => actionOf(changes) === "update")
        .flatMap(({ path, next, changes }) => {
          const body = object.isModule
            ? toWire(fields, next)
            : toWire(fields, changedArguments(declaration, changes, next, settings));
          const problems = pathsIn(body, object.create)
            .filter((sent) => expectedAction(object, sent, settings) === "replace")
            .map((sent) => `${name}.${path} sends ${sent}`);
          const isSent =
            JSON.stringify(valueAt(body, path)) === JSON.stringify(valueAt(toWire(fields, next), path));
          return isSent ? problems : [...problems, `${name}.${path} is not sent`];
        });
      expect(wrong).toEqual([]);
    });
  });

  it("replaces where the object's address changes", () => {
    const [leaves] = cases;
    const args = argumentsOf(object, leaves!);
    const kept = (object.pathArguments ?? []).filter((wire) => {
      const [, other] = sampleOf(object, { path: wire, type: "string" });
      const next = { ...args, [camelCase(wire)]: other };
      return actionOf(compare(declaration, stateOf(declaration, args), next, asSpecified)) !== "replace";
    });
    expect(kept).toEqual([]);
  });

  it("holds every response field as an output, Refs under names of their own", () => {
    for (const leaves of casesOf(object.response)) {
      const answer = answerOf(object, leaves);
      const expected = { ...pathArgumentsOf(object), ...expectedOutputs(object, leaves) };
      expect(fromWire(fields, answer, pathArgumentsOf(object))).toEqual(expected);
    }
  });

  it("has no output that the specification does not show", () => {
    const shown = casesOf(object.response).flatMap((leaves) => Object.keys(expectedOutputs(object, leaves)));
    const local = [
      ...(object.localArguments ?? []),
      ...(object.localOutputs ?? []),
      ...(object.pathArguments ?? []).map(camelCase),
    ];
    const invented = Object.keys(fields).filter((field) => !shown.includes(field) && !local.includes(field));
    expect(invented).toEqual(writeOnlyOf(object).filter((path) => !path.includes(".")));
  });

  it("keeps what no answer is said to hold as the program gave it, whatever an answer holds", () => {
    const written = allLeaves(cases).filter(({ path }) => writeOnlyOf(object).includes(camelCase(path)));
    const others = Object.fromEntries(written.map((leaf) => [leaf.path, sampleOf(object, leaf)[1]]));
    const given = argumentsOf(object, cases[0]!, others);
    const answer = answerOf(object, [...casesOf(object.response)[0]!, ...written]);
    const kept = fromWire(fields, answer, given);
    const found = writeOnlyOf(object).map((path) => [path, valueAt(kept, path)]);
    expect(found).toEqual(writeOnlyOf(object).map((path) => [path, valueAt(given, path)]));
  });

  it("marks every secret, nested ones too, and nothing else", () => {
    const all = [...cases, ...casesOf(object.response)].flatMap((leaves) => {
      const values = nest(leaves.map((leaf) => [camelCase(leaf.path), sampleOf(object, leaf)[0]]));
      const marked = mapSecrets(fields, values, () => "marked");
      return leaves.map(({ path }) => camelCase(path)).filter((path) => valueAt(marked, path) === "marked");
    });
    expect([...new Set(all)].sort()).toEqual([...(object.secrets ?? [])].map(camelCase).sort());
  });

  it("keeps the limits, enumerations and formats, on both sides of each border", () => {
    const wrong = Object.entries(object.values ?? {}).flatMap(([wire, { accepts, refuses }]) => {
      const field = fieldAt(fields, camelCase(wire).split("."));
      if (!field) return [`${name}.${wire} is not declared`];
      return [
        ...accepts.filter((value) => !isRight(field, value)).map((value) => `refuses ${excerpt(value)}`),
        ...refuses.filter((value) => isRight(field, value)).map((value) => `accepts ${excerpt(value)}`),
      ].map((what) => `${name}.${wire} ${what}`);
    });
    expect(wrong).toEqual([]);
  });

  it("requires what the service cannot do without, and leaves the rest to the program", () => {
    const { required, requiredToCreate = [], requiredUnlessOff = [] } = object;
    const all = argumentsOf(object, cases[0]!);
    const needed = [...required, ...requiredToCreate, ...requiredUnlessOff].map(camelCase);
    const minimal = Object.fromEntries(needed.map((argument) => [argument, all[argument]]));
    expect(check(minimal)).toEqual([]);
    const without = (argument: string): Json => ({ ...minimal, [argument]: undefined });
    const missed = needed.filter((argument) =>
      check(without(argument)).some(({ path }) => path === argument),
    );
    expect(missed).toEqual(needed);
    for (const argument of requiredToCreate.map(camelCase)) {
      expect(check(without(argument), { olds: { description: "imported" } })).toEqual([]);
      expect(check(without(argument), {})).toEqual([]);
    }
    for (const argument of requiredUnlessOff.map(camelCase)) {
      expect(check({ ...without(argument), enabled: false })).toEqual([]);
    }
  });

  it("takes as many alternatives as the specification says", () => {
    for (const { path, type } of alternativesIn(object.create)) {
      const field = fieldAt(fields, camelCase(path).split("."))!;
      const members = Object.entries(type.oneOf).map(([wire, member]) =>
        memberSample(object, path, wire, member),
      );
      const taken = [[], members.slice(0, 1), members.slice(0, 2), members].map((chosen) =>
        isRight(field, Object.fromEntries(chosen)),
      );
      expect([`${name}.${path}`, ...taken]).toEqual([
        `${name}.${path}`,
        type.orNone ?? false,
        true,
        false,
        false,
      ]);
    }
  });

  it("takes a default that the specification states for the same as an argument left out", () => {
    const differing = Object.entries(object.defaults ?? {}).flatMap(([wire, value]) => {
      const [given, leftOut] = [value, undefined].map((each) =>
        argumentsOf(object, cases[0]!, { [wire]: each }),
      );
      const there = compare(declaration, stateOf(declaration, leftOut!), given!, asSpecified);
      const back = compare(declaration, stateOf(declaration, given!), leftOut!, asSpecified);
      return [...there, ...back].map((change) => `${name}.${change.path}`);
    });
    expect(differing).toEqual([]);
  });
});

/** The names, with the class and path, that are arguments or parameters and not both. */
function namesThatDiffer(
  path: string,
  fields: Fields,
  members: Members,
  own: readonly string[] = [],
): string[] {
  const found = Object.keys(fields).filter((name) => fields[name]!.presence !== "computed");
  const expected = [...Object.keys(members).map(camelCase), ...own];
  return [
    ...found.filter((name) => !expected.includes(name)).map((name) => `${path}.${name} is invented`),
    ...expected.filter((name) => !found.includes(name)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(members).flatMap(([wire, type]) => {
      const inner = membersOfType(type);
      const declared = innerFields(fields[camelCase(wire)]?.shape);
      return inner && declared ? namesThatDiffer(`${path}.${camelCase(wire)}`, declared, inner) : [];
    }),
  ];
}

function membersOfType(type: Type): Members | undefined {
  if (typeof type === "string") return undefined;
  return "members" in type ? type.members : "oneOf" in type ? type.oneOf : type.listOf;
}

function innerFields(shape: Shape | undefined): Fields | undefined {
  if (shape?.kind === "object") return shape.fields;
  return shape?.kind === "list" ? innerFields(shape.item.shape) : undefined;
}

/** A type of the specification and one of a declaration, in the same words. */
function typeText(type: Type): string {
  const ref = "{id: string, uri: string}";
  const object = (members: Members): string =>
    objectText(Object.entries(members).map(([wire, member]) => [camelCase(wire), typeText(member)]));
  if (typeof type !== "string")
    return "listOf" in type ? `[${object(type.listOf)}]` : object(membersOfType(type)!);
  return type
    .replace(/^u?int\d+$/, "number")
    .replace("int64", "number")
    .replace(/^List<(.*)>$/, "[$1]")
    .replace(/^Map<string,(.*)>$/, "{*: $1}")
    .replace("Ref", ref);
}

function typeOfField(field: AnyField | undefined): string {
  if (!field) return "not declared";
  const { shape } = field;
  switch (shape.kind) {
    case "list":
      return `[${typeOfField(shape.item)}]`;
    case "map":
      return `{*: ${typeOfField(shape.value)}}`;
    case "object":
      return objectText(Object.entries(shape.fields).map(([name, member]) => [name, typeOfField(member)]));
    default:
      return shape.kind;
  }
}

function objectText(members: [string, string][]): string {
  return `{${members
    .map((member) => member.join(": "))
    .sort()
    .join(", ")}}`;
}

/** The outputs that a response field becomes, with the type of each. */
function outputTypes(object: ManagedObject, wire: string, type: Type): [string, Type][] {
  if (wire === "id") return [];
  const inner = typeof type === "object" && "members" in type ? Object.entries(type.members) : [];
  const below = inner.flatMap(([name, member]) => renamed(object, `${wire}.${name}`, member));
  const itself: [string, Type][] = object.outputs?.[wire] ? renamed(object, wire, type) : [[wire, type]];
  return [...itself, ...below].filter(([path]) => !path.includes("."));
}

function renamed(object: ManagedObject, wire: string, type: Type): [string, Type][] {
  const typeIn: Record<Form, Type> = {
    whole: type,
    id: "string",
    ids: "List<string>",
    types: { listOf: { type: "string" } },
  };
  return Object.entries(object.outputs?.[wire] ?? {}).map(([path, form]) => [path, typeIn[form]]);
}

/** A value that is not of the type. */
function wrongFor(type: Type): unknown {
  if (type === "string") return 5;
  if (typeof type === "string" && type.startsWith("Map")) return ["text"];
  return typeof type === "string" && type.startsWith("List") ? { key: "text" } : "text";
}

function allLeaves(cases: readonly Leaf[][]): Leaf[] {
  return [...new Map(cases.flat().map((leaf) => [leaf.path, leaf])).values()];
}

/** The state of an object that was made with the arguments. */
function stateOf({ fields }: Declaration, args: Json): RecordedState {
  return { outputs: outputsFrom(args), managed: setPaths(fields, args), accepted: [] };
}

interface OneChange {
  readonly path: string;
  readonly next: Arguments;
  readonly changes: readonly ArgumentChange[];
}

/** What a change of each single create parameter is, in each case of alternatives. */
function eachChange(
  declaration: Declaration,
  object: ManagedObject,
  cases: readonly Leaf[][],
  settings: { patchUndocumented: boolean },
): OneChange[] {
  return cases.flatMap((leaves) => {
    const args = argumentsOf(object, leaves);
    return leaves.map((leaf) => {
      const next = argumentsOf(object, leaves, { [leaf.path]: sampleOf(object, leaf)[1] });
      const changes = compare(declaration, stateOf(declaration, args), next, settings);
      return { path: leaf.path, next, changes };
    });
  });
}

function actionOf(changes: readonly ArgumentChange[]): string {
  if (changes.length !== 1) return `${changes.length} changes`;
  if (changes[0]!.recordedOnly) return "record";
  return changes[0]!.replaces ? "replace" : "update";
}

/** The parameter that has alternatives, and which of them each case has. */
function kindsOf(object: ManagedObject, cases: readonly Leaf[][]): string[] {
  const { path } = alternativesIn(object.create)[0]!;
  const names = cases.map((leaves) =>
    leaves.find((leaf) => leaf.path.startsWith(`${path}.`))!.path.split("."),
  );
  return [path, ...names.map((each) => each[path.split(".").length]!)];
}

/** What a change of the argument must do: update, replacement, or nothing on the wire. */
function expectedAction(
  object: ManagedObject,
  path: string,
  settings: { patchUndocumented: boolean },
): string {
  const patchable = object.class === "EventDestination" ? ["format", "target"] : [];
  const undocumented = settings.patchUndocumented ? ["description", "metadata", ...patchable] : [];
  const updatable = object.update === "not shown" ? undocumented : object.update;
  return updatable.some((known) => path === known || path.startsWith(`${known}.`)) ? "update" : "replace";
}

/** The paths of all that a body holds. */
function pathsIn(body: Json, members: Members): string[] {
  return allLeaves(casesOf(members))
    .map(({ path }) => path)
    .filter((path) => valueAt(body, path) !== undefined);
}

/** An answer, with null for the alternatives that are not used. */
function answerOf(object: ManagedObject, leaves: readonly Leaf[]): Json {
  const unused = alternativesIn(object.response)
    .flatMap(({ path, type }) => Object.keys(type.oneOf).map((member) => `${path}.${member}`))
    .filter((path) => leaves.some((leaf) => leaf.path.startsWith(path.slice(0, path.lastIndexOf(".") + 1))))
    .filter((path) => !leaves.some((leaf) => leaf.path.startsWith(`${path}.`)));
  return nest([
    ...leaves.map((leaf): [string, unknown] => [leaf.path, sampleOf(object, leaf)[0]]),
    ...unused.map((path): [string, unknown] => [path, null]),
  ]);
}

function expectedOutputs(object: ManagedObject, leaves: readonly Leaf[]): Json {
  return nest(
    leaves
      .filter(({ path }) => path !== "id")
      .flatMap((leaf) => {
        const [value] = sampleOf(object, leaf);
        const renaming = Object.entries(object.outputs ?? {}).find(
          ([wire]) => leaf.path === wire || leaf.path.startsWith(`${wire}.`),
        );
        if (!renaming) return [[camelCase(leaf.path), value] as const];
        const [wire, forms] = renaming;
        return Object.entries(forms).map(
          ([path, form]) => [camelCase(path + leaf.path.slice(wire.length)), inForm[form](value)] as const,
        );
      }),
  );
}

const inForm: Record<Form, (value: unknown) => unknown> = {
  whole: (value) => value,
  id: (value) => (value as Json).id,
  ids: (value) => (value as Json[]).map(({ id }) => id),
  types: (value) => (value as Json[]).map(({ type }) => ({ type })),
};

/** The arguments that no response shows. */
function writeOnlyOf(object: ManagedObject): string[] {
  const outputs = casesOf(object.response).map((leaves) => expectedOutputs(object, leaves));
  return allLeaves(casesOf(object.create))
    .map(({ path }) => camelCase(path))
    .filter((path) => outputs.every((values) => valueAt(values, path) === undefined));
}

/** Whether the field alone takes the value. */
function isRight({ shape, traits }: AnyField, value: unknown): boolean {
  return (
    checkArguments({ value: new Field(shape, "optional", traits) }, [], { value }, newObject).length === 0
  );
}

function excerpt(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}

function alternativesIn(
  members: Members,
  prefix = "",
): { path: string; type: { oneOf: Members; orNone?: true } }[] {
  return Object.entries(members).flatMap(([wire, type]) => {
    const inner = membersOfType(type);
    const below =
      inner && !(typeof type === "object" && "listOf" in type)
        ? alternativesIn(inner, `${prefix}${wire}.`)
        : [];
    return typeof type === "object" && "oneOf" in type ? [{ path: prefix + wire, type }, ...below] : below;
  });
}

/** One alternative with a right value. */
function memberSample(object: ManagedObject, path: string, wire: string, type: Type): [string, unknown] {
  const [leaves] = casesOf({ [wire]: type }, `${path}.`);
  const values = nest(leaves!.map((leaf) => [camelCase(leaf.path), sampleOf(object, leaf)[0]]));
  return [camelCase(wire), valueAt(values, camelCase(`${path}.${wire}`))];
}
