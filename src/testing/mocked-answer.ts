/** Generates an answer of the service about an object from its declaration, its name and its arguments. */
import type { Declaration } from "../schema/declaration";
import { defaultOf, visit, wireName } from "../schema/field";
import type { AnyField, Fields, Format } from "../schema/field";
import { isRecord, membersOf } from "../schema/unknown";
import { idIn, namesIn } from "../provider/http/path";
import type { Json } from "../schema/json";
import type { Arguments } from "../schema/values";

/** The origin of the mocked service. */
const origin = "https://api.example.com";

/** The id that the service would assign, or the one formed from arguments. Specification: Conventions. */
export function idFor(declaration: Declaration, name: string, args: Arguments): string {
  if (namesIn(declaration.path).length === 0) {
    return `${(declaration.rotates ?? declaration).idPrefix ?? "mocked_"}${encodeURIComponent(name)}`;
  }
  return idIn(declaration.path, args);
}

/**
 * An answer about the object: the given values, the defaults of arguments that were left out, and generated values that only the
 * service knows.
 */
export function answerFor(declaration: Declaration, id: string, name: string, args: Json): Json {
  const { fields, path } = declaration;
  const address =
    namesIn(path).length === 0
      ? `${path}/${id}`
      : path.replace(/\{(\w+)\}/g, (_, part: string) => String(args[part]));
  return new Maker(name).answer(fields, args, true, fields.uri ? { uri: origin + address } : {});
}

class Maker {
  constructor(private readonly resource: string) {}

  /** The members of an object in the answer. Values that only the service knows are generated at the top level alone. */
  answer(fields: Fields, given: Json, atTop: boolean, answer: Record<string, unknown> = {}): Json {
    for (const [name, field] of Object.entries(fields)) {
      const { local, inPath, writeOnly, ref } = field.traits;
      if (field.presence === "computed" || local || inPath || writeOnly) continue;
      const value = given[name] ?? this.leftOut(name, field, atTop);
      if (value === undefined) continue;
      if (ref === undefined) answer[wireName(name, field)] = this.sent(field, value);
      else answer[ref] = Array.isArray(value) ? value.map(refTo) : refTo(value);
    }
    for (const [name, field] of Object.entries(fields)) {
      if (field.presence !== "computed") continue;
      const { within } = field.traits;
      // An answer has the parts of a module only if it has the module.
      const holder = within === undefined ? answer : answer[within];
      if (!isRecord(holder)) continue;
      const member = wireName(name, field);
      holder[member] = this.completed(field, name, holder[member]);
    }
    return answer;
  }

  /** The value that the service holds for an argument that was left out. */
  private leftOut(name: string, field: AnyField, atTop: boolean): unknown {
    const { serverDefault, absentAs } = field.traits;
    const isOwn = serverDefault?.known === false;
    if (isOwn && absentAs !== undefined) return absentAs;
    const isMade = field.presence === "required" || (isOwn && atTop);
    return isMade ? this.completed(field, name, undefined) : defaultOf(field);
  }

  private sent(field: AnyField, value: unknown): unknown {
    const { shape } = field;
    if (shape.kind === "object" && isRecord(value)) return this.answer(shape.fields, value, false);
    if (shape.kind === "list" && Array.isArray(value))
      return value.map((item) => this.sent(shape.item, item));
    return value;
  }

  /** The value with the missing members of its field filled in. */
  private completed(field: AnyField, name: string, value: unknown): unknown {
    return visit<unknown>(field, {
      string: ({ format }) => value ?? this.text(name, format),
      number: () => value ?? 1,
      boolean: () => value ?? false,
      map: () => value ?? {},
      list: ({ item }) => (Array.isArray(value) ? value.map((each) => this.completed(item, name, each)) : []),
      // Only the program knows which alternative is set.
      object: ({ alternatives, fields }) =>
        alternatives ? membersOf(value) : this.completedMembers(fields, name, membersOf(value)),
    });
  }

  private completedMembers(fields: Fields, name: string, known: Json): Json {
    const members = Object.entries(fields).map(([member, field]): [string, unknown] => {
      const on = wireName(member, field);
      return [on, this.completed(field, `${name}-${member}`, known[on])];
    });
    return { ...known, ...Object.fromEntries(members) };
  }

  /** Text that names its resource, or the example of a format that does not allow such text. */
  private text(name: string, format: Format): string {
    const label = `mocked-${name}-of-${encodeURIComponent(this.resource)}`;
    return format.example?.(label) ?? label;
  }
}

function refTo(id: unknown): Json {
  return { id, uri: `${origin}/${String(id)}` };
}
