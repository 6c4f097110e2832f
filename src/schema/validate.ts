/** The validation of arguments, in a program and in the plugin alike. */
import { escapeControls } from "../text/terminal";
import { canonicalOf, visit } from "./field";
import type { AnyField, Fields, FieldRule, ShapeOf, ValidationContext } from "./field";
import type { Json } from "./json";
import { notReturned } from "./secrets";
import { expand } from "./parts";
import { hasUnknown, isAbsent, isRecord, isUnknown } from "./unknown";

/** One wrong value: where it is and what is allowed. Never holds a secret. */
export interface Problem {
  /** The property's path, such as `binding.endpointSelectors[1]`. */
  readonly path: string;
  /** A clause that completes the path: "must be …". */
  readonly clause: string;
}

/** Every problem of the arguments. Unknown values are skipped and do not hide problems of their neighbours. */
export function checkArguments(
  fields: Fields,
  rules: readonly FieldRule[],
  args: Json,
  context: ValidationContext,
): Problem[] {
  const validation = new Validation(context);
  validation.object(fields, rules, args, "");
  return validation.problems;
}

/** What looks wrong about a right value of the field, and about its parts. Nothing where it holds unknown values. */
export function adviceOn(field: AnyField, value: unknown, path: string): Problem[] {
  const validation = new Validation({});
  validation.value(field, value, path);
  return validation.advice;
}

/** What looks wrong about right values of several members. */
export function adviceOfRules(rules: readonly FieldRule[], values: Json): Problem[] {
  const validation = new Validation({});
  for (const rule of rules) validation.rule(rule, values, "");
  return validation.advice;
}

/** Whether there may be advice on values of the field. */
export function mayAdvise(field: AnyField): boolean {
  return visit<boolean>(field, {
    string: ({ format }) => format.advise !== undefined,
    number: ({ advise }) => advise !== undefined,
    boolean: () => false,
    list: ({ item }) => mayAdvise(item),
    map: ({ key, value, adviseEntry }) =>
      key.advise !== undefined || adviseEntry !== undefined || mayAdvise(value),
    object: ({ fields, rules }) =>
      rules.some(({ advisory }) => advisory) || Object.values(fields).some(mayAdvise),
  });
}

/** `path: clause`, the sentence that a user reads. */
export function sentence({ path, clause }: Problem): string {
  // Keys of maps are a part of paths.
  return escapeControls(path === "" ? clause : `${path}: ${clause}`);
}

class Validation {
  readonly problems: Problem[] = [];
  readonly advice: Problem[] = [];

  constructor(private readonly context: ValidationContext) {}

  /** Validates the members of an object. `path` is empty for the arguments as a whole. */
  object(fields: Fields, rules: readonly FieldRule[], value: Json, path: string): void {
    const prefix = path === "" ? "" : `${path}.`;
    const names = Object.keys(fields).filter((name) => fields[name]!.presence !== "computed");
    for (const name of Object.keys(value)) {
      if (isAbsent(value[name]) || names.includes(name)) continue;
      this.report(prefix + name, `is not an argument here; the arguments are ${names.join(", ")}`);
    }
    for (const name of names) {
      const field = fields[name]!;
      if (!isAbsent(value[name])) this.value(field, value[name], prefix + name);
      else if (field.presence === "required") this.report(prefix + name, "is required");
    }
    for (const rule of rules) this.rule(rule, value, path);
  }

  /** Applies the rule to the members of an object. */
  rule(rule: FieldRule, value: Json, path: string): void {
    const isOpen = rule.presenceOnly ? isUnknown : hasUnknown;
    if (rule.members.some((name) => isOpen(value[name]))) return;
    for (const { member, problem } of rule.validate(value, this.context)) {
      // A rule of the object as a whole names no member.
      const at = [path, member].filter((part) => part !== "").join(".");
      if (rule.advisory) this.advise(at, problem);
      else this.report(at, problem);
    }
  }

  /** Validates a value of the field. */
  value(field: AnyField, value: unknown, path: string): void {
    if (isUnknown(value)) return;
    if (value === notReturned && field.traits.secret) return this.placeholder(path);
    visit<void>(field, {
      string: (shape) => this.text(shape, value, path),
      number: (shape) => this.number(shape, value, path),
      boolean: () => {
        if (typeof value !== "boolean") this.wrongKind("true or false", value, path);
      },
      list: (shape) => this.list(shape, value, path),
      map: (shape) => this.map(shape, value, path),
      object: ({ fields, rules }) => {
        const written = expand(field, value);
        if (isRecord(written)) this.object(fields, rules, written, path);
        else this.wrongKind("an object", value, path);
      },
    });
  }

  /** The placeholder for a secret that the service does not return. */
  private placeholder(path: string): void {
    const { olds } = this.context;
    const isNew = olds !== undefined && Object.keys(olds).length === 0;
    if (isNew)
      this.report(
        path,
        "must be the real secret to create the object: notReturned stands for a secret that only its owner knows",
      );
  }

  private text({ format }: ShapeOf<"string">, value: unknown, path: string): void {
    if (typeof value !== "string") return this.wrongKind("a string", value, path);
    const clause = isTextOfOutput(value) ? insteadOfText : format.check?.(value);
    this.report(path, clause);
    if (clause === undefined) this.advise(path, format.advise?.(value));
  }

  private number({ check, advise }: ShapeOf<"number">, value: unknown, path: string): void {
    if (typeof value !== "number") return this.wrongKind("a number", value, path);
    const clause = check(value);
    this.report(path, clause);
    if (clause === undefined) this.advise(path, advise?.(value));
  }

  private list({ item }: ShapeOf<"list">, value: unknown, path: string): void {
    if (!Array.isArray(value)) return this.wrongKind("a list", value, path);
    value.forEach((each: unknown, i) => this.entry(item, each, `${path}[${i}]`));
  }

  private map(shape: ShapeOf<"map">, value: unknown, path: string): void {
    if (!isRecord(value)) return this.wrongKind("a map", value, path);
    const spellings = new Map<string, string>();
    const right = new Set<unknown>();
    for (const [key, item] of Object.entries(value)) {
      if (isTextOfOutput(key)) {
        this.report(path, insteadOfKey);
        continue;
      }
      const [problems, advice] = [this.problems.length, this.advice.length];
      const isRight = (): boolean => this.problems.length === problems && this.advice.length === advice;
      this.key(shape, key, spellings);
      if (!right.has(item)) this.entry(shape.value, item, "");
      // A large map repeats few texts.
      if (typeof item === "string" && isRight()) right.add(item);
      if (typeof item === "string" && !isUnknown(item)) this.advise("", shape.adviseEntry?.(key, item));
      if (isRight()) continue;
      // Written only where it is needed, because a map may have tens of thousands of entries.
      const at = `${path}[${JSON.stringify(key)}]`;
      locate(this.problems, problems, at);
      locate(this.advice, advice, at);
    }
  }

  /** Validates a key of a map beside the keys before it, and adds it to them. */
  private key(shape: ShapeOf<"map">, key: string, spellings: Map<string, string>): void {
    const clause = shape.key.check?.(key);
    if (clause !== undefined) this.report("", `its key ${clause}`);
    const advice = clause === undefined ? shape.key.advise?.(key) : undefined;
    if (advice !== undefined) this.advise("", `its key ${advice}`);
    const spelling = canonicalOf(shape.key, key);
    const twin = spellings.get(spelling);
    if (twin !== undefined) {
      this.report("", `its key means the same as ${JSON.stringify(twin)}: remove one of them`);
    }
    spellings.set(spelling, key);
  }

  private entry(field: AnyField, value: unknown, path: string): void {
    if (isAbsent(value)) this.report(path, "must not be null or undefined");
    else this.value(field, value, path);
  }

  private wrongKind(expected: string, value: unknown, path: string): void {
    this.report(path, `must be ${expected}, not ${kindName(value)}`);
  }

  /** Adds a problem, where there is one. */
  private report(path: string, clause: string | undefined): void {
    if (clause !== undefined) this.problems.push({ path, clause });
  }

  /** Adds advice, where there is some. */
  private advise(path: string, clause: string | undefined): void {
    if (clause !== undefined) this.advice.push({ path, clause });
  }
}

/** Completes the paths of the found problems from an index on: they are relative to `at`. */
function locate(found: Problem[], from: number, at: string): void {
  for (let i = from; i < found.length; i++) {
    const { path, clause } = found[i]!;
    found[i] = { path: path === "" || path.startsWith("[") ? at + path : `${at}.${path}`, clause };
  }
}

// What an Output becomes where a program uses it as text.
const isTextOfOutput = (value: string): boolean => value.includes("Calling [toString] on an [Output<T>]");
const insteadOfText =
  "holds an Output that was used as text; write pulumi.interpolate`…${output}…`, or output.apply(…)";
const insteadOfKey =
  "has an Output as a key, whose value is not known when the map is written; write " +
  "pulumi.all([first.id, second.id]).apply(([first, second]) => ({ [first]: …, [second]: … }))";

function kindName(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
