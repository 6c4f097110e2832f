/** What two programs of a world both declare, and what of it an account lacks. */
import type { JsonObject, Snapshot } from "../../src/emulator";
import { declarationOf } from "../../src/resources/registry";
import * as cidr from "../../src/schema/formats/cidr";
import type { Json } from "../provider/life-cycle/properties/arbitraries";
import type { WorldResource } from "../rounds/world";
import { modulesIn } from "./agreement";
import { accessList } from "./plan";

/** What both programs declare. */
export interface Kept {
  /** How many objects of each class. */
  readonly counts: ReadonlyMap<string, number>;
  /** The ranges with their actions. */
  readonly rules: ReadonlySet<string>;
}

export function keptBy(old: readonly WorldResource[], next: readonly WorldResource[]): Kept {
  const counts = new Map<string, number>();
  const rules = new Set<string>();
  for (const { name, type, args } of next) {
    const before = old.find((each) => each.name === name && each.type === type);
    if (before === undefined) continue;
    const known = rulesIn(type, before.args);
    for (const rule of rulesIn(type, args)) if (known.includes(rule)) rules.add(rule);
    // Of what no two may share, the old one is deleted first.
    const isTwin = type !== accessList && declarationOf(type).unique !== undefined;
    const kept = type === accessList ? "IpPolicy" : type;
    if (!isTwin && declarationOf(kept).style !== "ruleSet") counts.set(kept, (counts.get(kept) ?? 0) + 1);
  }
  return { counts, rules };
}

/** @param outside the account without the programs. */
export function missingIn(account: Snapshot, outside: Snapshot, { counts, rules }: Kept): string[] {
  const few = [...counts].filter(
    ([type, count]) => objectsIn(account, type) - objectsIn(outside, type) < count,
  );
  const held = new Set(
    (account.ip_policy_rules ?? []).map((rule) => wordsOf(String(rule.cidr), rule.action)),
  );
  return [...few.map(([type]) => `a ${type}`), ...[...rules].filter((rule) => !held.has(rule))];
}

function objectsIn(account: Snapshot, type: string): number {
  const declaration = declarationOf(type);
  const { style, path, rotates } = declaration;
  if (style === "singleton") return modulesIn(account, path).length;
  if (style === "member")
    return (account.event_subscriptions ?? []).flatMap(({ sources }) => (sources ?? []) as JsonObject[])
      .length;
  return account[(rotates ?? declaration).path.slice(1)]?.length ?? 0;
}

/** The rules that a set or a list declares, as words. A summary decides itself which ranges they have. */
function rulesIn(type: string, { rules, allow, deny, summarize }: Json): string[] {
  if (summarize === true) return [];
  if (type === "IpPolicyRuleSet")
    return Object.entries(rules as Json).map(([range, rule]) =>
      wordsOf(range, typeof rule === "string" ? rule : (rule as Json).action),
    );
  if (type !== accessList) return [];
  const each = (entries: unknown, action: string): string[] =>
    ((entries ?? []) as (string | Json)[]).map((entry) =>
      wordsOf(typeof entry === "string" ? entry : String(entry.cidr), action),
    );
  return [...each(allow, "allow"), ...each(deny, "deny")];
}

const wordsOf = (range: string, action: unknown): string => `${cidr.canonical(range)} ${String(action)}`;
