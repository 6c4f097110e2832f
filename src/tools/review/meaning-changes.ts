/** The changes of arguments with a meaning, between the objects at one place before and after a deployment. */
import { chosen, same } from "../../schema/equality";
import { defaultOf, fieldsOf } from "../../schema/field";
import type { AnyField, Fields } from "../../schema/field";
import { isAccess } from "../../schema/meaning";
import type { Meaning } from "../../schema/meaning";
import { mayHoldIds } from "../../schema/references";
import { hasUnknown, isAbsent, isRecord, isUnknown, membersOf } from "../../schema/unknown";
import type { Json } from "../../schema/json";
import { partsIn, walk } from "../../schema/walk";
import type { Part } from "../../schema/walk";
import { secretMask } from "../stack/mask";
import { hasSecret } from "../stack/engine-secrets";

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

function argumentsIn(fields: Fields, values: Json, around?: Part): Part[] {
  return partsIn(fields, values, around).filter(({ field }) => field.presence !== "computed");
}

/**
 * The changes between the values, except those that give nobody more. Secrets are left out, because no preview shows them, and
 * so are unknown values that decide access, because other rules report them.
 */
export function meaningChanges(fields: Fields, old: Json, next: Json): MeaningChange[] {
  return argumentsIn(fields, next).flatMap((part) => changesAt(part, old[part.key]));
}

function changesAt(part: Part, from: unknown): MeaningChange[] {
  const { field, value: to, path } = part;
  const { meaning = "none", givesNoMore } = part.said;
  const areOpen = [from, to].every((value) => isAbsent(value) || (isRecord(value) && !isUnknown(value)));
  const isOther = "alternatives" in field.shape && chosen(from) !== chosen(to);
  if (field.shape.kind === "object" && areOpen && !isOther) {
    const members = argumentsIn(field.shape.fields, membersOf(to), part);
    return members.flatMap((member) => changesAt(member, membersOf(from)[member.key]));
  }
  const change = { path, field, meaning, old: from ?? defaultOf(field), next: to ?? defaultOf(field) };
  if (meaning === "none" || field.traits.secret || givesNoMore?.(change.old, change.next)) return [];
  const isReported = hasUnknown(to) && isAccess(meaning) && !mayHoldIds(field);
  return isReported || same(field, change.old, change.next) ? [] : [change];
}

/** The values that an argument hides as secrets, with their meanings; without values that decide access and should be shown. */
export function hiddenMeanings(
  fields: Fields,
  name: string,
  values: Json,
): Pick<MeaningChange, "path" | "meaning">[] {
  const found: Pick<MeaningChange, "path" | "meaning">[] = [];
  const named = argumentsIn(fields, values).filter(({ key }) => key === name);
  walk(named, (part) => {
    const { field, value, path } = part;
    if (field.presence === "computed" || !hasSecret(value)) return false;
    if (value !== secretMask && field.shape.kind === "object") return true;
    const hidden = leavesOf(part).flatMap((leaf) => {
      const { meaning = "none" } = leaf.said;
      return meaning === "none" || (isAccess(meaning) && !leaf.field.traits.secret) ? [] : [meaning];
    });
    for (const meaning of new Set(hidden)) found.push({ path, meaning });
    return false;
  });
  return found;
}

function leavesOf(part: Part): Part[] {
  const members = argumentsIn(fieldsOf(part.field), {}, part);
  return members.length === 0 ? [part] : members.flatMap(leavesOf);
}
