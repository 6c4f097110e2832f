/**
 * The validation of every answer, by what a declaration says of its object. A set reads tens of thousands of objects, so
 * the declaration is walked once, and a valid answer costs no memory.
 */
import type { Declaration } from "../../schema/declaration";
import { visit, wireName } from "../../schema/field";
import type { AnyField, Fields } from "../../schema/field";
import { isId } from "../../schema/formats/id";
import { isAbsent, isRecord } from "../../schema/unknown";
import type { Answer } from "../../schema/values";
import { withArticle } from "../../schema/text/phrase";
import { AnswerError, GatewayError } from "../errors";

/** What is wrong with an answer, or undefined. Names members and kinds, never a value. */
export type Validator = (answer: unknown) => string | undefined;

/** Validates answers that hold one object of the declaration. */
export function answerValidator({ fields, style }: Declaration): Validator {
  const members = membersCheck(fields);
  return validatorOf(style === "collection" ? all([members, id]) : members);
}

/**
 * Validates one page of a list whose objects are under `listKey`. Some services answer null for an empty list. With a next
 * page null is not a list: its objects would be missing.
 */
export function pageValidator(listKey: string): Validator {
  const page = all([member(listKey, list(object)), member("next_page_uri", optional(string))]);
  return validatorOf((answer) => (isNullList(answer as Answer, listKey) ? undefined : page(answer)));
}

function isNullList(answer: Answer, listKey: string): boolean {
  return answer[listKey] === null && isAbsent(answer.next_page_uri);
}

/** The answer, if it is valid. `done`: whether its status says that the request took effect. */
export function validated(operation: string, answer: unknown, validator: Validator, done: boolean): Answer {
  const problem = validator(answer);
  if (problem === undefined && isRecord(answer)) return answer;
  throw new AnswerError(operation, problem ?? "it is not a JSON object", done);
}

/** Whether the answer holds any member of the declaration. */
export function holdsMember({ fields }: Declaration, answer: Answer): boolean {
  return Object.entries(fields).some(([name, field]) => {
    const { ref, within } = field.traits;
    return (answer[within ?? ref ?? wireName(name, field)] ?? null) !== null;
  });
}

/** The first wrong part of a value. */
interface Wrong {
  /** Where it is, such as `.ip_policy.id`; empty for the value itself. */
  readonly path: string;
  /** What it must be: a clause. */
  readonly clause: string;
}

/** The first wrong part of a value; undefined if there is none. */
type Check = (value: unknown) => Wrong | undefined;

function validatorOf(check: Check): Validator {
  return (answer) => {
    if (answer === undefined) return "it is empty";
    if (!isRecord(answer)) return "it is not a JSON object";
    const wrong = check(answer);
    return wrong && `the member ${wrong.path.slice(1)} is missing or wrong: ${wrong.clause}`;
  };
}

const string = kind("a string", (value) => typeof value === "string");
const number = kind("a number", (value) => typeof value === "number");
const boolean = kind("a boolean", (value) => typeof value === "boolean");
const object = kind("an object", isRecord);

const id = member("id", (value) => string(value) ?? (value === "" ? wrong("it is empty") : idCheck(value)));

/** Ids of answers get into paths, programs and terminals, so not every text is one. */
function idCheck(value: unknown): Wrong | undefined {
  return isId(value as string) ? undefined : wrong("it is not a valid id");
}

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

/** Checks the members that an object has. The value is always an object. */
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

const oneRef = optional(
  all([
    object,
    member(
      "id",
      optional((value) => string(value) ?? (value === "" ? undefined : idCheck(value))),
    ),
  ]),
);

function refCheck({ shape }: AnyField): Check {
  return shape.kind === "list" ? list(oneRef) : oneRef;
}

function checkOf(field: AnyField): Check {
  return visit<Check>(field, {
    string: () => string,
    number: () => number,
    boolean: () => boolean,
    list: ({ item }) => list(optional(checkOf(item))),
    map: ({ value }) => all([object, entries(list(optional(checkOf(value))))]),
    object: ({ fields }) => all([object, membersCheck(fields)]),
  });
}

/** The check of a map as a list of its values: the keys are a part of the answer, so no message shows them. */
function entries(check: Check): Check {
  return (value) => check(Object.values(value as Readonly<Record<string, unknown>>));
}

/**
 * Throws if an object that is looked up by its id does not exist, or if its class is another one of the same list; the error
 * then says what to use instead.
 */
export function requireFound(
  { only, noun }: Declaration,
  id: string,
  answer: Answer | undefined,
  baseUrl: string,
): asserts answer is Answer {
  if (answer === undefined)
    throw new GatewayError(`the ${noun} ${id} does not exist in the account at ${baseUrl}`);
  if (only?.test(answer) === false)
    throw new GatewayError(`${id} is not ${withArticle(noun)}: ${only.otherwise}`);
}
