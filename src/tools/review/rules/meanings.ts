/** One rule for each meaning that the change of an argument can have. It reports the changes that no other rule compares. */
import { gatesOf } from "../../access/gates";
import { keyOf, named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { oncePer } from "../../../schema/once-per";
import { declarations } from "../../../resources/registry";
import { removedAs } from "../../../schema/field";
import type { Meaning } from "../../../schema/meaning";
import { mayHoldIds } from "../../../schema/references";
import { isUnknown, valueAt } from "../../../schema/unknown";
import type { ResourceChange } from "../../inventory/world";
import { firstOf, later, most10 } from "../../../schema/text/phrase";
import { changesOf, isWithin } from "../differences";
import { hiddenMeanings, meaningChanges } from "../meaning-changes";
import type { MeaningChange } from "../meaning-changes";
import type { ChangeRule, Context, Found } from "../rule";
import { secretMask } from "../../stack/mask";
import { valueText } from "../value-text";
import { newFlows } from "./events";
import { pairsOf } from "./each";
import type { Pair } from "./each";
import { signInChanges, signInPairs } from "./sign-in";

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
  return meaningChanges(fields, old.outputs, next.outputs).flatMap((change) => {
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
function referents(
  inventory: Inventory,
  on: InventoryObject,
  argument: string,
): { readonly keys: string; readonly hasUnknown: boolean; readonly text: string } {
  if (on.outputs[argument] === secretMask)
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
function* found(context: Context, meaning: Meaning): Generator<Found> {
  const all = changesIn(context).filter((each) => each.meaning === meaning);
  for (const [on, changes] of Map.groupBy(all, (each) => each.on)) {
    const message = changes.map(({ text }) => text).join("; ");
    yield { on, field: changes[0]!.path, message };
  }
}

export const meaningRules: readonly ChangeRule[] = [
  {
    id: "access/who-gets-in",
    severity: "error",
    title: "More clients may get in",
    help: "Such as `optionsPassthrough`, the provider of a webhook verification, `endpointSelectors`, or `exclusive` of a rule set.",
    changes: (context) => found(context, "who gets in"),
  },
  {
    id: "access/who-signs-in",
    severity: "error",
    title: "Other users may sign in, or for a longer time",
    help: "Another identity provider, issuer or app, more users, a later end of a session, or a trusted certificate authority. It is a warning if users are only removed.",
    *changes(context) {
      yield* signInChanges(context);
      yield* found(context, "who signs in");
    },
  },
  {
    id: "access/who-may-act",
    severity: "error",
    title: "Others may act, or for a longer time",
    help: "A key, credential or certificate gets another owner, permits more or lasts longer.",
    changes: (context) => found(context, "who may act"),
  },
  {
    id: "flow/where-data-goes",
    severity: "warning",
    title: "Data goes elsewhere",
    help: "Another destination, other events, or other data about users (`scopes`). Check who reads the data.",
    *changes(context) {
      yield* newFlows(context);
      yield* found(context, "where data goes");
    },
  },
  {
    id: "flow/where-traffic-goes",
    severity: "warning",
    title: "Traffic goes elsewhere",
    help: "Another backend, other labels, weights or pages, or another address. Check who receives it.",
    *changes(context) {
      for (const on of context.after.ofType("CloudEndpoint")) {
        const isNew =
          context.resources.get(keyOf(on))?.action === "create" && on.args.poolingEnabled === true;
        const message =
          "a new endpoint shares the traffic of its address with the endpoints that serve it already";
        if (isNew) yield { on, field: "poolingEnabled", message };
      }
      yield* found(context, "where traffic goes");
    },
  },
];
