/** The check of every answer. A preview reads no answer, so zod and the schemas are loaded with the first one. */
import type { z } from "zod";
import type { Declaration } from "../schema/declaration";
import { wireName } from "../schema/field";
import { isRecord } from "../schema/unknown";
import type { Json } from "../schema/json";
import { AnswerError } from "./errors";

/** What is wrong with an answer, or undefined. Names members and kinds, never a value. */
export type Validator = (answer: unknown) => string | undefined;

/** Validates answers that hold one object of the declaration. */
export function answerValidator(declaration: Declaration): Validator {
  return validatorOf(() => schemas().objectSchema(declaration));
}

/** Validates one page of a list whose objects are under `listKey`. */
export function pageValidator(listKey: string): Validator {
  return validatorOf(() => schemas().pageSchema(listKey));
}

/** The answer, if it is valid. `done`: whether its status says that something was done. */
export function validated(operation: string, answer: unknown, validator: Validator, done: boolean): Json {
  const problem = validator(answer);
  if (problem === undefined && isRecord(answer)) return answer;
  throw new AnswerError(operation, problem ?? "it is no JSON object", done);
}

function schemas() {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require("./answer-schema") as typeof import("./answer-schema");
}

function validatorOf(make: () => z.ZodType): Validator {
  let schema: z.ZodType | undefined;
  return (answer) => {
    if (answer === undefined) return "it is empty";
    if (!isRecord(answer)) return "it is no JSON object";
    schema ??= make();
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
