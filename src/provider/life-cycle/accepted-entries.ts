/**
 * Entries of sets that the service keeps in another form than they were sent. The state records what was sent, by the
 * key of the entry. As long as the service keeps its form and the program keeps its own, that isn't a change.
 */
import type { Declaration } from "../../schema/declaration";
import { entryField, entryKeyOf } from "../../schema/entry-set";
import { same } from "../../schema/equality";
import { fieldsOf } from "../../schema/field";
import type { Json } from "../../schema/json";
import { expand } from "../../schema/walk";
import { membersOf } from "../../schema/unknown";
import { keptNote } from "./deviation";

/** How many entries a preview names. */
const listed = 20;

/** The entries as they were sent, with the keys of the outputs; none for what is no set. */
export function acceptedEntries({ entries }: Declaration, state: Json): Json {
  return entries === undefined ? {} : membersOf(state.__acceptedEntries);
}

/** The state, with what was sent in the place of the accepted entries that the program has as they were sent. */
export function withEntriesAsSent(declaration: Declaration, state: Json, args: Json): Json {
  const unchanged = entriesAsSent(declaration, state, args);
  return unchanged.length === 0 ? state : withEntries(declaration, state, unchanged);
}

/** The arguments, with what was sent in the place of the entries that the outputs show as the service keeps them. */
export function withAcceptedEntries(declaration: Declaration, args: Json, outputs: Json): Json {
  const sent = Object.entries(acceptedEntries(declaration, outputs));
  return sent.length === 0 ? args : withEntries(declaration, args, sent);
}

/** What was accepted before and still is: the service has the same values as in the state. */
export function stillAcceptedEntries(declaration: Declaration, state: Json, outputs: Json): Json | undefined {
  const [before, now] = [state, outputs].map((values) => entriesIn(declaration, values));
  const isKept = ([key]: [string, unknown]): boolean =>
    JSON.stringify(before![key]) === JSON.stringify(now![key]);
  return record(Object.entries(acceptedEntries(declaration, state)).filter(isKept));
}

/**
 * The entries of the arguments that the outputs after a write show in another form.
 * @param accepted where the write failed in part: the canonical keys of those that the service took.
 */
export function newlyAcceptedEntries(
  declaration: Declaration,
  outputs: Json,
  args: Json,
  accepted?: ReadonlySet<string>,
): Json | undefined {
  const { entries: set } = declaration;
  if (set === undefined || accepted?.size === 0) return undefined;
  const field = entryField(declaration, set);
  const kept = entriesIn(declaration, outputs);
  return record(
    Object.entries(entriesIn(declaration, args)).filter(
      ([key, sent]) =>
        kept[key] !== undefined &&
        !same(field, kept[key], sent) &&
        (accepted?.has(entryKeyOf(declaration, set, key)) ?? true),
    ),
  );
}

/** What a state records of the accepted entries without a request: the service's values, and what was sent. */
export function acceptedEntryValues(declaration: Declaration, state: Json, args: Json): Json {
  const sent = record(entriesAsSent(declaration, state, args));
  if (sent === undefined) return {};
  const before = entriesIn(declaration, state);
  const kept = Object.keys(sent).map((key): [string, unknown] => [key, before[key]]);
  const { [declaration.entries!.entries]: entries } = withEntries(declaration, args, kept);
  return { [declaration.entries!.entries]: entries, __acceptedEntries: sent };
}

/** What a preview says about accepted entries. */
export function acceptedEntryNotes(declaration: Declaration, state: Json, args: Json): string[] {
  const { entries: set } = declaration;
  if (set === undefined) return [];
  const kept = entriesIn(declaration, state);
  const field = entryField(declaration, set);
  const entries = entriesAsSent(declaration, state, args);
  const notes = entries.slice(0, listed).flatMap(([key, value]) => {
    const [sent, held] = [value, kept[key]].map((each) => membersOf(expand(field, each)));
    return Object.entries(fieldsOf(field))
      .filter(([name, member]) => !member.traits.local && !same(member, sent![name], held![name]))
      .map(([name]) => keptNote(`${set.entries}[${JSON.stringify(key)}].${name}`, held![name], sent![name]));
  });
  const more = entries.length - listed;
  return more > 0
    ? [...notes, `the service keeps another form of ${more} more entries of ${set.entries}`]
    : notes;
}

/** The accepted entries that the program has as they were sent, as they were sent. */
function entriesAsSent(declaration: Declaration, state: Json, args: Json): [string, unknown][] {
  const sent = Object.entries(acceptedEntries(declaration, state));
  if (sent.length === 0) return [];
  const field = entryField(declaration, declaration.entries!);
  const wanted = entriesIn(declaration, args);
  return sent.filter(([key, value]) => same(field, value, wanted[key]));
}

function entriesIn({ entries }: Declaration, values: Json): Record<string, unknown> {
  return entries === undefined ? {} : membersOf(values[entries.entries]);
}

/** The values with other values of entries that they hold. */
function withEntries(declaration: Declaration, values: Json, changed: readonly [string, unknown][]): Json {
  const entries = entriesIn(declaration, values);
  const held = changed.filter(([key]) => Object.hasOwn(entries, key));
  return { ...values, [declaration.entries!.entries]: { ...entries, ...Object.fromEntries(held) } };
}

function record(entries: readonly [string, unknown][]): Json | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
