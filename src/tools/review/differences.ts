/** What changes in an object: field by field, from what to what, with secrets masked. */
import { oncePer } from "../../schema/once-per";
import { defaultOf, visit } from "../../schema/field";
import type { AnyField, Fields } from "../../schema/field";
import { accessArguments } from "../../schema/access-fields";
import { same } from "../../schema/equality";
import {
  hasUnknown,
  isRecord,
  isUnknown,
  itemsOf,
  keysOfBoth,
  membersOf,
  valueAt,
} from "../../schema/unknown";
import { localPart, withLocal } from "../../schema/local";
import { compareInputs, setsOthers } from "../../provider/life-cycle/changes";
import { hasOwnPath, idIn } from "../../provider/http/path";
import { fieldAt } from "../../schema/walk";
import { argumentsIn, withoutHidden, recordedState } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { outputsFrom } from "../../schema/values";
import { secretMask } from "../stack/mask";
import { hasSecret } from "../stack/engine-secrets";
import type { EngineObject, ResourceChange } from "../inventory/read-preview";

/** One field that changes. Values are plain data; a secret is "[secret]". */
export interface Difference {
  /** The path, such as `binding.endpointSelectors`. */
  readonly path: string;
  /** Undefined if the field had no value. */
  readonly old: unknown;
  /** Undefined if the field will have no value. */
  readonly next: unknown;
  /** For a list without order: the added and the removed members. */
  readonly members?: { readonly added: readonly unknown[]; readonly removed: readonly unknown[] };
  /** The value is a secret: the review says only that it changes. */
  readonly secret: boolean;
  readonly replaces: boolean;
  /** For drift: the default that the specification states, for the side without a value. */
  readonly default?: unknown;
}

interface Changed {
  readonly differences: readonly Difference[];
  /** An update or replacement without a visible reason: a secret changes, or a value that Pulumi hides. */
  readonly hidden: boolean;
  /** The object has secrets, and the preview does not show whether they change too. */
  readonly holdsSecrets: boolean;
  /** No request is sent: only the record of the arguments that the program sets changes. */
  readonly recordedOnly: boolean;
}

/**
 * The state before a deployment. The preview hides its record of local values, so they come from the inputs of the last
 * deployment.
 */
export function lastState({ declaration, args, record }: EngineObject): RecordedState {
  return { ...recordedState(record.outputs), local: localPart(declaration.fields, args) };
}

/** The differences of a resource. */
export const changesOf = oncePer(compareResource);

const unchanged: Changed = { differences: [], hidden: false, holdsSecrets: false, recordedOnly: false };

function compareResource(resource: ResourceChange): Changed {
  const { action, before, after, declaration, replaceReasons } = resource;
  if (action === "create") return created(resource);
  if (!before || !after || action === "same") return unchanged;
  const { fields } = declaration;
  const state = lastState(before);
  // The setting only decides which fields replace, which counts for replacements alone.
  const changes = compareInputs(declaration, state, after.args, { patchUndocumented: false });
  const values = withLocal(fields, before.record.outputs, state.local ?? {});
  const differences = changes.flatMap(({ path, field, replaces }) => {
    const isForcing = replaceReasons.length > 0 ? isReason(path, replaceReasons) : replaces;
    const [old, next] = [valueAt(values, path), valueAt(after.args, path)];
    const found = between(field, path, old, next);
    return found.map((difference) => ({ ...difference, replaces: action === "replace" && isForcing }));
  });
  const visible = new Set(differences.map(({ path }) => path.split(".")[0]));
  const reasons = replaceReasons
    .filter((name) => !visible.has(name))
    .flatMap((name) => hiddenReason(name, before, after));
  const all = [...differences, ...reasons];
  const secretsGiven = hasSecret(after.args);
  const recordedOnly =
    action === "update" &&
    changes.every((change) => change.recordedOnly) &&
    (changes.length > 0 || (!secretsGiven && setsOthers(declaration, state, argumentsIn(after.args))));
  const hidden = all.length === 0 && !recordedOnly;
  const holdsSecrets = secretsGiven && !hidden && !recordedOnly && !all.some(({ secret }) => secret);
  return { differences: all, hidden, holdsSecrets, recordedOnly };
}

function created({ after }: ResourceChange): Changed {
  const differences = Object.entries(withoutHidden(after?.args ?? {})).map(([path, next]) => {
    return { path, old: undefined, next, replaces: false, secret: next === secretMask };
  });
  return { ...unchanged, differences };
}

/** Whether the engine names the argument, one of its parents or one of its members as a reason for the replacement. */
function isReason(path: string, reasons: readonly string[]): boolean {
  return reasons.some((reason) => isWithin(path, reason) || isWithin(reason, path));
}

/** Whether a path is `around` or inside it. */
export function isWithin(path: string, around: string): boolean {
  return path.startsWith(around) && ["", ".", "["].includes(path.charAt(around.length));
}

/** A secret field that forces a replacement although its visible value does not change. */
function hiddenReason(path: string, before: EngineObject, after: EngineObject): Difference[] {
  const [old, next] = [before.record.outputs[path] ?? before.args[path], after.args[path]];
  return hasSecret(next) ? [{ path, old, next, secret: true, replaces: true }] : [];
}

/**
 * The changes made outside of Pulumi: from the values in the stack's state to those of the service. What the program
 * leaves out is the service's to fill in, but not what decides access: no deployment shows or repairs that.
 */
export function driftOf({ recorded, before, declaration }: ResourceChange): Difference[] {
  if (!recorded || !before) return [];
  const { managed: names } = recordedState(recorded.record.outputs);
  const access = accessArguments(declaration.fields);
  const managed = Object.entries(declaration.fields).filter(
    ([name, { presence }]) => presence !== "computed" && (names.includes(name) || access.includes(name)),
  );
  const [from, to] = [recorded.record.outputs, before.record.outputs];
  return membersBetween(Object.fromEntries(managed), "", from, to).map((difference) => {
    const names = difference.path.split(".");
    const absent = difference.old === undefined ? from : difference.next === undefined ? to : undefined;
    const stated = fieldAt(declaration.fields, names)?.traits.serverDefault;
    // A member has its default only if the object that contains it exists.
    const isHeld = isRecord(names.length === 1 ? absent : valueAt(absent, names.slice(0, -1).join(".")));
    return isHeld && stated?.known ? { ...difference, default: stated.value } : difference;
  });
}

/** The differences of a field whose values differ, down to its leaves. */
function between(field: AnyField, path: string, old: unknown, next: unknown): Difference[] {
  const [before, after] = [old ?? undefined, next ?? undefined];
  const leaf = { path, old: before, next: after, secret: isSecret(field, before, after), replaces: false };
  if (isUnknown(after) || leaf.secret) return [leaf];
  const itself = (): Difference[] => (equal(field, before, after) ? [] : [leaf]);
  const areRecords = isRecord(before ?? {}) && isRecord(after ?? {});
  return visit<Difference[]>(field, {
    leaf: itself,
    list: ({ ordered }) => (ordered ? itself() : [{ ...leaf, members: itemsBetween(before, after) }]),
    map: ({ value }) => (areRecords ? entriesBetween(value, path, before, after) : itself()),
    object: ({ fields }) => {
      const members = areRecords ? membersBetween(fields, `${path}.`, before, after) : [];
      return members.length > 0 ? members : itself();
    },
  });
}

function itemsBetween(old: unknown, next: unknown): Difference["members"] {
  const [from, to] = [itemsOf(old), itemsOf(next)];
  return { added: without(to, from), removed: without(from, to) };
}

function entriesBetween(value: AnyField, path: string, old: unknown, next: unknown): Difference[] {
  const [before, after] = [membersOf(old), membersOf(next)];
  return keysOfBoth(before, after).flatMap((key) => {
    const [from, to] = [before[key], after[key]];
    return same(value, from, to) ? [] : between(value, `${path}[${JSON.stringify(key)}]`, from, to);
  });
}

function membersBetween(fields: Fields, prefix: string, old: unknown, next: unknown): Difference[] {
  return Object.entries(fields).flatMap(([name, member]) => {
    const [from, to] = [membersOf(old)[name], membersOf(next)[name]];
    return equal(member, from, to) ? [] : between(member, prefix + name, from, to);
  });
}

function equal(field: AnyField, a: unknown, b: unknown): boolean {
  const [old, next] = [a ?? defaultOf(field), b ?? defaultOf(field)];
  return !hasUnknown(next) && same(field, old, next);
}

function isSecret({ traits }: AnyField, old: unknown, next: unknown): boolean {
  return traits.secret === true || old === secretMask || next === secretMask;
}

function without(values: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others.map((other) => JSON.stringify(other)));
  return values.filter((value) => !known.has(JSON.stringify(value)));
}

/**
 * Whether the old object is deleted before the new one is created. An object that stays at its path is never deleted: the
 * provider updates it, even if the engine asks for a replacement.
 */
export function deletesFirst(resource: ResourceChange): boolean {
  const { action, deletedFirst, declaration, replaceReasons } = resource;
  if (action !== "replace" || staysAtItsPath(resource)) return false;
  const { unique } = declaration;
  if (deletedFirst || unique === undefined) return deletedFirst;
  const { differences } = changesOf(resource);
  const names = new Set([...replaceReasons, ...differences.map(({ path }) => path.split(".")[0]!)]);
  return !unique.some((name) => names.has(name));
}

/** Whether an object whose path is its identity is at the same path before and after the deployment. */
function staysAtItsPath({ declaration, before, after }: ResourceChange): boolean {
  if (!hasOwnPath(declaration) || !before || !after) return false;
  const idOf = ({ values }: EngineObject): string => idIn(declaration.path, outputsFrom(values));
  return idOf(before) === idOf(after);
}

/**
 * Whether the engine replaces an object only because an earlier deployment deleted it and failed to create it again. A preview
 * names no reason then.
 */
export function repairsReplacement(resource: ResourceChange): boolean {
  const { action, deletedFirst, replaceReasons } = resource;
  return action === "replace" && deletedFirst && replaceReasons.length === 0;
}
