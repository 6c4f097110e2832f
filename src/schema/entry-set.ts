/** How the entries of a set stand for objects of another collection. */
import type { Declaration, EntrySet } from "./declaration";
import { canonicalOf, defaultOf, fieldsOf } from "./field";
import type { AnyField, ShapeOf } from "./field";
import { expand } from "./walk";
import { membersOf } from "./unknown";

/** The declared map of the set's entries. */
function mapOf(declaration: Declaration, { entries }: EntrySet): ShapeOf<"map"> {
  const { shape } = declaration.fields[entries]!;
  if (shape.kind !== "map") throw new Error(`${declaration.type}: ${entries} is not declared as a map`);
  return shape;
}

/** The declared value of an entry. */
export function entryField(declaration: Declaration, set: EntrySet): AnyField {
  return mapOf(declaration, set).value;
}

/** The canonical spelling of an entry's key. */
export function entryKeyOf(declaration: Declaration, set: EntrySet, spelling: string): string {
  return canonicalOf(mapOf(declaration, set).key, spelling);
}

/** The arguments of the object that an entry stands for. What the entry leaves out has its default. */
export function entryArguments(
  declaration: Declaration,
  set: EntrySet,
  args: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const field = entryField(declaration, set);
  const given = membersOf(expand(field, value));
  const values: Record<string, unknown> = { [set.key]: key, [set.of.parentId!]: args[set.of.parentId!] };
  for (const [name, member] of Object.entries(fieldsOf(field)))
    if (!member.traits.local) values[name] = given[name] ?? defaultOf(member);
  return values;
}
