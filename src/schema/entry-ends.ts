/** Entries of maps that expire at a time that the program sets. The time is never sent. */
import type { Fields } from "./field";
import { toInstant } from "./formats/time";
import type { Json } from "./json";
import { withMaps } from "./listed";
import { oncePer } from "./once-per";
import { memberFields } from "./walk";
import { isRecord, membersOf, mapValues } from "./unknown";
import { membersWhere } from "./values";

/** The arguments without the entries that have expired at the time `now`, in milliseconds since 1970. */
export function withoutEndedEntries<Values extends Json>(fields: Fields, args: Values, now: number): Values {
  return changeEntries(fields, args, (entries, end) =>
    membersWhere(entries, (_, entry) => !(endIn(entry, end)! <= now)),
  );
}

/** The arguments of a rule set as the engine stores them: a map of the entries that have not expired. */
export function withStandingEntries<Values extends Json>(fields: Fields, args: Values, now: number): Values {
  return withoutEndedEntries(fields, withMaps(fields, args), now);
}

/** The arguments without the times at which entries expire: the object is compared with and created from them. */
export function withoutEndTimes<Values extends Json>(fields: Fields, args: Values): Values {
  return changeEntries(fields, args, (entries, end) =>
    mapValues(entries, (entry) => {
      if (!isRecord(entry) || !(end in entry)) return entry;
      const { [end]: _, ...rest } = entry;
      return rest;
    }),
  );
}

export interface End {
  /** The entry's key, as the program spells it. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The entries that expire, in all maps among the arguments. */
export function endsIn(fields: Fields, args: Json): End[] {
  const found: End[] = [];
  changeEntries(fields, args, (entries, end) => {
    for (const [key, entry] of Object.entries(entries)) {
      const at = endIn(entry, end);
      if (at !== undefined) found.push({ key, at });
    }
    return entries;
  });
  return found;
}

function endIn(entry: unknown, end: string): number | undefined {
  return toInstant(membersOf(entry)[end]);
}

/** The maps whose entries may expire, and the member with the time. */
const endingMaps = oncePer((fields: Fields): readonly { readonly name: string; readonly end: string }[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    if (field.shape.kind !== "map") return [];
    const end = Object.entries(memberFields(field)).find(([, { traits }]) => traits.local)?.[0];
    return end === undefined ? [] : [{ name, end }];
  }),
);

function changeEntries<Values extends Json>(
  fields: Fields,
  args: Values,
  change: (entries: Json, end: string) => Json,
): Values {
  let changed = args;
  for (const { name, end } of endingMaps(fields)) {
    const entries = args[name];
    // Most sets have no entry that expires and are not copied: they may have tens of thousands of entries.
    if (!isRecord(entries)) continue;
    const hasEnd = Object.values(entries).some((entry) => isRecord(entry) && end in entry);
    if (hasEnd) changed = { ...changed, [name]: change(entries, end) };
  }
  return changed;
}
