/** Rules over several members of an object. Each is checked only where the members that it reads are known. */
import type { FieldRule } from "./field";
import * as time from "./formats/time";
import type { Json } from "./json";
import { isAbsent, isRecord } from "./unknown";

function isSet(value: Json, member: string): boolean {
  return !isAbsent(value[member]);
}

/** A rule that reads only which members are set. */
function aboutPresence(members: readonly string[], validate: FieldRule["validate"]): FieldRule {
  return { members, presenceOnly: true, validate };
}

/** Exactly one of the members must be set. */
export function exactlyOneOf(...members: string[]): FieldRule {
  return aboutPresence(members, (value) => {
    const given = members.filter((name) => isSet(value, name));
    if (given.length === 1) return [];
    const problem = `exactly one of ${members.join(", ")} must be set`;
    if (given.length === 0) return [{ member: "", problem: `${problem}, and none is` }];
    return [{ member: given[1]!, problem: `${problem}, and ${given.join(" and ")} are` }];
  });
}

/** What the rule finds is a warning: nothing states that it is wrong, or services differ. */
export function advisory(rule: FieldRule): FieldRule {
  return { ...rule, advisory: true };
}

/** At most one of the members may be set. */
export function atMostOneOf(...members: string[]): FieldRule {
  return aboutPresence(members, (value) => {
    const given = members.filter((name) => isSet(value, name));
    if (given.length < 2) return [];
    return [
      {
        member: given[1]!,
        problem: `must not be set beside ${given[0]!}; only one of ${members.join(", ")} may be`,
      },
    ];
  });
}

/** Where `member` is set, all of the others must be set too; an empty list sets nothing. `why` names the rule. */
export function needs(member: string, others: readonly string[], why: string): FieldRule {
  return aboutPresence([member, ...others], (value) => {
    const missing = others.filter((name) => !isSet(value, name));
    const given = value[member];
    if (!isSet(value, member) || (Array.isArray(given) && given.length === 0)) return [];
    if (missing.length === 0) return [];
    return [{ member, problem: `may be set only together with ${others.join(" and ")}: ${why}` }];
  });
}

/** The member must be given when an object is made, though not when an existing one is managed. */
export function requiredToCreate(member: string): FieldRule {
  return aboutPresence([member], (value, { olds }) => {
    const isNew = olds !== undefined && Object.keys(olds).length === 0;
    return isNew && !isSet(value, member) ? [{ member, problem: "is required to create the object" }] : [];
  });
}

/** The member must be given, and an object must not be empty, unless `other` has the value. */
export function requiredUnless(member: string, other: string, exempt: boolean | string): FieldRule {
  return aboutPresence([member, other], (value) => {
    const own = value[member];
    const given = isSet(value, member) && (!isRecord(own) || Object.keys(own).length > 0);
    return given || value[other] === exempt
      ? []
      : [{ member, problem: `is required unless ${other} is ${String(exempt)}` }];
  });
}

/** What `member` must be because of `other`: `check` gets both texts, and its clause is about `member`. */
export function fits(
  member: string,
  other: string,
  check: (value: string, other: string) => string | undefined,
): FieldRule {
  return {
    members: [member, other],
    validate(values) {
      const [value, beside] = [values[member], values[other]];
      const problem =
        typeof value === "string" && typeof beside === "string" ? check(value, beside) : undefined;
      return problem === undefined ? [] : [{ member, problem }];
    },
  };
}

/** One time must come before another, by a second at least: the SSH certificate protocol knows no parts of seconds. */
export function inOrder(earlier: string, later: string): FieldRule {
  return fits(later, earlier, (end, start) => {
    const [from, until] = [start, end].map((text) => Math.floor((time.toInstant(text) ?? NaN) / 1000));
    return from! >= until! ? `must be later than ${earlier}, which is ${start}` : undefined;
  });
}

/**
 * A time that is given for the first time, or another one than before, must lie ahead where `start` is left out, which
 * stands for the present. One that has passed since the object was made stays right.
 */
export function ahead(member: string, start: string): FieldRule {
  return {
    members: [member, start],
    validate(values, { olds, now }) {
      const [value, before] = [values[member], olds?.[member]];
      if (olds === undefined || now === undefined || typeof value !== "string" || isSet(values, start))
        return [];
      const instant = time.toInstant(value);
      if (instant === undefined || instant > now) return [];
      if (typeof before === "string" && time.canonical(before) === time.canonical(value)) return [];
      return [{ member, problem: `must be in the future, and ${value} has passed` }];
    },
  };
}
