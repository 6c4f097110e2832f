/** The facts of an object that the map shows, one on each line. They contain no secret. */
import { idArguments } from "../../schema/references";
import { isRecord, isUnknown } from "../../schema/unknown";
import { compareTexts } from "../../schema/text/compare-texts";
import { counted, most3, firstOf, later } from "../../schema/text/phrase";
import { families } from "../../schema/addresses/block";
import { addressCount, rangeList } from "../access/range-text";
import type { PolicyRanges } from "../access/policies";
import type { Semantics } from "../access/semantics";
import type { InventoryObject } from "../inventory/inventory";

/** The first members of a list, and the number of the others. */
export function listFact(value: unknown): string {
  const items = Array.isArray(value) ? value.filter((item) => item !== undefined && item !== null) : [];
  const texts = items.map((item) => (isUnknown(item) ? later : String(item)));
  return firstOf(texts, most3);
}

/**
 * The columns of a table of the objects, without those that the map shows in another way: the description, which may be the
 * object's name, and the ids of other objects.
 */
export function columnFacts({ declaration, values }: InventoryObject): string[] {
  const ids = idArguments(declaration.fields).map(({ name }) => name);
  return declaration.columns.flatMap((name) => {
    if (declaration.fields[name] === undefined || name === "description" || ids.includes(name)) return [];
    return fact(name, values[name]);
  });
}

/** The first argument that describes a module: the detail of its gate, or the alternative that is set. */
export function moduleFacts({ declaration, values }: InventoryObject): string[] {
  const facts = Object.entries(declaration.fields).flatMap(([name, { shape, presence, traits }]) => {
    if (traits.inPath || traits.secret || presence === "computed") return [];
    const isDetail = declaration.gates?.some(({ detail }) => detail === name) ?? false;
    if (shape.kind === "string" && isDetail) return fact(name, values[name]);
    const value = values[name];
    if (shape.kind !== "object" || !shape.alternatives || !isRecord(value)) return [];
    return Object.keys(value)
      .filter((member) => value[member] !== undefined && value[member] !== null)
      .map(wordsOf);
  });
  return facts.slice(0, 1);
}

/** The number of ranges and addresses that a policy allows and denies, and what it does with all other addresses. */
export function policyFacts(
  { entries, allowed, denied, possible, policy }: PolicyRanges,
  { unmatched, empty }: Semantics,
): string[] {
  const sides = [
    { verb: "allows", set: allowed, ranges: entries.filter(({ action }) => action === "allow") },
    { verb: "denies", set: denied, ranges: entries.filter(({ action }) => action === "deny") },
  ].filter(({ ranges }) => ranges.length > 0);
  const facts = sides.map(({ verb, set, ranges }) => {
    const what = ranges.length === 1 ? ranges[0]!.cidr : counted(ranges.length, "range");
    return `${verb} ${what} (${addressCount(rangeList(set))})`;
  });
  if (possible.length > 0) return [...facts, `other ranges: ${later}`];
  if (facts.length === 0) return policy ? [`no rules${empty === "unknown" ? "" : `: ${empty}`}`] : [];
  const ruled = allowed.union(denied);
  if (families.every((family) => ruled.coversFamily(family))) return facts;
  return [...facts, `all others: ${unmatched === "unknown" ? "not specified" : unmatched}`];
}

/** "3 agents: linux 2, windows 1". */
export function agentFacts(sessions: readonly InventoryObject[]): string[] {
  const bySystem = Map.groupBy(sessions, ({ values: { os } }) =>
    typeof os === "string" && os !== "" ? os : "unknown system",
  );
  const systems = [...bySystem].sort(([a], [b]) => compareTexts(a, b));
  const counts = systems.map(([os, { length }]) => `${os} ${length}`);
  return [`${counted(sessions.length, "agent")}: ${listFact(counts)}`];
}

function fact(name: string, value: unknown): string[] {
  if (isUnknown(value)) return [`${wordsOf(name)}: ${later}`];
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value))
    return value.length === 0 ? [] : [listFact((value as unknown[]).map(String).sort(compareTexts))];
  if (isRecord(value)) {
    const pairs = Object.entries(value).map(
      ([key, member]) => `${key}=${isUnknown(member) ? "…" : String(member)}`,
    );
    return pairs.length === 0 ? [] : [listFact(pairs.sort(compareTexts))];
  }
  return value === undefined || value === null ? [] : [`${wordsOf(name)} ${JSON.stringify(value)}`];
}

/** `statusCode` as "status code", `code_host` as "code host". */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/_/g, " ");
}
