/** Silences: findings that a configuration accepts, each with a reason. */
import { tokensOf } from "../stack/engine-identity";
import { nameOfOne } from "../../provider/urn";
import { globPattern } from "../../schema/text/glob";
import type { Finding } from "../output/finding";

export interface Silence {
  /** A rule's id, in a pack a policy's name; `*` matches any text, as in `interruption/*`. */
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

/** The names that a pattern is compared with. If it names a type, a resource that is called `TcpEdge public` does not match. */
function namesFor({ resource = "*" }: Silence, name: string, type: string): string[] {
  return /^[A-Z]\w* /.test(resource) ? [`${type} ${name}`] : [name, `${type} ${name}`];
}

/** A function that finds the first silence that a finding matches. */
export function silencer(
  silences: readonly Silence[],
): (finding: Pick<Finding, "rule" | "urn" | "type" | "name">) => Silence | undefined {
  const known = silences.map((silence) => ({
    rule: globPattern(silence.rule),
    resource: globPattern(silence.resource ?? "*"),
    silence,
  }));
  return ({ rule, urn, type, name: shown }) => {
    // The name of a finding may be shortened. The default provider has no URN in a preview.
    const name = urn === "" ? shown : nameOfOne(urn, tokensOf(type));
    const fits = (each: (typeof known)[number]): boolean =>
      each.rule.test(rule) &&
      [...namesFor(each.silence, name, type), urn].some((text) => each.resource.test(text));
    return known.find(fits)?.silence;
  };
}
