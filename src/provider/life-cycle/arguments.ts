/** The arguments of a program on their way to the state and to the service. */
import type { Declaration } from "../../schema/declaration";
import { withoutEndTimes } from "../../schema/entry-ends";
import { defaultOf, removedAs } from "../../schema/field";
import type { Fields } from "../../schema/field";
import { changedLocal, haveLocal, localPart } from "../../schema/local";
import type { Json } from "../../schema/json";
import { givesTheSame, inKnownSpelling } from "../../schema/equality";
import { stampIn } from "../../schema/metadata";
import { oncePer, oncePerPair } from "../../schema/once-per";
import { argumentsIn } from "../../schema/recorded-state";
import { mapValues } from "../../schema/unknown";
import { membersWhere } from "../../schema/values";
import type { Arguments, Inputs } from "../../schema/values";
import type { Settings } from "../settings/settings";

/** The arguments that the object is compared with. They do not contain when entries end. */
export const comparedArguments = oncePerPair(({ fields }: Declaration, inputs: Inputs): Arguments =>
  withoutEndTimes(fields, argumentsIn(inputs)),
);

/** The parts of the arguments that are never sent; undefined if the declaration has none. */
export const localIn = oncePerPair(({ fields }: Declaration, inputs: Inputs): Json | undefined =>
  haveLocal(fields) ? localPart(fields, argumentsIn(inputs)) : undefined,
);

/** The arguments, with the replacement values of those that cannot be removed through the API. */
export function withRemoved({ fields }: Declaration, before: Arguments, args: Arguments): Arguments {
  const added = Object.entries(fields)
    .filter(([name]) => before[name] !== undefined && args[name] === undefined)
    .map(([name, field]): [string, unknown] => [name, removedAs(field)])
    .filter(([, value]) => value !== undefined);
  return { ...args, ...Object.fromEntries(added) };
}

/** The arguments of an object that exists, in the spelling of those before, and without a stamp that would replace it. */
export function inFormsOf(
  declaration: Declaration,
  before: Arguments,
  args: Arguments,
  settings: Settings,
): Arguments {
  return inSpellingOf(declaration, before, withoutLateStamp(declaration, before, args, settings));
}

/**
 * The arguments whose local parts change, for the diff: states of earlier versions record no local parts, and only the check
 * sees the arguments of the last deployment.
 */
export function changedLocalSince({ fields }: Declaration, before: Arguments, args: Arguments): string[] {
  return haveLocal(fields) ? changedLocal(fields, localPart(fields, before), localPart(fields, args)) : [];
}

/** The defaults that a creation sends for what the program leaves out. They are not arguments of the program. */
export const sentDefaults = oncePer(({ fields }: Declaration): Json => {
  const sent = Object.entries(fields).filter(
    ([, { traits }]) => traits.essential && traits.serverDefault?.known,
  );
  return Object.fromEntries(sent.map(([name, field]) => [name, defaultOf(field)]));
});

/** An argument that means what it meant before keeps its spelling, so that no preview shows it. */
function inSpellingOf({ fields }: Declaration, before: Arguments, args: Arguments): Arguments {
  const spelled = mapValues(args, (value, name) => {
    const field = fields[name];
    return field && givesTheSame(field, before[name], value)
      ? inKnownSpelling(field, before[name], value)
      : value;
  });
  return { ...args, ...spelled };
}

/**
 * The arguments of an existing object. The metadata stays as it was if only a stamp would change and that would replace the
 * object: a setting is not a reason to replace an object.
 */
function withoutLateStamp(
  { fields }: Declaration,
  before: Arguments,
  args: Arguments,
  settings: Settings,
): Arguments {
  const change = { old: before.metadata, next: args.metadata };
  if (!fields.metadata?.traits.replace?.(change, settings)) return args;
  if (![change.old, change.next].every((text) => text === undefined || stampIn(text))) return args;
  return { ...args, metadata: change.old };
}

/** The arguments without those that are empty and so mean the default, as if they were left out. */
export function withoutEmptyDefaults<Values extends Json>(fields: Fields, args: Values): Values {
  return membersWhere(args, (name, value) => value !== "" || !fields[name]?.traits.emptyIsDefault);
}
