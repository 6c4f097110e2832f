/** Silences: findings that a configuration accepts, each with a reason. */
import { globPattern } from "../text/glob";
import type { Finding } from "./rule";

export interface Silence {
  /** A rule's id; `*` matches any text, as in `interruption/*`. */
  readonly rule: string;
  /** A resource's name, `Type name` or URN; `*` matches any text. Default: every resource. */
  readonly resource?: string;
  /** Why the finding is accepted. Required, and shown in the review. */
  readonly reason: string;
}

/** Reads `rule=reason` or `rule@resource=reason`. */
export function parseSilence(text: string): Silence | undefined {
  const match = /^([^=@]+)(?:@([^=]+))?=([^]*)$/.exec(text);
  if (!match) return undefined;
  const [, rule, resource, reason] = match;
  return { rule: rule!.trim(), reason: reason!.trim(), ...(resource ? { resource: resource.trim() } : {}) };
}

/** A function that finds the reason of the first silence that a finding matches. */
export function silencer(silences: readonly Silence[]): (finding: Finding) => string | undefined {
  const known = silences.map(({ rule, resource = "*", reason }) => ({
    rule: globPattern(rule),
    resource: globPattern(resource),
    reason,
  }));
  return ({ rule, urn, type, name }) => {
    const names = [name, `${type} ${name}`, urn];
    const fits = (each: (typeof known)[number]): boolean =>
      each.rule.test(rule) && names.some((text) => each.resource.test(text));
    return known.find(fits)?.reason;
  };
}
