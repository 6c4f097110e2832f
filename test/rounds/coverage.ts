/** Which arguments the declarations have, and which of them the table changes in which way. */
import { valueAt } from "../../src/schema/unknown";
import type { AnyField, Fields } from "../../src/schema/field";
import { declarations } from "../../src/resources/registry";
import { history, type Subject } from "./subject";

/** The classes of the table: those whose resource is one object. A set of entries sends a request for each of them. */
export const classes = declarations.filter(({ setOf, rotates }) => !setOf && !rotates);

export interface Argument {
  /** `Class.path`. */
  readonly name: string;
  readonly field: AnyField;
  /** It, or an argument around it, can be changed by a new object only. */
  readonly replaces: boolean;
  readonly optional: boolean;
  readonly secret: boolean;
}

/** Every argument of those classes, nested ones too. */
export const everyArgument: readonly Argument[] = classes.flatMap(({ type, fields }) =>
  argumentsIn(fields, `${type}.`, false),
);

function argumentsIn(fields: Fields, prefix: string, replaces: boolean): Argument[] {
  return Object.entries(fields)
    .filter(([, field]) => field.presence !== "computed")
    .flatMap(([own, field]) => {
      const name = prefix + own;
      const byReplacement = replaces || field.traits.replace !== undefined;
      const { shape, presence, traits } = field;
      const optional = presence === "optional";
      const argument = { name, field, replaces: byReplacement, optional, secret: traits.secret ?? false };
      return shape.kind === "object"
        ? [argument, ...argumentsIn(shape.fields, `${name}.`, byReplacement)]
        : [argument];
    });
}

/** The names of the arguments that meet the condition in one change of a subject. */
function namesWhere(
  subjects: readonly Subject[],
  meets: (change: { before: unknown; after: unknown; op: string; holder: unknown }) => boolean,
): Set<string> {
  const names = new Set<string>();
  for (const subject of subjects) {
    const states = history(subject);
    subject.changes.forEach(({ op }, i) => {
      for (const { name } of everyArgument.filter(({ name }) => name.startsWith(`${subject.type}.`))) {
        const path = name.slice(subject.type.length + 1);
        const holder = path.includes(".") ? valueAt(states[i + 1], path.slice(0, path.lastIndexOf("."))) : {};
        if (meets({ before: valueAt(states[i], path), after: valueAt(states[i + 1], path), op, holder }))
          names.add(name);
      }
    });
  }
  return names;
}

const equal = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The arguments whose value changes to another one, in place or by a replacement. */
export function changing(subjects: readonly Subject[], op: string): Set<string> {
  return namesWhere(subjects, (change) => {
    const { before, after } = change;
    return change.op === op && before !== undefined && after !== undefined && !equal(before, after);
  });
}

/** The arguments that are taken out of the program, while what is around them stays. */
export function leaving(subjects: readonly Subject[]): Set<string> {
  return namesWhere(
    subjects,
    ({ before, after, holder }) => before !== undefined && after === undefined && holder !== undefined,
  );
}

/** The secrets that the table gives a value. */
export function secretValues(subjects: readonly Subject[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const { name } of everyArgument.filter(({ secret }) => secret)) values.set(name, new Set());
  for (const subject of subjects) {
    for (const args of history(subject)) {
      for (const [name, found] of values) {
        if (!name.startsWith(`${subject.type}.`)) continue;
        const value = valueAt(args, name.slice(subject.type.length + 1));
        if (typeof value === "string") found.add(value);
      }
    }
  }
  return values;
}

/** What of a secret to look for: of a PEM a line of its inside. */
export function needle(secret: string): string {
  return secret.startsWith("-----") ? secret.split("\n")[1]! : secret;
}
