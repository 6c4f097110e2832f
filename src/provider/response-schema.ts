/** The validation of every answer. */
import type { Declaration } from "../schema/declaration";
import { wireName } from "../schema/field";
import { isRecord } from "../schema/unknown";
import type { Json } from "../schema/json";
import { objectCheck, pageCheck } from "./answer-check";
import type { Check } from "./answer-check";
import { AnswerError } from "./errors";

/** What is wrong with an answer, or undefined. Names members and kinds, never a value. */
export type Validator = (answer: unknown) => string | undefined;

/** Validates answers that hold one object of the declaration. */
export function answerValidator(declaration: Declaration): Validator {
  return validatorOf(objectCheck(declaration));
}

/** Validates one page of a list whose objects are under `listKey`. */
export function pageValidator(listKey: string): Validator {
  return validatorOf(pageCheck(listKey));
}

/** The answer, if it is valid. `done`: whether its status says that something was done. */
export function validated(operation: string, answer: unknown, validator: Validator, done: boolean): Json {
  const problem = validator(answer);
  if (problem === undefined && isRecord(answer)) return answer;
  throw new AnswerError(operation, problem ?? "it is no JSON object", done);
}

function validatorOf(check: Check): Validator {
  return (answer) => {
    if (answer === undefined) return "it is empty";
    if (!isRecord(answer)) return "it is no JSON object";
    const wrong = check(answer);
    return wrong && `the member ${wrong.path.slice(1)} is missing or wrong: ${wrong.clause}`;
  };
}

/** Whether the answer holds any member of the declaration. */
export function holdsMember({ fields }: Declaration, answer: Json): boolean {
  return Object.entries(fields).some(([name, field]) => {
    const { ref, within } = field.traits;
    return (answer[within ?? ref ?? wireName(name, field)] ?? null) !== null;
  });
}
