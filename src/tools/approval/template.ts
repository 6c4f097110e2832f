/** Bodies and paths of writes: their form in an approval, and the comparison of a request with that form. */
import { unknownClock } from "../../provider/life-cycle/lost-creates";
import { toInstant } from "../../schema/formats/time";
import type { Json } from "../../schema/json";
import { hour } from "../../schema/text/phrase";
import { isAbsent, isRecord, keysOfBoth, mapValues, membersOf } from "../../schema/unknown";
import { isForAll, isOfUnknown, isOpaque } from "../rehearsal/opaque";
import { withoutRandomPart } from "../../schema/metadata";
import type { ApprovedRule, ApprovedWrite, Hole } from "./approval";
import { canonical } from "../../schema/formats/cidr";

/** The positions of the writes that create objects, by the ids of these objects. */
export type Made = ReadonlyMap<string, number>;

const words = /\w+/g;

/** Rules with unknown ids, by their placeholders in the rehearsal. */
export type RulesByPlaceholder = ReadonlyMap<string, ApprovedRule>;

/**
 * The path with `{n}` in place of the id of each object that the deployment creates, and `{rule}` in place of a placeholder. No
 * other path has a brace, because it would be encoded.
 */
export function pathTemplate(
  path: string,
  made: Made,
  rules: RulesByPlaceholder,
): Pick<ApprovedWrite, "path" | "rule"> {
  let rule: ApprovedRule | undefined;
  const template = path.replace(words, (word) => {
    if (made.has(word)) return `{${made.get(word)}}`;
    const own = rules.get(word);
    if (own === undefined) return word;
    rule = own;
    return "{rule}";
  });
  return { path: template, ...(rule && { rule }) };
}

/** The end of a validity, which each creation computes from the time. */
export interface ComputedEnd {
  /** The place in the body, as a JSON pointer. */
  readonly at: string;
  /** How long the object is valid. */
  readonly hours: number;
}

/** The body with null in place of its holes. */
export function bodyTemplate(
  body: unknown,
  made: Made,
  end?: ComputedEnd,
): Pick<ApprovedWrite, "body" | "holes"> {
  if (body === undefined) return {};
  const holes: Hole[] = [];
  const fill = (value: unknown, at: string): unknown => {
    if (typeof value === "string") {
      const hole = at === end?.at ? { ...end, end: value } : holeIn(value, at, made);
      if (hole === undefined) return withoutRandomPart(value);
      holes.push(hole);
      return null;
    }
    const opaque = opaqueIn(value);
    if (opaque !== undefined) {
      holes.push({ at, any: kindOf(opaque), shape: Array.isArray(value) ? "list" : "map" });
      return null;
    }
    if (Array.isArray(value)) return value.map((item, i) => fill(item, `${at}/${i}`));
    return isRecord(value)
      ? mapValues(value, (member, name) => fill(member, `${at}/${escaped(name)}`))
      : value;
  };
  const template = fill(body, "");
  return { body: template, ...(holes.length > 0 && { holes }) };
}

/** The parts of the sent body that an approval leaves out. */
export type Lacking = "secret" | "end" | "other";

/** The body of a write, with the ids of created objects. */
export function filledBody(
  { body, holes = [] }: Pick<ApprovedWrite, "body" | "holes">,
  idOf: (position: number) => string | undefined,
): { readonly body: Json; readonly lacks: ReadonlySet<Lacking> } {
  const holeAt = new Map(holes.map((hole) => [hole.at, hole]));
  const lacks = new Set<Lacking>();
  const fill = (value: unknown, at: string): unknown => {
    const hole = holeAt.get(at);
    if (hole === undefined) {
      if (Array.isArray(value)) return value.map((item, i) => fill(item, `${at}/${i}`));
      if (!isRecord(value)) return value;
      return mapValues(value, (member, name) => fill(member, `${at}/${escaped(name)}`));
    }
    const parts =
      "text" in hole ? hole.text.map((part) => (typeof part === "string" ? part : idOf(part))) : [undefined];
    if (!parts.includes(undefined)) return parts.join("");
    lacks.add("end" in hole ? "end" : isSecret(hole) ? "secret" : "other");
    return undefined;
  };
  return { body: membersOf(fill(body, "")), lacks };
}

function holeIn(value: string, at: string, made: Made): Hole | undefined {
  if (isOpaque(value)) return { at, any: kindOf(value) };
  const parts: (string | number)[] = [];
  let end = 0;
  for (const { 0: word, index } of value.matchAll(words)) {
    const position = made.get(word);
    if (position === undefined) continue;
    parts.push(value.slice(end, index), position);
    end = index + word.length;
  }
  if (parts.length === 0) return undefined;
  parts.push(value.slice(end));
  return { at, text: parts.filter((part) => part !== "") };
}

/** The text that stands for all of a list or map. */
function opaqueIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.find(isForAll);
  return isRecord(value) ? Object.keys(value).find(isOpaque) : undefined;
}

function kindOf(opaque: string): "secret" | "unknown" {
  return isOfUnknown(opaque) ? "unknown" : "secret";
}

/** A segment of a JSON pointer. */
export function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Checks whether an id is that of the object that an approved write creates. */
export type IsMade = (position: number, id: string) => boolean;

/** Checks whether an id is that of a rule. */
export type IsRule = (rule: ApprovedRule, id: string) => boolean;

export function pathAgrees(
  { path: template, rule }: Pick<ApprovedWrite, "path" | "rule">,
  path: string,
  isMade: IsMade,
  isRule: IsRule,
): boolean {
  const [wanted, given] = [template.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => {
      if (part === "{rule}") return rule !== undefined && isRule(rule, given[i]!);
      const position = /^\{(\d+)\}$/.exec(part)?.[1];
      return position === undefined ? part === given[i] : isMade(Number(position), given[i]!);
    })
  );
}

/** The place, as a JSON pointer, where a body differs from the approved one; undefined if it is equal. */
export function differenceIn(
  { method, body, holes = [] }: Pick<ApprovedWrite, "method" | "body" | "holes">,
  sent: unknown,
  isMade: IsMade,
): string | undefined {
  const holeAt = new Map(holes.map((hole) => [hole.at, hole]));
  const fills = (hole: Hole, given: unknown): boolean => {
    if ("any" in hole) return mayBe(hole, given);
    if ("end" in hole) return isEndOf(hole, given);
    return typeof given === "string" && textAgrees(hole.text, given, isMade);
  };
  /**
   * The texts of a list with several new ids. Their order is ignored: the field keeps no order, or the review could not know
   * which id is which.
   */
  const isUnordered = (items: readonly unknown[], at: string): boolean =>
    items.filter((_, i) => isNewId(holeAt.get(`${at}/${i}`))).length > 1;
  const compare = (wanted: unknown, given: unknown, at: string): string | undefined => {
    const hole = holeAt.get(at);
    if (hole !== undefined) return fills(hole, given) ? undefined : at;
    if (Array.isArray(wanted)) {
      if (!Array.isArray(given) || given.length !== wanted.length) return at;
      if (isUnordered(wanted, at)) return rest(wanted, given, at);
      return firstOf(wanted, (item, i) => compare(item, given[i], `${at}/${i}`));
    }
    if (isRecord(wanted)) {
      if (!isRecord(given)) return at;
      return firstOf(keysOfBoth(wanted, given), (name) => {
        const inside = `${at}/${escaped(name)}`;
        // A secret that is left out of a change stays unchanged. A preview does not say whether it changes together with other
        // fields.
        if (method === "PATCH" && isSecret(holeAt.get(inside)) && given[name] === undefined) return undefined;
        const isIn = Object.hasOwn(wanted, name) && Object.hasOwn(given, name);
        return isIn ? compare(wanted[name], given[name], inside) : inside;
      });
    }
    return wanted === (typeof given === "string" ? withoutRandomPart(given) : given) ? undefined : at;
  };
  const rest = (wanted: readonly unknown[], given: readonly unknown[], at: string): string | undefined => {
    const left = [...given];
    return firstOf(wanted, (item, i) => {
      const found = left.findIndex((each) => compare(item, each, `${at}/${i}`) === undefined);
      if (found < 0) return at;
      left.splice(found, 1);
      return undefined;
    });
  };
  return compare(body, sent, "");
}

/** Whether the object that a request creates now may end at a time. The clock of the review may be ahead, and the request may have waited. */
function isEndOf({ end, hours }: { readonly end: string; readonly hours: number }, given: unknown): boolean {
  const [first, last] = [toInstant(end)! - unknownClock, Date.now() + hours * hour + unknownClock];
  const time = toInstant(given);
  return time !== undefined && first <= time && time <= last;
}

/** Whether a value may take the place of one that the review did not know. An absent one would remove what is there. */
function mayBe({ any, shape }: Extract<Hole, { any: unknown }>, given: unknown): boolean {
  if (shape !== undefined) return shape === "list" ? Array.isArray(given) : isRecord(given);
  return any === "unknown" ? !isAbsent(given) : given !== "" && isPlain(given);
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function isSecret(hole: Hole | undefined): boolean {
  return hole !== undefined && "any" in hole && hole.any === "secret";
}

function isNewId(hole: Hole | undefined): boolean {
  return hole !== undefined && "text" in hole && hole.text.length === 1;
}

/** Whether a text consists of the parts. The ids among them are words. */
function textAgrees(parts: readonly (string | number)[], text: string, isMade: IsMade): boolean {
  let at = 0;
  for (const part of parts) {
    if (typeof part === "string") {
      if (!text.startsWith(part, at)) return false;
      at += part.length;
      continue;
    }
    const word = /^\w+/.exec(text.slice(at))?.[0];
    if (word === undefined || !isMade(part, word)) return false;
    at += word.length;
  }
  return at === text.length;
}

function firstOf<T, R>(items: readonly T[], find: (item: T, i: number) => R | undefined): R | undefined {
  for (const [i, item] of items.entries()) {
    const found = find(item, i);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The place of a rule in the service's answer. */
export function ruleIn(answer: unknown): ApprovedRule {
  const { ip_policy, cidr } = membersOf(answer);
  return { ipPolicyId: String(membersOf(ip_policy).id), cidr: canonical(String(cidr)) };
}

/** The key of a place: a policy has at most one rule for a range. */
export function rulePlace({ ipPolicyId, cidr }: ApprovedRule): string {
  return `${ipPolicyId} ${cidr}`;
}
