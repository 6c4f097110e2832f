/** Rules over several members of an object. Each is checked only where the members that it reads are known. */
import type { FieldRule, ValidationContext } from "./field";
import * as time from "./formats/time";
import type { Json } from "./json";
import { isAbsent, isRecord } from "./unknown";

function isSet(value: Json, member: string): boolean {
  return !isAbsent(value[member]);
}

/**
 * A rule about one member, which reads the others too: `problemOf` completes "<member> …". It is undefined where nothing
 * is wrong.
 */
export function about(
  member: string,
  others: readonly string[],
  problemOf: (values: Json, context: ValidationContext) => string | undefined,
): FieldRule {
  return {
    members: [member, ...others],
    validate(values, context) {
      const problem = problemOf(values, context);
      return problem === undefined ? [] : [{ member, problem }];
    },
  };
}

/** The rule reads only which members are set. */
export function presenceOnly(rule: FieldRule): FieldRule {
  return { ...rule, presenceOnly: true };
}

/** What the rule finds is a warning: nothing states that it is wrong, or services differ. */
export function advisory(rule: FieldRule): FieldRule {
  return { ...rule, advisory: true };
}

/** Exactly one of the members must be set. */
export function exactlyOneOf(...members: string[]): FieldRule {
  const problem = `exactly one of ${members.join(", ")} must be set`;
  return presenceOnly({
    members,
    validate(values) {
      const given = members.filter((name) => isSet(values, name));
      if (given.length === 1) return [];
      if (given.length === 0) return [{ member: "", problem: `${problem}, and none is` }];
      return [{ member: given[1]!, problem: `${problem}, and ${given.join(" and ")} are` }];
    },
  });
}

/** At most one of the members may be set. */
export function atMostOneOf(...members: string[]): FieldRule {
  return presenceOnly({
    members,
    validate(values) {
      const [first, second] = members.filter((name) => isSet(values, name));
      const problem = `must not be set beside ${first}; only one of ${members.join(", ")} may be`;
      return second === undefined ? [] : [{ member: second, problem }];
    },
  });
}

/** The member must be given, and an object must not be empty, unless `enabled` is false. */
export function requiredUnlessDisabled(member: string): FieldRule {
  const rule = about(member, ["enabled"], (values) => {
    const own = values[member];
    const isGiven = isSet(values, member) && (!isRecord(own) || Object.keys(own).length > 0);
    return isGiven || values.enabled === false ? undefined : "is required unless enabled is false";
  });
  return presenceOnly(rule);
}

/** What `member` must be because of `other`: `check` gets both texts, and its clause is about `member`. */
export function fits(
  member: string,
  other: string,
  check: (value: string, other: string) => string | undefined,
): FieldRule {
  return about(member, [other], (values) => {
    const [value, beside] = [values[member], values[other]];
    return typeof value === "string" && typeof beside === "string" ? check(value, beside) : undefined;
  });
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
  return about(member, [start], (values, { olds, now }) => {
    const [value, before] = [values[member], olds?.[member]];
    if (olds === undefined || now === undefined || typeof value !== "string" || isSet(values, start))
      return undefined;
    const instant = time.toInstant(value);
    if (instant === undefined || instant > now) return undefined;
    if (typeof before === "string" && time.canonical(before) === time.canonical(value)) return undefined;
    return `must be in the future, and ${value} has passed`;
  });
}
