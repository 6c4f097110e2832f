/** What a change of an argument means for people other than those who deploy it. Programs load this file. */

/** The meanings that decide who has access: a review must be able to read such a value. */
const accessMeanings = ["who gets in", "who signs in", "who may act"] as const;

/** Every meaning but "none": such a change grants nothing. */
const meanings = [...accessMeanings, "where data goes", "where traffic goes"] as const;

export type Meaning = (typeof meanings)[number] | "none";

/** Whether a change of this meaning changes who has access. */
export function isAccess(meaning: Meaning | undefined): boolean {
  return accessMeanings.some((each) => each === meaning);
}

/**
 * Whether a change gives nobody more than they had. What nothing understands counts as more: the default. Both values are
 * known, and a value that is left out is its default.
 */
export type GivesNoMore = (old: unknown, next: unknown) => boolean;

/**
 * A rule of the review's own compares the argument with others: ranges and policies (`access/newly-allowed`), gates
 * (`access/unguarded`, `access/module-moved`), who signs in (`access/who-signs-in`), ACLs (`access/acl-widened`), principals
 * (`access/principals-widened`), validities (`access/validity-extended`), bindings (`access/binding-public`), traffic policies
 * (`access/traffic-policy-changed`).
 */
export const comparedByOwnRule: GivesNoMore = () => true;

/** A switch: it gets the value that grants less. */
export function becomes(value: boolean): GivesNoMore {
  return (_, next) => next === value;
}

/** A time limit: it gets shorter. 0 and no value mean no limit. */
export const endsSooner: GivesNoMore = (old, next) =>
  typeof next === "number" && next > 0 && (typeof old !== "number" || old === 0 || next <= old);

/** Something that happens repeatedly if there is a value: it happened before, or no longer happens. */
export const happensAlready: GivesNoMore = (old, next) => old !== undefined || next === undefined;

/** A list or weights: none are left, which another rule of the review reports. */
export const leavesNothing: GivesNoMore = (_, next) =>
  typeof next === "object" && Object.values(next ?? {}).every((each) => each === 0);
