/** One rule for each meaning that the change of an argument can have. It reports the changes that no other rule compares. */
import { gatesOf } from "../../access/gates";
import { keyOf, named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { oncePer } from "../../../schema/once-per";
import { declarations } from "../../../resources/registry";
import { removedAs, defaultOf, fieldsOf } from "../../../schema/field";
import type { Meaning } from "../../../schema/meaning";
import { mayHoldIds } from "../../../schema/references";
import { isUnknown, valueAt, hasUnknown, isAbsent, isRecord, membersOf } from "../../../schema/unknown";
import type { ResourceChange } from "../../inventory/read-preview";
import { firstOf, later, most10 } from "../../../schema/text/phrase";
import { changesOf, isWithin } from "../differences";
import type { ChangeRule, Context, Find } from "../rule";
import { secretMask } from "../../stack/mask";
import { valueText } from "../value-text";
import { newFlows } from "./events";
import { pairsOf } from "./each";
import type { Pair } from "../../access/served";
import { signInChanges, signInPairs } from "./sign-in";
import { chosen, same } from "../../../schema/equality";
import type { AnyField, Fields } from "../../../schema/field";
import { isAccess } from "../../../schema/meaning";
import type { Json } from "../../../schema/json";
import { partsIn, walk } from "../../../schema/walk";
import type { Part } from "../../../schema/walk";
import { hasSecret } from "../../stack/engine-secrets";

/** A change, as a clause. */
interface ChangeClause extends Pick<MeaningChange, "path" | "meaning"> {
  readonly on: InventoryObject;
  readonly text: string;
}

/** All changes that mean something, at each place. */
const changesIn = oncePer((context: Context): readonly ChangeClause[] => {
  return changedPairs(context).flatMap((pair) => {
    const shown = shownChanges(pair, context);
    const subject = context.resources.get(keyOf(pair.next));
    return [...shown, ...(subject ? hiddenChanges(pair, subject, shown) : [])];
  });
});

function changedPairs(context: Context): Pair[] {
  const all = pairsOf(
    context,
    declarations.map(({ type }) => type),
  );
  const isOther = ({ old, next }: Pair): boolean =>
    keyOf(old) !== keyOf(next) || context.resources.get(keyOf(next))?.action !== "same";
  const others = all.filter((pair) => isOther(pair) && !signsIn(pair.next));
  // A module that is off decides nothing. Other rules report that it is switched off, or stays off.
  return [...others.filter(({ old, next }) => !isOff(old) && !isOff(next)), ...signInPairs(context)];
}

function signsIn(on: InventoryObject): boolean {
  return gatesOf(on).some(({ by }) => by === "signIn");
}

function isOff(on: InventoryObject): boolean {
  return on.declaration.style === "singleton" && gatesOf(on).some(({ isOn }) => isOn === false);
}

function shownChanges({ old, next }: Pair, { before, after }: Context): ChangeClause[] {
  const { fields } = next.declaration;
  return meaningChanges(fields, old.values, next.values).flatMap((change) => {
    const { path, meaning, field } = change;
    const argument = path.split(".")[0]!;
    // The service fills in what neither program gives.
    const isGiven = [old, next].some(({ args }) => valueAt(args, path) !== undefined);
    if (!isGiven || hasLeft(next, argument)) return [];
    if (!mayHoldIds(field)) return [{ on: next, path, meaning, text: changeText(change) }];
    const [from, to] = [referents(before, old, argument), referents(after, next, argument)];
    if (!to.hasUnknown && from.keys === to.keys) return [];
    return [{ on: next, path, meaning, text: `${path} changes from ${from.text} to ${to.text}` }];
  });
}

/** Whether a module left the program, so that check gave it another value: another rule reports that. */
function hasLeft({ declaration: { fields }, args }: InventoryObject, argument: string): boolean {
  const off = removedAs(fields[argument]!);
  return off !== undefined && JSON.stringify(args[argument]) === JSON.stringify(off);
}

function changeText({ path, old, next }: MeaningChange): string {
  const to = isUnknown(next) ? `a value that is ${later}` : valueText(next);
  return `${path} changes from ${old === "" ? "none" : valueText(old)} to ${next === "" ? "none" : to}`;
}

/** The objects that an argument refers to. An object that is replaced counts as the same one. */
function referents(inventory: Inventory, on: InventoryObject, argument: string) {
  if (on.values[argument] === secretMask)
    return { keys: secretMask, hasUnknown: false, text: "a hidden value" };
  const all = inventory.references(on).filter((each) => each.argument === argument);
  const keys = all.map(({ to, id, position, weight, isOff: off }) =>
    JSON.stringify([to ? keyOf(to) : id, position, weight, off]),
  );
  const texts = all.map(({ to, id = `an object that is ${later}`, weight }) => {
    const name = to ? named(to) : id;
    return weight === undefined ? name : `${name} with the weight ${weight}`;
  });
  return {
    keys: keys.sort().join(),
    hasUnknown: all.some(({ to, id }) => !to && id === undefined),
    text: firstOf(texts, most10) || "none",
  };
}

/** The secrets that change or may change: a preview names their arguments and shows no value. */
function hiddenChanges(
  { old, next }: Pair,
  subject: ResourceChange,
  shown: readonly ChangeClause[],
): ChangeClause[] {
  const { fields } = next.declaration;
  const isHidden = subject.changed.length === 0 && changesOf(subject).hidden;
  const names = isHidden ? Object.keys(fields) : subject.changed.filter((name) => name in fields);
  return names.flatMap((name) => {
    const beside = shown.filter(({ path }) => path.split(".")[0] === name);
    const [from, to] = [old, next].map(({ args }) => hiddenMeanings(fields, name, args));
    const removed = from!.filter(({ path }) => !to!.some((each) => each.path === path));
    const verb = beside.length > 0 || isHidden ? "may change" : "changes";
    const all = [
      ...to!.map((each) => ({ ...each, text: `the hidden value of ${each.path} ${verb}` })),
      ...removed.map((each) => ({ ...each, text: `the hidden value of ${each.path} is removed` })),
    ];
    const paths = subject.changedPaths.filter((path) => isWithin(path, name));
    const isNews = ({ path, meaning }: Pick<ChangeClause, "path" | "meaning">): boolean =>
      !beside.some((each) => each.meaning === meaning) &&
      (paths.length === 0 || paths.some((each) => isWithin(each, path) || isWithin(path, each)));
    return all.filter(isNews).map((each) => ({ ...each, on: next }));
  });
}

/** One finding for each object that has a change with this meaning. */
function* found(find: Find, context: Context, meaning: Meaning) {
  const all = changesIn(context).filter((each) => each.meaning === meaning);
  for (const [on, changes] of Map.groupBy(all, (each) => each.on)) {
    const message = changes.map(({ text }) => text).join("; ");
    yield find(on, message, { field: changes[0]!.path });
  }
}

export const meaningRules: readonly ChangeRule[] = [
  {
    id: "access/who-gets-in",
    severity: "error",
    title: "More clients may get in",
    help: "Such as `optionsPassthrough`, the provider of a webhook verification, `endpointSelectors`, or `exclusive` of a rule set.",
    changes: (find, context) => found(find, context, "who gets in"),
  },
  {
    id: "access/who-signs-in",
    severity: "error",
    title: "Other users may sign in, or for a longer time",
    help: "Another identity provider, issuer or app, more users, a later end of a session, or a trusted certificate authority. It is a warning if users are only removed.",
    *changes(find, context) {
      yield* signInChanges(find, context);
      yield* found(find, context, "who signs in");
    },
  },
  {
    id: "access/who-may-act",
    severity: "error",
    title: "Others may act, or for a longer time",
    help: "A key, credential or certificate gets another owner, permits more or lasts longer.",
    changes: (find, context) => found(find, context, "who may act"),
  },
  {
    id: "flow/where-data-goes",
    severity: "warning",
    title: "Data goes elsewhere",
    help: "Another destination, other events, or other data about users (`scopes`). Check who reads the data.",
    *changes(find, context) {
      yield* newFlows(find, context);
      yield* found(find, context, "where data goes");
    },
  },
  {
    id: "flow/where-traffic-goes",
    severity: "warning",
    title: "Traffic goes elsewhere",
    help: "Another backend, other labels, weights or pages, or another address. Check who receives it.",
    *changes(find, context) {
      for (const on of context.after.ofType("CloudEndpoint")) {
        const isNew =
          context.resources.get(keyOf(on))?.action === "create" && on.args.poolingEnabled === true;
        const message =
          "a new endpoint shares the traffic of its address with the endpoints that serve it already";
        if (isNew) yield find(on, message, { field: "poolingEnabled" });
      }
      yield* found(find, context, "where traffic goes");
    },
  },
];

/** An argument that changes, and what that means. */
interface MeaningChange {
  readonly path: string;
  readonly field: AnyField;
  readonly meaning: Meaning;
  /** What it was, or the default. */
  readonly old: unknown;
  /** What it will be, or the default. */
  readonly next: unknown;
}

function argumentsIn(fields: Fields, values: Json, around?: Part): Part[] {
  return partsIn(fields, values, around).filter(({ field }) => field.presence !== "computed");
}

/**
 * The changes between the values, except those that give nobody more. Secrets are left out, because no preview shows them, and
 * so are unknown values that decide access, because other rules report them.
 */
function meaningChanges(fields: Fields, old: Json, next: Json): MeaningChange[] {
  return argumentsIn(fields, next).flatMap((part) => changesAt(part, old[part.key]));
}

function changesAt(part: Part, from: unknown): MeaningChange[] {
  const { field, value: to, path } = part;
  const { meaning = "none", givesNoMore } = part.said;
  const areOpen = [from, to].every((value) => isAbsent(value) || (isRecord(value) && !isUnknown(value)));
  const isOther = "alternatives" in field.shape && chosen(from) !== chosen(to);
  if (field.shape.kind === "object" && areOpen && !isOther) {
    const members = argumentsIn(field.shape.fields, membersOf(to), part);
    return members.flatMap((member) => changesAt(member, membersOf(from)[member.key]));
  }
  const change = { path, field, meaning, old: from ?? defaultOf(field), next: to ?? defaultOf(field) };
  if (meaning === "none" || field.traits.secret || givesNoMore?.(change.old, change.next)) return [];
  const isReported = hasUnknown(to) && isAccess(meaning) && !mayHoldIds(field);
  return isReported || same(field, change.old, change.next) ? [] : [change];
}

/** The values that an argument hides as secrets, with their meanings; without values that decide access and should be shown. */
function hiddenMeanings(
  fields: Fields,
  name: string,
  values: Json,
): Pick<MeaningChange, "path" | "meaning">[] {
  const found: Pick<MeaningChange, "path" | "meaning">[] = [];
  const named = argumentsIn(fields, values).filter(({ key }) => key === name);
  walk(named, (part) => {
    const { field, value, path } = part;
    if (field.presence === "computed" || !hasSecret(value)) return false;
    if (value !== secretMask && field.shape.kind === "object") return true;
    const hidden = leavesOf(part).flatMap((leaf) => {
      const { meaning = "none" } = leaf.said;
      return meaning === "none" || (isAccess(meaning) && !leaf.field.traits.secret) ? [] : [meaning];
    });
    for (const meaning of new Set(hidden)) found.push({ path, meaning });
    return false;
  });
  return found;
}

function leavesOf(part: Part): Part[] {
  const members = argumentsIn(fieldsOf(part.field), {}, part);
  return members.length === 0 ? [part] : members.flatMap(leavesOf);
}
