/** Rules over several members of an object. Each is judged only where what it looks at is known. */
import type { Rule, Values } from "./field";

function isSet(value: Values, member: string): boolean {
  return value[member] !== undefined && value[member] !== null;
}

/** Exactly one of the members must be set. */
export function exactlyOneOf(...members: string[]): Rule {
  return {
    members,
    presenceOnly: true,
    judge(value) {
      const given = members.filter((name) => isSet(value, name));
      if (given.length === 1) return [];
      const problem = `exactly one of ${members.join(", ")} must be set`;
      if (given.length === 0) return [{ member: "", problem: `${problem}, and none is` }];
      return [{ member: given[1]!, problem: `${problem}, and ${given.join(" and ")} are` }];
    },
  };
}

/** At most one of the members may be set. */
export function atMostOneOf(...members: string[]): Rule {
  return {
    members,
    presenceOnly: true,
    judge(value) {
      const given = members.filter((name) => isSet(value, name));
      if (given.length < 2) return [];
      return [
        {
          member: given[1]!,
          problem: `must not be set beside ${given[0]!}; only one of ${members.join(", ")} may be`,
        },
      ];
    },
  };
}

/** Where `member` is set, all of the others must be set too. `why` names the specification's rule. */
export function needs(member: string, others: readonly string[], why: string): Rule {
  return {
    members: [member, ...others],
    presenceOnly: true,
    judge(value) {
      const missing = others.filter((name) => !isSet(value, name));
      if (!isSet(value, member) || missing.length === 0) return [];
      return [{ member, problem: `may be set only together with ${others.join(" and ")}: ${why}` }];
    },
  };
}

/** The member must be given when an object is made, though not when an existing one is managed. */
export function requiredToCreate(member: string): Rule {
  return {
    members: [member],
    presenceOnly: true,
    judge(value, { olds }) {
      const isNew = olds !== undefined && Object.keys(olds).length === 0;
      return isNew && !isSet(value, member) ? [{ member, problem: "is required to create the object" }] : [];
    },
  };
}
