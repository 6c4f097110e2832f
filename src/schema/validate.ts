/** The judging of arguments, in a program and in the plugin alike. */
import type { AnyField, Fields, ValidationContext, Rule } from "./field";
import { notReturned } from "./not-returned";
import { hasUnknown, isRecord, isUnknown } from "./unknown";
import type { Json } from "./json";

/** One wrong value: where it is and what is allowed. Never holds a secret. */
export interface Problem {
  /** The property's path, such as `binding.endpointSelectors[1]`. */
  readonly path: string;
  /** A clause that completes the path: "must be …". */
  readonly clause: string;
}

/** Every problem of the arguments. Unknown values are never judged and do not hide their neighbours. */
export function checkArguments(
  fields: Fields,
  rules: readonly Rule[],
  args: Json,
  context: ValidationContext,
): Problem[] {
  const problems: Problem[] = [];
  checkMembers(fields, rules, args, "", context, problems);
  return problems;
}

/** `path: clause` in the words that a user reads. */
export function sentence({ path, clause }: Problem): string {
  return path === "" ? clause : `${path}: ${clause}`;
}

function checkMembers(
  fields: Fields,
  rules: readonly Rule[],
  value: Json,
  prefix: string,
  context: ValidationContext,
  problems: Problem[],
): void {
  const names = Object.keys(fields).filter((name) => fields[name]!.presence !== "computed");
  for (const name of Object.keys(value)) {
    if (value[name] === undefined || value[name] === null || names.includes(name)) continue;
    const allowed = `the arguments are ${names.join(", ")}`;
    problems.push({ path: prefix + name, clause: `is not an argument here; ${allowed}` });
  }
  for (const name of names) {
    const field = fields[name]!;
    const given = value[name];
    if (given !== undefined && given !== null) checkValue(field, given, prefix + name, context, problems);
    else if (field.presence === "required") problems.push({ path: prefix + name, clause: "is required" });
  }
  for (const rule of rules) {
    const open = rule.presenceOnly ? isUnknown : hasUnknown;
    if (rule.members.some((name) => open(value[name]))) continue;
    for (const { member, problem } of rule.validate(value, context)) {
      // A rule of the object as a whole names no member.
      problems.push({ path: member === "" ? prefix.replace(/\.$/, "") : prefix + member, clause: problem });
    }
  }
}

function checkValue(
  field: AnyField,
  value: unknown,
  path: string,
  context: ValidationContext,
  problems: Problem[],
): void {
  if (isUnknown(value)) return;
  const wrong = (clause: string): void => void problems.push({ path, clause });
  if (value === notReturned && field.traits.secret) {
    const isNew = context.olds !== undefined && Object.keys(context.olds).length === 0;
    if (isNew) wrong("must be given to make the object: it stands for a secret that only its owner knows");
    return;
  }
  const { shape } = field;
  switch (shape.kind) {
    case "string": {
      if (typeof value !== "string") return wrong(`must be a string, not ${kindName(value)}`);
      const clause = textOfOutput(value) ? insteadOfText : shape.format.check?.(value);
      if (clause !== undefined) wrong(clause);
      return;
    }
    case "number": {
      if (typeof value !== "number") return wrong(`must be a number, not ${kindName(value)}`);
      const clause = shape.check(value);
      if (clause !== undefined) wrong(clause);
      return;
    }
    case "boolean":
      if (typeof value !== "boolean") wrong(`must be true or false, not ${kindName(value)}`);
      return;
    case "list":
      if (!Array.isArray(value)) return wrong(`must be a list, not ${kindName(value)}`);
      value.forEach((item: unknown, i) => checkEntry(shape.item, item, `${path}[${i}]`, context, problems));
      return;
    case "map": {
      if (!isRecord(value)) return wrong(`must be a map, not ${kindName(value)}`);
      const spellings = new Map<string, string>();
      for (const [key, item] of Object.entries(value)) {
        if (textOfOutput(key)) {
          wrong(insteadOfKey);
          continue;
        }
        const at = `${path}[${JSON.stringify(key)}]`;
        const clause = shape.key.check?.(key);
        if (clause !== undefined) problems.push({ path: at, clause: `its key ${clause}` });
        const twin = spellings.get(shape.canonicalKey(key));
        if (twin !== undefined) {
          problems.push({
            path: at,
            clause: `its key must not stand beside ${JSON.stringify(twin)}: both are one`,
          });
        }
        spellings.set(shape.canonicalKey(key), key);
        checkEntry(shape.value, item, at, context, problems);
        const mismatch =
          typeof item === "string" && !isUnknown(item) ? shape.checkEntry?.(key, item) : undefined;
        if (mismatch !== undefined) problems.push({ path: at, clause: mismatch });
      }
      return;
    }
    case "object":
      if (!isRecord(value)) return wrong(`must be an object, not ${kindName(value)}`);
      return checkMembers(shape.fields, shape.rules, value, `${path}.`, context, problems);
  }
}

function checkEntry(
  field: AnyField,
  value: unknown,
  path: string,
  context: ValidationContext,
  problems: Problem[],
): void {
  if (value === undefined || value === null) problems.push({ path, clause: "must not be null or undefined" });
  else checkValue(field, value, path, context, problems);
}

// What an Output becomes where a program uses it as text.
const textOfOutput = (value: string): boolean => value.includes("Calling [toString] on an [Output<T>]");
const insteadOfText =
  "holds an Output that was used as text; write pulumi.interpolate`…${output}…`, or output.apply(…)";
const insteadOfKey =
  "has an Output as a key, whose value is not known when the map is written; write " +
  "pulumi.all([first.id, second.id]).apply(([first, second]) => ({ [first]: …, [second]: … }))";

function kindName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
