/** Temporary rules, which allow while other rules change their action: a policy never holds only rules that deny. */
import { halves } from "../../schema/formats/cidr";
import type { SetRule } from "./rule-plan";
import { addressSetOf, denies, touches } from "./rule-plan";

/** A part of one of the ranges that is not the range of a rule; undefined if there is none. */
export function freePart(ranges: readonly string[], isUsed: (range: string) => boolean): string | undefined {
  // Each level has more parts than the one before, so a level with more parts than rules has a free one.
  for (let parts = ranges.flatMap(halves); parts.length > 0; parts = parts.flatMap(halves)) {
    const free = parts.find((part) => !isUsed(part));
    if (free !== undefined) return free;
  }
  return undefined;
}

/** The reason why a rule that allows cannot become one that denies. */
export function noTemporaryRule(range: string): string {
  return (
    `no rule that allows can stand in for ${range} while it changes to deny: each part of the ranges that change has a ` +
    "rule. Add an entry that allows another range, run pulumi up, and take it out again"
  );
}

/** The first rule of a change that needs a temporary rule and gets none; undefined if the change can be made. */
export function withoutTemporaryRule(
  before: ReadonlyMap<string, SetRule>,
  after: ReadonlyMap<string, SetRule>,
): string | undefined {
  const next = [...after.values()];
  const denying = next.filter((rule) => denies(rule) && before.get(rule.cidr)?.action === "allow");
  if (denying.length === 0) return undefined;
  const denied = addressSetOf(denying);
  const toCome = next.filter(
    (rule) => !denies(rule) && before.get(rule.cidr)?.action === "deny" && touches(rule, denied),
  );
  const going = new Set(denying.map(({ cidr }) => cidr));
  const late = new Set(toCome.map(({ cidr }) => cidr));
  const staysAllowed =
    [...before.values()].some((rule) => !denies(rule) && !going.has(rule.cidr)) ||
    next.some((rule) => !denies(rule) && !late.has(rule.cidr));
  if (toCome.length === 0 || staysAllowed) return undefined;
  const part = freePart([...going, ...late], (range) => before.has(range) || after.has(range));
  return part === undefined ? denying[0]!.cidr : undefined;
}
