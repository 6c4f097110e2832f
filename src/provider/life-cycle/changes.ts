/** What differs between the state of an object and its arguments: one comparison for diff and update. */
import type { Declaration } from "../../schema/declaration";
import { notReturned, holdsSecret } from "../../schema/secrets";
import { defaultOf, keepsDefault } from "../../schema/field";
import type { AnyField, ShapeOf, UpdateSettings } from "../../schema/field";
import { isAccess } from "../../schema/meaning";
import { chosen, same } from "../../schema/equality";
import { changedLocal } from "../../schema/local";
import { changedLocalIn, managedArguments } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { isUnknown, membersOf } from "../../schema/unknown";
import { partsIn, setPaths } from "../../schema/walk";
import type { Part } from "../../schema/walk";
import { argumentsFrom } from "../../schema/values";
import type { Arguments, Inputs } from "../../schema/values";
import { acceptedBy, asSent } from "./accepted";
import { comparedArguments, localIn } from "./arguments";

export interface ArgumentChange {
  /** The path of the argument that differs, such as `deployment.version`. */
  readonly path: string;
  readonly field: AnyField;
  readonly replaces: boolean;
  /** The argument, or one around it, decides who has access, and the service must keep it as it is. */
  readonly decidesAccess: boolean;
  /** The argument, or one around it or in it, is secret. */
  readonly secret: boolean;
  /** Nothing is sent for it: only the state changes. */
  readonly recordedOnly: boolean;
  /** The program no longer gives it, and the service keeps its value. */
  readonly released: boolean;
}

interface Scope {
  readonly managed: ReadonlySet<string>;
  readonly settings: UpdateSettings;
  readonly whole: boolean;
  /** Any change replaces, because a change of the object around it does. */
  readonly replaces: boolean;
  readonly changes: ArgumentChange[];
}

/** The changes from a state to all that the program gives. */
export function compareInputs(
  declaration: Declaration,
  state: RecordedState,
  inputs: Inputs,
  settings: UpdateSettings,
): readonly ArgumentChange[] {
  const changes = compare(declaration, state, comparedArguments(declaration, inputs), settings);
  const local = localIn(declaration, inputs);
  if (!local) return changes;
  const { fields, seals } = declaration;
  // If the state records no local parts, only the check knows.
  const changed = state.local ? changedLocal(fields, state.local, local) : changedLocalIn(inputs);
  const sent = new Set(changes.map(({ path }) => topLevel(path)));
  const never = changed.filter((path) => !sent.has(path));
  const ofLocal = never.map((path): ArgumentChange => {
    const field = fields[path]!;
    const values = { old: state.local?.[path], next: local[path] };
    const replaces = field.traits.replace?.(values, settings) ?? false;
    const recordedOnly = !replaces && path !== seals?.to;
    const decidesAccess = isAccess(field.traits.meaning);
    return {
      path,
      field,
      replaces,
      recordedOnly,
      released: false,
      decidesAccess,
      secret: holdsSecret(field),
    };
  });
  return [...changes, ...ofLocal];
}

/** The changes from a state to the arguments that requests carry. */
export function compare(
  declaration: Declaration,
  state: RecordedState,
  args: Arguments,
  settings: UpdateSettings,
): readonly ArgumentChange[] {
  const { fields, whole } = declaration;
  const changes: ArgumentChange[] = [];
  const managed = new Set(managedArguments(state));
  const outputs = asSent(state.outputs, acceptedBy(declaration, state.accepted, args));
  compareMembers(partsIn(fields, args), outputs, { managed, settings, whole, changes, replaces: false });
  return changes;
}

/** Whether the program sets other arguments than the state records. */
export function setsOthers({ fields }: Declaration, state: RecordedState, args: Arguments): boolean {
  const [managed, set] = [new Set(managedArguments(state)), setPaths(fields, args)];
  return managed.size !== set.length || set.some((path) => !managed.has(path));
}

/** The name of the argument that a path such as `deployment.version` begins with. */
export function topLevel(path: string): string {
  return path.split(".")[0]!;
}

/** Whether a path is `around` or inside of it. */
export function isPathWithin(path: string, around: string): boolean {
  return path === around || path.startsWith(`${around}.`);
}

function compareMembers(parts: readonly Part[], state: unknown, scope: Scope): void {
  for (const part of parts) {
    const { presence, traits } = part.field;
    if (presence !== "computed" && !traits.local) comparePart(part, membersOf(state)[part.key], scope);
  }
}

function comparePart(part: Part, old: unknown, scope: Scope): void {
  const { field, value: next } = part;
  const { shape, traits } = field;
  const replaces = scope.replaces || (traits.replace?.({ old, next }, scope.settings) ?? false);
  const position: Position = { part, old, replaces, managed: scope.managed.has(part.path) };
  if (isUnknown(next)) return addChange(position, scope);
  if (shape.kind === "object") return compareObject(shape, position, scope);
  if (next === undefined) return compareRemoved(position, scope);
  // The object keeps its secret, whether or not an answer shows it.
  if (next === notReturned && traits.secret && old !== undefined) return;
  if (!same(field, old ?? defaultOf(field), next)) addChange(position, scope);
}

/** One argument that is compared with the state. */
interface Position {
  readonly part: Part;
  readonly old: unknown;
  /** A change of it replaces the object. */
  readonly replaces: boolean;
  /** The program set it before. */
  readonly managed: boolean;
}

/** `sendsNothing`: no request can carry the change. */
function addChange(position: Position, scope: Scope, sendsNothing = false): void {
  const { part, old, replaces, managed } = position;
  const { field, value: next, path, said } = part;
  const isUntracked = next === undefined || old === notReturned || (old === undefined && !managed);
  const released = sendsNothing && !replaces;
  const recordedOnly = (replaces && field.traits.writeOnly === true && isUntracked) || released;
  scope.changes.push({
    ...{ path, field, replaces: replaces && !recordedOnly, recordedOnly, released },
    decidesAccess: isAccess(said.meaning) && !field.traits.serviceMayChange,
    secret: holdsSecret(field),
  });
}

/** Compares an argument that the program does not give. */
function compareRemoved(position: Position, scope: Scope): void {
  const { part, old, managed } = position;
  const { field } = part;
  if (!managed && !(scope.whole && keepsDefault(field))) return;
  const restored = defaultOf(field);
  if (restored !== undefined) {
    if (!same(field, old ?? restored, restored)) addChange(position, scope);
    return;
  }
  // A default that only the service knows cannot be sent; an object that is sent whole is sent without it.
  addChange(position, scope, !scope.whole);
}

function compareObject(shape: ShapeOf<"object">, position: Position, scope: Scope): void {
  const { part, old, replaces, managed } = position;
  const { field, value: next } = part;
  if (next === undefined && !managed) return;
  if (shape.alternatives) {
    if (chosen(old) !== chosen(next)) return addChange(position, scope);
    if (chosen(next) === "") return;
  }
  if (shape.whole && old === undefined && next !== undefined) {
    // The object itself must be made, even where all its members have their defaults.
    if (!same(field, next, field.traits.absentAs)) addChange(position, scope);
    return;
  }
  const whole = scope.whole || shape.whole;
  compareMembers(partsIn(shape.fields, membersOf(next), part), old, { ...scope, whole, replaces });
}

/**
 * The arguments to send in an update that changes only some: the changed ones, and removed ones as their default. A changed
 * object contains all that an update may send, because the service replaces it whole.
 */
export function changedArguments(
  { fields }: Declaration,
  changes: readonly ArgumentChange[],
  args: Arguments,
  settings: UpdateSettings,
): Arguments {
  const sent = changes.filter((change) => !change.recordedOnly);
  const names = new Set(sent.map(({ path }) => topLevel(path)));
  const members = Object.fromEntries(
    [...names].map((name) => [name, sendable(fields[name]!, name, args[name], sent, settings)]),
  );
  return argumentsFrom(members);
}

function sendable(
  field: AnyField,
  path: string,
  next: unknown,
  changes: readonly ArgumentChange[],
  settings: UpdateSettings,
): unknown {
  const { shape } = field;
  if (shape.kind !== "object" || shape.alternatives) return next ?? defaultOf(field);
  const members = Object.entries(shape.fields).flatMap(([name, member]): [string, unknown][] => {
    const at = `${path}.${name}`;
    const value = membersOf(next)[name];
    const isChanged = changes.some((change) => isPathWithin(change.path, at));
    if (member.traits.replace?.({ old: value, next: value }, settings)) return [];
    if (!isChanged && (value === undefined || member.traits.writeOnly)) return [];
    // What is left out of an object that is set whole falls back to its default.
    if (value === undefined && shape.whole) return [];
    return [[name, sendable(member, at, value, changes, settings)]];
  });
  return Object.fromEntries(members);
}
