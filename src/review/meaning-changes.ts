/** The changes of arguments that mean something, between what is at one place before and after a deployment. */
import { chosen, same } from "../schema/equality";
import { defaultOf, fieldsOf } from "../schema/field";
import type { AnyField, Fields, Traits } from "../schema/field";
import { isAccess } from "../schema/meaning";
import type { Meaning } from "../schema/meaning";
import { mayHoldIds } from "../schema/references";
import { hasUnknown, isAbsent, isRecord, isUnknown, membersOf } from "../schema/unknown";
import type { Json } from "../schema/json";
import { secretMask } from "../stack/mask";
import { hasSecret } from "../stack/secrets";

/** An argument that changes, and what that means. */
export interface MeaningChange {
  readonly path: string;
  readonly field: AnyField;
  readonly meaning: Meaning;
  /** What it was, or the default. */
  readonly old: unknown;
  /** What it will be, or the default. */
  readonly next: unknown;
}

type Said = Pick<Traits, "meaning" | "givesNoMore">;

/** A field with its path, and what it or a field around it says about its meaning. */
interface MeantField extends Said {
  readonly field: AnyField;
  readonly path: string;
}

function fieldsIn(fields: Fields, prefix = "", around: Said = {}): MeantField[] {
  return Object.entries(fields)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name, field]) => {
      const { meaning, givesNoMore } = field.traits.meaning === undefined ? around : field.traits;
      return { field, path: prefix + name, meaning, givesNoMore };
    });
}

/**
 * The changes between the values, except those that give nobody more. Left out are secrets, which no preview shows, and
 * values that decide access and are not known yet, which rules of their own report.
 */
export function meaningChanges(fields: Fields, old: Json, next: Json): MeaningChange[] {
  return fieldsIn(fields).flatMap((meant) => changesAt(meant, old[meant.path], next[meant.path]));
}

function changesAt(meant: MeantField, from: unknown, to: unknown): MeaningChange[] {
  const { field, path, meaning = "none", givesNoMore } = meant;
  const [olds, news] = [membersOf(from), membersOf(to)];
  const areOpen = [from, to].every((value) => isAbsent(value) || (isRecord(value) && !isUnknown(value)));
  const isOther = "alternatives" in field.shape && chosen(from) !== chosen(to);
  if (field.shape.kind === "object" && areOpen && !isOther)
    return fieldsIn(fieldsOf(field), "", meant).flatMap((member) =>
      changesAt({ ...member, path: `${path}.${member.path}` }, olds[member.path], news[member.path]),
    );
  const change = { path, field, meaning, old: from ?? defaultOf(field), next: to ?? defaultOf(field) };
  if (meaning === "none" || field.traits.secret || givesNoMore?.(change.old, change.next)) return [];
  const isReported = hasUnknown(to) && isAccess(meaning) && !mayHoldIds(field);
  return isReported || same(field, change.old, change.next) ? [] : [change];
}

/** What an argument hides as a secret, with its meaning. A value that decides access and should be shown is left out. */
export function hiddenMeanings(
  fields: Fields,
  name: string,
  values: Json,
): Pick<MeaningChange, "path" | "meaning">[] {
  return fieldsIn(fields)
    .filter(({ path }) => path === name)
    .flatMap((meant) => hiddenAt(meant, values[name]));
}

function hiddenAt(meant: MeantField, value: unknown): Pick<MeaningChange, "path" | "meaning">[] {
  const { field, path } = meant;
  if (hasSecret(value) && (value === secretMask || field.shape.kind !== "object")) {
    const all = leavesOf(meant).filter(
      ({ field: leaf, meaning }) => leaf.traits.secret === true || !isAccess(meaning),
    );
    const hidden = new Set(all.flatMap(({ meaning = "none" }) => (meaning === "none" ? [] : [meaning])));
    return [...hidden].map((meaning) => ({ path, meaning }));
  }
  const members = membersOf(value);
  return fieldsIn(fieldsOf(field), "", meant).flatMap((member) =>
    hiddenAt({ ...member, path: `${path}.${member.path}` }, members[member.path]),
  );
}

function leavesOf(meant: MeantField): MeantField[] {
  const members = fieldsIn(fieldsOf(meant.field), `${meant.path}.`, meant);
  return members.length === 0 ? [meant] : members.flatMap(leavesOf);
}
