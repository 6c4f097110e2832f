/** The resources of a world as a program of this package registers them: what its classes and Pulumi's SDK make of them. */
import { declarationOf } from "../../src/resources/registry";
import { fieldsOf, type Fields } from "../../src/schema/field";
import { isAlwaysTwin } from "../../src/schema/declaration";
import * as cidr from "../../src/schema/formats/cidr";
import { plaintextHint, urnHint } from "../../src/schema/recorded-state";
import { declaresRules } from "../../src/schema/rule-set";
import { mapSecrets, secretsOfCreation } from "../../src/schema/secrets";
import { stampText } from "../../src/schema/metadata";
import { mapDeep } from "../../src/schema/unknown";
import type { Json } from "../provider/life-cycle/properties/arbitraries";
import type { WorldResource } from "../rounds/world";
import { nativeTokenPrefix, shimOf } from "../../src/program/shim";
import { accessList, hidden, referencesIn } from "../worlds/plan";
import type { Answer, Registration } from "../support/in-process/program";
import { secretOf, unknown, type Values } from "../support/in-process/values";
import type { DoorName } from "../support/engine";
import { dynamicDoor, nativeDoor, type Door } from "../../src/program/door";

/** How the resources of a world reach the provider. */
export const doorOf: Readonly<Record<DoorName, Door>> = { dynamic: dynamicDoor, native: nativeDoor };

/** A resource that is no component, with references by the names of others. */
interface Part extends WorldResource {
  readonly parent?: string;
}

export interface ProgramOptions {
  readonly project: string;
  readonly stack: string;
  readonly stamps: boolean;
  readonly door: DoorName;
}

/** A resource with the others that it waits for. */
export interface Declared {
  readonly name: string;
  readonly urn: string;
  /** The component that it is a part of. */
  readonly parent: string | undefined;
  /** The names in the program of the others. */
  readonly after: readonly string[];
  readonly registration: (answers: ReadonlyMap<string, Answer>) => Registration;
}

/** What each part of the program registers, once the parts that it waits for are registered. */
export function declared(program: readonly WorldResource[], options: ProgramOptions): Declared[] {
  const parts = program.flatMap(partsOf);
  const keys = new Map(parts.map((part) => [keyOf(part), urnOf(part, options)]));
  const guards = guardsOf(parts);
  return parts.map((part): Declared => {
    const references = referencesIn(part.args);
    const after = [...new Set([...references, ...(guards.get(keyOf(part)) ?? [])])];
    const urns = (names: readonly string[]) => [...new Set(names.map((name) => keys.get(name)!))];
    return {
      name: keyOf(part),
      urn: keys.get(keyOf(part))!,
      parent: part.parent,
      after,
      registration: (answers) => ({
        urn: keys.get(keyOf(part))!,
        type: part.type,
        name: part.name,
        inputs: inputsOf(part, options, answers),
        dependencies: urns(after),
        propertyDependencies: Object.fromEntries(
          Object.entries(part.args).map(([name, value]) => [name, urns(referencesIn(value))]),
        ),
        secretOutputs: Object.entries(declarationOf(part.type).fields)
          .filter(([, { traits }]) => traits.secret)
          .map(([name]) => name),
        deleteBeforeReplace: isAlwaysTwin(declarationOf(part.type), part.args) ? true : undefined,
        protect: part.opts?.protect === true,
        provider: part.opts?.provider as string | undefined,
        parent: part.parent,
      }),
    };
  });
}

/** A component and its resources may have one name, and references mean the policy of an access list. */
const keyOf = ({ name, type, parent }: Part) =>
  parent !== undefined && type === "IpPolicyRuleSet" ? `${name} rules` : name;

function urnOf({ name, type, parent }: Part, { project, stack, door }: ProgramOptions): string {
  const component = parent === undefined ? "" : `tunnel-gateway:index:${accessList}$`;
  return `urn:pulumi:${stack}::${project}::${component}${doorOf[door].tokenPrefix}${type}::${name}`;
}

/** The resources of an access list; every other resource is one. */
function partsOf(resource: WorldResource): Part[] {
  if (resource.type !== accessList) return [resource];
  // Children inherit protection and provider.
  const { name, args, opts = {} } = resource;
  const { allow = [], deny = [], summarize, extraRulesPercent, ...policy } = args as Record<string, unknown>;
  const parent = name;
  const entries = [
    ...(allow as Entry[]).map((entry) => ({ ...entryOf(entry), action: "allow" })),
    ...(deny as Entry[]).map((entry) => ({ ...entryOf(entry), action: "deny" })),
  ];
  const ipPolicyId = `@${name}`;
  const own: Part = { name, type: "IpPolicy", args: policy, parent, opts };
  const map = Object.fromEntries(
    entries.map(({ cidr, ...rule }) => [cidr, Object.keys(rule).length === 1 ? rule.action : rule]),
  );
  const given = {
    ...{ ipPolicyId, rules: map },
    ...(summarize !== undefined && { summarize }),
    ...(extraRulesPercent !== undefined && { extraRulesPercent }),
  };
  return [own, { name, type: "IpPolicyRuleSet", args: given, parent, opts }];
}

interface Range {
  readonly cidr: string;
  readonly description?: string;
  readonly until?: string;
}
type Entry = string | Range;

function entryOf(entry: Entry): Range {
  const given = typeof entry === "string" ? { cidr: entry } : entry;
  return { ...given, cidr: cidr.canonical(given.cidr) };
}

/**
 * For each resource that waits for the contents of objects, such as an edge for the rules of its policies: the parts
 * inside of the objects that it names. One whose arguments come from the resource itself is left out.
 */
function guardsOf(parts: readonly Part[]): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map(parts.map((part) => [keyOf(part), part]));
  const isBefore = (part: Part, key: string): boolean =>
    keyOf(part) === key ||
    referencesIn(part.args).some((name) => byKey.has(name) && isBefore(byKey.get(name)!, key));
  return new Map(
    parts.map((part) => {
      const named = new Set(namedIds(declarationOf(part.type).fields, part.args).map(originOf(byKey)));
      const inside = parts
        .filter((other) => other !== part && named.has(originOf(byKey)(parentIn(other))))
        .filter((other) => !isBefore(other, keyOf(part)));
      return [keyOf(part), inside.map(keyOf)];
    }),
  );
}

/** The ids in the arguments whose contents the resource waits for. */
function namedIds(fields: Fields, args: unknown): unknown[] {
  if (typeof args !== "object" || args === null) return [];
  return Object.entries(args).flatMap(([name, value]) => {
    // A map may have a key such as "constructor".
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return [];
    if (field.traits.afterContents) return [value].flat() as unknown[];
    return namedIds(fieldsOf(field), value);
  });
}

/** The id of the object that a rule or a set is inside of. */
function parentIn({ type, args }: Part): unknown {
  return declaresRules(declarationOf(type)) ? args.ipPolicyId : undefined;
}

/** A set has the id of its policy. */
function originOf(parts: ReadonlyMap<string, Part>): (id: unknown) => unknown {
  return (id) => {
    const part = typeof id === "string" && id.startsWith("@") ? parts.get(id.slice(1)) : undefined;
    return part && parentIn(part) !== undefined ? parentIn(part) : id;
  };
}

function inputsOf(
  { name, type, args }: Part,
  options: ProgramOptions,
  answers: ReadonlyMap<string, Answer>,
): Values {
  const { fields } = declarationOf(type);
  const { project, stack, stamps, door } = options;
  const field = fields.metadata;
  // A native provider stamps objects itself, because programs in other languages do not.
  const isStamped =
    stamps &&
    door === "dynamic" &&
    field !== undefined &&
    field.presence !== "computed" &&
    args.metadata === undefined;
  const given = { ...args, ...(isStamped ? { metadata: stampText({ project, stack, name }) } : {}) };
  const isMarked = isStamped && secretsOfCreation(fields).length > 0;
  const plaintext: string[] = [];
  const known = resolved(given, answers) as Json;
  const marked = mapSecrets(fields, known, (value) => {
    plaintext.push("a secret");
    return secretOf(value);
  }) as Values;
  return {
    ...(mapDeep(marked, (part) => (isHidden(part) ? secretOf(part) : part)) as Values),
    ...(plaintext.length > 0 ? plaintextHint(plaintext) : {}),
    ...(isMarked ? urnHint(`urn:pulumi:${stack}::${project}::${nativeTokenPrefix}${type}::${name}`) : {}),
    ...(door === "dynamic" ? { __provider: shimOf(type) } : {}),
  };
}

function isHidden(part: unknown): boolean {
  return typeof part === "string" && part.startsWith(hidden);
}

function resolved(value: unknown, answers: ReadonlyMap<string, Answer>): unknown {
  const idOf = (text: string) => {
    const id = answers.get(text.slice(1))!.id;
    return id === "" ? unknown : id;
  };
  if (typeof value === "string") return value.startsWith("@") ? idOf(value) : value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, answers));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const keys = entries.map(([key]) => (key.startsWith("@") ? idOf(key) : key));
  // A map with an unknown key is unknown as a whole.
  if (keys.includes(unknown)) return unknown;
  return Object.fromEntries(entries.map(([, item], i) => [keys[i], resolved(item, answers)]));
}
