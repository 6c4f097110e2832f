/** The check of every answer: what a declaration says of an object, as a schema of what goes over the wire. */
import { z } from "zod";
import type { Declaration } from "../schema/declaration";
import { visit, wireName } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import { isRecord } from "../schema/unknown";
import type { Json } from "../schema/json";
import { AnswerError } from "./errors";

/** What is wrong with an answer, or undefined. Names members and kinds, never a value. */
export type Validator = (answer: unknown) => string | undefined;

/** Validates answers that hold one object of the declaration. */
export function answerValidator(declaration: Declaration): Validator {
  const id = z.string().min(1);
  const members = wireMembers(declaration.fields);
  return validatorOf(z.looseObject(declaration.style === "collection" ? { ...members, id } : members));
}

/** Validates one page of a list whose objects are under `listKey`. */
export function pageValidator(listKey: string): Validator {
  const page = { [listKey]: z.array(z.looseObject({})), next_page_uri: z.string().nullish() };
  return validatorOf(z.looseObject(page));
}

/** The answer, if it is valid. `done`: whether its status says that something was done. */
export function validated(operation: string, answer: unknown, validator: Validator, done: boolean): Json {
  const problem = validator(answer);
  if (problem === undefined && isRecord(answer)) return answer;
  throw new AnswerError(operation, problem ?? "it is no JSON object", done);
}

function validatorOf(schema: z.ZodType): Validator {
  return (answer) => {
    if (answer === undefined) return "it is empty";
    if (!isRecord(answer)) return "it is no JSON object";
    const result = schema.safeParse(answer);
    if (result.success) return undefined;
    const [{ path, ...issue }] = result.error.issues as [z.core.$ZodIssue];
    const member = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
    const kind = issue.code === "invalid_type" ? `it must be ${article(issue.expected)}` : "it is empty";
    return `the member ${member.slice(1)} is missing or wrong: ${kind}`;
  };
}

function article(kind: string): string {
  return `${/^[aeio]/.test(kind) ? "an" : "a"} ${kind}`;
}

/** Whether the answer holds any member of the declaration. */
export function holdsMember({ fields }: Declaration, answer: Json): boolean {
  return Object.entries(fields).some(([name, field]) => {
    const { ref, within } = field.traits;
    return (answer[within ?? ref ?? wireName(name, field)] ?? null) !== null;
  });
}

/** Every member may be left out or null: a service may hide what it likes. Specification: Conventions. */
function wireMembers(fields: Fields): Record<string, z.ZodType> {
  const members: Record<string, z.ZodType> = {};
  const nested: Record<string, Record<string, z.ZodType>> = {};
  for (const [name, field] of Object.entries(fields)) {
    const { local, writeOnly, inPath, ref, within } = field.traits;
    if (local || writeOnly || inPath) continue;
    const [member, kind] = ref === undefined ? [wireName(name, field), kindOf(field)] : [ref, refTo(field)];
    if (within === undefined) members[member] = both(members[member], kind.nullish());
    else (nested[within] ??= {})[member] = kind.nullish();
  }
  for (const [member, schemas] of Object.entries(nested)) {
    members[member] = both(members[member], z.looseObject(schemas).nullish());
  }
  return members;
}

/** Two fields may stand for one member, such as an argument's ids and the Refs that hold them. */
function both(one: z.ZodType | undefined, other: z.ZodType): z.ZodType {
  return one === undefined ? other : z.intersection(one, other).nullish();
}

function refTo(field: AnyField): z.ZodType {
  const one = z.looseObject({ id: z.string().nullish() }).nullish();
  return field.shape.kind === "list" ? z.array(one) : one;
}

function kindOf(field: AnyField): z.ZodType {
  return visit<z.ZodType>(field, {
    string: () => z.string(),
    number: () => z.number(),
    boolean: () => z.boolean(),
    list: ({ item }) => z.array(kindOf(item).nullish()),
    map: ({ value }) => z.record(z.string(), kindOf(value).nullish()),
    object: ({ fields }) => z.looseObject(wireMembers(fields)),
  });
}
