/** The validation of arguments, in a program and in the plugin alike. */
import { oncePer } from "./once-per";
import { escapeControls } from "./text/escape";
import { canonicalOf, everyField, isNew, visit } from "./field";
import type { AnyField, Fields, FieldRule, ShapeOf, ValidationContext } from "./field";
import type { Json } from "./json";
import { nearest } from "./text/nearest";
import { quote } from "./text/phrase";
import { notReturned } from "./secrets";
import { hasUnknown, isAbsent, isRecord, isUnknown, membersOf } from "./unknown";
import { expand, Part, partsIn, partsOf } from "./walk";

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
  validation.object(fields, rules, args);
  return validation.problems;
}

/** What looks wrong about a right value of the field, and about its parts. Nothing where it holds unknown values. */
export function adviceOn(field: AnyField, value: unknown, path: string): Problem[] {
  const validation = new Validation({});
  validation.value(new Part(field, value, path));
  return validation.advice;
}

/** What looks wrong about right values of several members. */
export function adviceOfRules(rules: readonly FieldRule[], values: Json): Problem[] {
  const validation = new Validation({});
  for (const rule of rules) validation.rule(rule, values);
  return validation.advice;
}

/** What looks wrong about right arguments, one sentence each. */
export function adviceOnArguments(
  { fields, rules }: { readonly fields: Fields; readonly rules: readonly FieldRule[] },
  args: Json,
): string[] {
  const onFields = Object.entries(fields).flatMap(([name, field]) =>
    isAbsent(args[name]) || !mayAdvise(field) ? [] : adviceOn(field, args[name], name),
  );
  const advisory = rules.filter((rule) => rule.advisory);
  return [...onFields, ...adviceOfRules(advisory, args)].map(problemText);
}

/** Whether there may be advice on values of the field. */
export function mayAdvise(field: AnyField): boolean {
  return everyField(field).some((each) =>
    visit<boolean>(each, {
      string: ({ format }) => format.advise !== undefined,
      number: ({ advise }) => advise !== undefined,
      boolean: () => false,
      list: () => false,
      map: ({ key, adviseEntry }) => key.advise !== undefined || adviseEntry !== undefined,
      object: ({ rules }) => rules.some(({ advisory }) => advisory),
    }),
  );
}

/** The clause about a name that is none of the arguments. */
export function notAnArgument(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  const advice = meant === undefined ? `the arguments are ${names.join(", ")}` : `did you mean ${meant}?`;
  return `is not an argument here; ${advice}`;
}

/** `path: clause`, the sentence that a user reads. */
export function problemText({ path, clause }: Problem): string {
  // Keys of maps are a part of paths.
  return escapeControls(path === "" ? clause : `${path}: ${clause}`);
}

/** The fields that a program may give. */
const givenFields = oncePer((fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { presence }]) => presence !== "computed")),
);

/** Where a problem is. The path is made only where there is one: a map may have tens of thousands of entries. */
type At = Pick<Part, "path">;

/** It goes from part to part itself: what a rule says of an object comes after the problems of the object's members. */
class Validation {
  readonly problems: Problem[] = [];
  readonly advice: Problem[] = [];

  constructor(private readonly context: ValidationContext) {}

  /** Validates the members of an object. `at` is undefined for the arguments as a whole. */
  object(fields: Fields, rules: readonly FieldRule[], value: Json, at?: Part): void {
    const given = givenFields(fields);
    for (const name of Object.keys(value)) {
      if (isAbsent(value[name]) || Object.hasOwn(given, name)) continue;
      this.report(inside(at, name), notAnArgument(name, Object.keys(given)));
    }
    for (const part of partsIn(given, value, at)) {
      if (!isAbsent(part.value)) this.value(part);
      else if (part.field.presence === "required") this.report(part, "is required");
    }
    for (const rule of rules) this.rule(rule, value, at);
  }

  /** Applies the rule to the members of an object. */
  rule(rule: FieldRule, value: Json, at?: Part): void {
    const isOpen = rule.presenceOnly ? isUnknown : hasUnknown;
    if (rule.members.some((name) => isOpen(value[name]))) return;
    for (const { member, problem } of rule.validate(value, this.context)) {
      if (rule.advisory) this.advise(inside(at, member), problem);
      else this.report(inside(at, member), problem);
    }
  }

  /** Validates a value of the field. */
  value(part: Part): void {
    const { field, value } = part;
    if (isUnknown(value)) return;
    if (value === notReturned && field.traits.secret) return this.placeholder(part);
    visit<void>(field, {
      string: ({ format }) => {
        if (typeof value !== "string") return this.wrongKind("a string", part);
        const clause = isTextOfOutput(value) ? insteadOfText : format.check?.(value);
        this.report(part, clause);
        if (clause === undefined) this.advise(part, format.advise?.(value));
      },
      number: ({ check, advise }) => {
        if (typeof value !== "number") return this.wrongKind("a number", part);
        const clause = check(value);
        this.report(part, clause);
        if (clause === undefined) this.advise(part, advise?.(value));
      },
      boolean: () => {
        if (typeof value !== "boolean") this.wrongKind("true or false", part);
      },
      list: () => {
        if (!Array.isArray(value)) return this.wrongKind("a list", part);
        for (const item of partsOf(part)) this.presentPart(item);
      },
      map: (shape) => {
        if (isRecord(value)) return this.map(shape, part);
        if (shape.listed === undefined) return this.wrongKind("a map", part);
        if (Array.isArray(value)) this.list(shape, part);
        else this.wrongKind("a map or a list", part);
      },
      object: ({ fields, rules }) => {
        const written = expand(field, value);
        if (isRecord(written)) this.object(fields, rules, written, part);
        else this.wrongKind("an object", part);
      },
    });
  }

  /** The placeholder for a secret that the service does not return. */
  private placeholder(at: At): void {
    if (isNew(this.context))
      this.report(
        at,
        "must be the real secret to create the object: notReturned stands for a secret that only its owner knows",
      );
  }

  private map(shape: ShapeOf<"map">, map: Part): void {
    const spellings = new Map<string, string>();
    const right = new Set<unknown>();
    for (const entry of partsOf(map)) {
      const { value } = entry;
      const key = String(entry.key);
      if (isTextOfOutput(key)) {
        this.report(map, insteadOfKey);
        continue;
      }
      const found = this.problems.length + this.advice.length;
      this.key(shape, key, entry, spellings);
      if (!right.has(value)) this.presentPart(entry);
      if (typeof value !== "string") continue;
      // A large map repeats few texts.
      if (this.problems.length + this.advice.length === found) right.add(value);
      if (!isUnknown(value)) this.advise(entry, shape.adviseEntry?.(key, value));
    }
  }

  /** Validates a list that stands for a map. */
  private list({ listed, key: format }: ShapeOf<"map">, list: Part): void {
    const { key } = listed!;
    const first = new Map<string, At>();
    for (const item of partsOf(list)) {
      this.presentPart(item);
      const value = membersOf(item.value)[key];
      if (typeof value !== "string" || isUnknown(value)) continue;
      const spelling = canonicalOf(format, value);
      const twin = first.get(spelling);
      if (twin === undefined) first.set(spelling, item);
      else
        this.report(item, `its ${key} ${quote(spelling)} is also that of ${twin.path}: remove one of them`);
    }
  }

  /** Validates a key of a map beside the keys before it, and adds it to them. */
  private key(shape: ShapeOf<"map">, key: string, at: At, spellings: Map<string, string>): void {
    const clause = shape.key.check?.(key);
    if (clause !== undefined) this.report(at, `its key ${clause}`);
    const advice = clause === undefined ? shape.key.advise?.(key) : undefined;
    if (advice !== undefined) this.advise(at, `its key ${advice}`);
    const spelling = canonicalOf(shape.key, key);
    const twin = spellings.get(spelling);
    if (twin !== undefined) {
      this.report(at, `its key means the same as ${JSON.stringify(twin)}: remove one of them`);
    }
    spellings.set(spelling, key);
  }

  /** Validates an item of a list or a value of a map. */
  private presentPart(part: Part): void {
    if (isAbsent(part.value)) this.report(part, "must not be null or undefined");
    else this.value(part);
  }

  private wrongKind(expected: string, part: Part): void {
    this.report(part, `must be ${expected}, not ${kindName(part.value)}`);
  }

  /** Adds a problem, where there is one. */
  private report(at: At, clause: string | undefined): void {
    if (clause !== undefined) this.problems.push({ path: at.path, clause });
  }

  /** Adds advice, where there is some. */
  private advise(at: At, clause: string | undefined): void {
    if (clause !== undefined) this.advice.push({ path: at.path, clause });
  }
}

/** A member of an object, or the object itself for a problem that names no member. */
function inside(object: Part | undefined, member: string): At {
  return { path: [object?.path ?? "", member].filter((part) => part !== "").join(".") };
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
