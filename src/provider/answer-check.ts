/**
 * What is wrong with an answer, by what a declaration says of its object. A set reads tens of thousands of objects, so
 * the declaration is walked once, and a right answer costs no memory.
 */
import type { Declaration } from "../schema/declaration";
import { visit, wireName } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import { isRecord } from "../schema/unknown";

/** The first wrong part of a value. */
interface Wrong {
  /** Where it is, such as `.ip_policy.id`; empty for the value itself. */
  readonly path: string;
  /** What it must be: a clause. */
  readonly clause: string;
}

/** The first wrong part of a value; undefined where it is right. */
export type Check = (value: unknown) => Wrong | undefined;

/** The check of an answer that holds one object of the declaration. */
export function objectCheck({ fields, style }: Declaration): Check {
  const members = membersCheck(fields);
  return style === "collection" ? (answer) => members(answer) ?? idOfObject(answer) : members;
}

/** The check of one page of a list whose objects are under `listKey`. */
export function pageCheck(listKey: string): Check {
  const objects = member(listKey, list(object));
  const next = member("next_page_uri", optional(string));
  return (page) => objects(page) ?? next(page);
}

const string = kind("a string", (value) => typeof value === "string");
const number = kind("a number", (value) => typeof value === "number");
const boolean = kind("a boolean", (value) => typeof value === "boolean");
const object = kind("an object", isRecord);

const idOfObject = member("id", (id) => string(id) ?? (id === "" ? wrong("it is empty") : undefined));

function wrong(clause: string): Wrong {
  return { path: "", clause };
}

function kind(name: string, is: (value: unknown) => boolean): Check {
  return (value) => (is(value) ? undefined : wrong(`it must be ${name}`));
}

/** Every member may be left out or null: a service may hide what it likes. Specification: Conventions. */
function optional(check: Check): Check {
  return (value) => (value === undefined || value === null ? undefined : check(value));
}

/** The check of one member of an object. */
function member(name: string, check: Check): Check {
  return (value) => {
    const found = check((value as Readonly<Record<string, unknown>>)[name]);
    return found && { ...found, path: `.${name}${found.path}` };
  };
}

function list(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return wrong("it must be an array");
    for (const [i, item] of value.entries()) {
      const found = check(item);
      if (found) return { ...found, path: `[${i}]${found.path}` };
    }
    return undefined;
  };
}

function all(checks: readonly Check[]): Check {
  return (value) => {
    for (const check of checks) {
      const found = check(value);
      if (found) return found;
    }
    return undefined;
  };
}

/** The members of an object that are there. It is called with objects alone. */
function membersCheck(fields: Fields): Check {
  return all(
    Object.entries(fields).flatMap(([name, field]) => {
      const { local, writeOnly, inPath, ref, within } = field.traits;
      if (local || writeOnly || inPath) return [];
      const check =
        ref === undefined
          ? member(wireName(name, field), optional(checkOf(field)))
          : member(ref, optional(refCheck(field)));
      return [within === undefined ? check : member(within, optional(all([object, check])))];
    }),
  );
}

const oneRef = optional(all([object, member("id", optional(string))]));

function refCheck({ shape }: AnyField): Check {
  return shape.kind === "list" ? list(oneRef) : oneRef;
}

function checkOf(field: AnyField): Check {
  return visit<Check>(field, {
    string: () => string,
    number: () => number,
    boolean: () => boolean,
    list: ({ item }) => list(optional(checkOf(item))),
    map: ({ value }) => all([object, entriesCheck(optional(checkOf(value)))]),
    object: ({ fields }) => all([object, membersCheck(fields)]),
  });
}

function entriesCheck(check: Check): Check {
  return (value) => {
    for (const [key, entry] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      const found = check(entry);
      if (found) return { ...found, path: `.${key}${found.path}` };
    }
    return undefined;
  };
}
