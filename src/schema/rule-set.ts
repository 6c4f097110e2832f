/**
 * Sets of rules: what all code reads of a declaration with `setOf`. Its `rules` map ranges to rules, which are objects of the
 * collection `setOf` with the policy `ipPolicyId`. An `exclusive` set leaves no other rules in the policy.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "./declaration";
import { endsIn } from "./entry-ends";
import { Field } from "./field";
import type { Fields, Format } from "./field";
import { canonical, problem } from "./formats/cidr";
import type { Json } from "./json";
import type { MembersOf } from "./kinds";
import { membersOf } from "./unknown";
import type { Answer } from "./values";

/**
 * A map that a program may also give as a list of the items. Their member `member` is the key, which may then be an Output,
 * and their other members are the value. Outputs are maps.
 */
export function mapOrList<A, O, Item>(
  value: Field<A, O>,
  key: Format,
  item: Field<Item, unknown>,
  member: string & keyof Exclude<Item, undefined>,
  argument: string,
): Field<
  Record<string, pulumi.Input<Exclude<A, undefined>>> | pulumi.Input<Exclude<Item, undefined>>[] | undefined,
  Record<string, Exclude<O, undefined>> | undefined
> {
  return new Field({ kind: "map", value, key, listed: { item, key: member, argument } });
}

/** An object that is replaced whole and that may be written as the value of its member `name` alone. */
export function shorthand<A, V, N extends keyof V & string>(
  name: N,
  fields: MembersOf<A>,
): Field<A | V[N] | undefined, V | V[N] | undefined> {
  return new Field({ kind: "object", fields, rules: [], whole: true, shorthand: name });
}

/** Whether objects of a declaration are rules of policies, or sets of them: they alone name a policy by this argument. */
export function declaresRules({ fields }: Declaration): boolean {
  return "ipPolicyId" in fields;
}

/** What a rule does. */
export type RuleAction = "allow" | "deny";

export function isAction(value: unknown): value is RuleAction {
  return value === "allow" || value === "deny";
}

/** One rule, with defaults in the place of what its entry leaves out. */
export interface RuleValues {
  readonly cidr: string;
  /** `allow` or `deny`; where the value is not known yet, Pulumi's text for that. */
  readonly action: string;
  readonly description: string;
  readonly metadata: string;
}

/** The rule of an entry, with the range as it is spelled. The end of an entry is not a part of the rule. */
export function ruleOf(cidr: string, entry: unknown): RuleValues {
  const { action, description, metadata } = typeof entry === "string" ? { action: entry } : membersOf(entry);
  return {
    cidr,
    action: textOf(action),
    description: textOf(description),
    metadata: textOf(metadata),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The id of the policy of a rule in an answer. */
export function policyOf({ ip_policy }: Answer): unknown {
  return membersOf(ip_policy).id;
}

/** The rules of a program or a state, by canonical range. */
export function rulesByRange({ rules }: Json): Map<string, RuleValues> {
  return new Map(
    Object.entries(membersOf(rules)).map(([spelling, entry]) => {
      const range = canonical(spelling);
      return [range, ruleOf(range, entry)];
    }),
  );
}

/** When the entries of a set that end do so, in milliseconds since 1970, by canonical range. */
export function endsByRange(fields: Fields, values: Json): Map<string, number> {
  return new Map(endsIn(fields, values).map(({ key, at }) => [canonical(key), at]));
}

/** The ranges of the rules in canonical spelling. */
export function rangesIn({ rules }: Json): Set<string> {
  return new Set(Object.keys(membersOf(rules)).map(canonical));
}

/** The keys of the entries whose range is not known yet. */
export function unknownRanges({ rules }: Json): string[] {
  return Object.keys(membersOf(rules)).filter((key) => problem(key) !== undefined);
}

/** The path of a set's rule. */
export function rulePath(range: string): string {
  return `rules[${JSON.stringify(range)}]`;
}

/** Whether a set with the values answers for all rules of its policy. */
export function isExclusive({ exclusive }: Json): boolean {
  return exclusive !== false;
}

/** How many percent more rules than the fewest a summarized set may hold where the program does not say. */
export const defaultExtraPercent = 25;

/** Whether the policy holds fewer rules for the entries of a set with the values. */
export function isSummarized({ summarize }: Json): boolean {
  return summarize === true;
}
