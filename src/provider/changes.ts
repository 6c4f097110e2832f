/** What differs between the state of an object and its arguments. The one judge for diff and update. */
import type { Declaration } from "../schema/declaration";
import { defaultOf } from "../schema/field";
import type { AnyField, Fields, UpdateSettings } from "../schema/field";
import { chosen, same } from "../schema/equality";
import { isUnknown, membersOf, setPaths } from "../schema/unknown";
import type { Json } from "../schema/json";

export interface Change {
  /** The path of the argument that differs, such as `deployment.version`. */
  readonly path: string;
  readonly replaces: boolean;
  /** Nothing is sent for it: it only becomes known, or is no longer of interest. */
  readonly recordedOnly: boolean;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** The names of the arguments that the program sets, as the state records them. */
  readonly setArguments: readonly string[];
  /** Whether the program sets other arguments than the state records. */
  readonly setChanged: boolean;
}

interface Scope {
  readonly managed: ReadonlySet<string>;
  readonly settings: UpdateSettings;
  readonly whole: boolean;
  /** Any change replaces, because one of the object around it does. */
  readonly replaces: boolean;
  readonly changes: Change[];
}

export function compare(
  declaration: Declaration,
  state: Json,
  args: Json,
  settings: UpdateSettings,
): Comparison {
  const before = setArgumentsOf(state);
  const changes: Change[] = [];
  const scope = { managed: new Set(before), settings, whole: declaration.whole, replaces: false, changes };
  compareMembers(declaration.fields, "", state, args, scope);
  const setArguments = setPaths(declaration.fields, args);
  const setChanged =
    before.length !== setArguments.length || setArguments.some((path) => !scope.managed.has(path));
  return { changes, setArguments, setChanged };
}

/** The arguments that a state records as set by the program; none for an object that was only looked up. */
export function setArgumentsOf(state: Json): string[] {
  return Array.isArray(state.__args) ? (state.__args as string[]) : [];
}

function compareMembers(fields: Fields, prefix: string, state: unknown, args: unknown, scope: Scope): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.presence === "computed" || field.traits.local) continue;
    compareField(field, prefix + name, membersOf(state)[name], membersOf(args)[name], scope);
  }
}

function compareField(field: AnyField, path: string, old: unknown, next: unknown, scope: Scope): void {
  const managed = scope.managed.has(path);
  const replaces = scope.replaces || (field.traits.replace?.({ old, next }, scope.settings) ?? false);
  const changed = (nothingToSend = false): void => {
    const nobodyKnew = next === undefined || (old === undefined && !managed);
    const toRecord = (field.traits.recordedWhenUnknown ?? false) && nobodyKnew;
    const recordedOnly = toRecord || (nothingToSend && !replaces);
    scope.changes.push({ path, replaces: replaces && !recordedOnly, recordedOnly });
  };
  if (isUnknown(next)) return changed();
  const { shape } = field;
  if (shape.kind === "object") {
    if (next === undefined && !managed && !scope.whole) return;
    if (shape.alternatives && chosen(old) !== chosen(next)) return changed();
    // Of alternatives none of which is set nothing remains to be said, whether or not the object is there.
    if (shape.alternatives && chosen(next) === "") return;
    if (shape.whole && old === undefined && next !== undefined) {
      // Even where all its members have their defaults, the object itself is still to be made.
      if (!same(field, next, field.traits.absentAs)) changed();
      return;
    }
    const whole = scope.whole || shape.whole;
    return compareMembers(shape.fields, `${path}.`, old, next, { ...scope, whole, replaces });
  }
  if (next === undefined) {
    if (!managed && !scope.whole) return;
    const restored = defaultOf(field);
    // Of a default that only the service knows nothing can be sent, but what is set whole is sent without it.
    if (restored !== undefined ? !same(field, old ?? restored, restored) : managed) {
      changed(restored === undefined && !scope.whole);
    }
    return;
  }
  if (!same(field, old ?? defaultOf(field), next)) changed();
}

/**
 * The arguments to send in an update that changes only some: the changed ones, removed ones as their
 * default. Of an object that changed all that an update may send goes along, as the service takes it whole.
 */
export function changedArguments(
  declaration: Declaration,
  changes: readonly Change[],
  args: Json,
  settings: UpdateSettings,
): Record<string, unknown> {
  const sent = changes.filter((change) => !change.recordedOnly);
  const names = new Set(sent.map(({ path }) => path.split(".")[0]!));
  return Object.fromEntries(
    [...names].map((name) => [name, sendable(declaration.fields[name]!, name, args[name], sent, settings)]),
  );
}

function sendable(
  field: AnyField,
  path: string,
  next: unknown,
  changes: readonly Change[],
  settings: UpdateSettings,
): unknown {
  const { shape } = field;
  if (shape.kind !== "object" || shape.alternatives) return next ?? defaultOf(field);
  const members = Object.entries(shape.fields).flatMap(([name, member]): [string, unknown][] => {
    const at = `${path}.${name}`;
    const value = membersOf(next)[name];
    const isChanged = changes.some((change) => change.path === at || change.path.startsWith(`${at}.`));
    if (member.presence === "computed" || member.traits.replace?.({ old: value, next: value }, settings))
      return [];
    if (!isChanged && (value === undefined || member.traits.onlyWhenChanged)) return [];
    // What is left out of an object that is set whole falls back to its default.
    if (value === undefined && shape.whole) return [];
    return [[name, sendable(member, at, value, changes, settings)]];
  });
  return Object.fromEntries(members);
}
