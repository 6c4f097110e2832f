/** Gives every imported object its resource name and its variable. */
import type { Imported } from "./arguments";
import { distinct, ownName, variables } from "./naming";
import { ownerOf, referable } from "./references";

export interface AssignedName {
  /** The resource's name. */
  readonly name: string;
  readonly variable: string;
}

/** Names that are in use already. */
export interface TakenNames {
  /** Of the stack's resources: `<class> <name>`. */
  readonly names: ReadonlySet<string>;
  /** Variables of statements that the program keeps. */
  readonly variables: ReadonlySet<string>;
  /** The names that an earlier, interrupted run gave to objects, by `<class> <id>`. */
  readonly earlier: ReadonlyMap<string, AssignedName>;
}

const none: TakenNames = { names: new Set(), variables: new Set(), earlier: new Map() };

/** The objects with their names: those of an earlier run where they are free, else new ones that nobody has. */
export function withNames(imported: readonly Imported[], taken = none): (Imported & AssignedName)[] {
  const usedNames = new Set(taken.names);
  const usedVariables = new Set(taken.variables);
  const assigned = new Map<Imported, AssignedName>();
  // An object gets its name of an earlier run, as far as no other resource has it by now.
  for (const each of imported) {
    const { type } = each.declaration;
    const earlier = taken.earlier.get(`${type} ${each.id}`);
    if (!earlier) continue;
    const { name, variable } = earlier;
    if (usedNames.has(`${type} ${name}`) || usedVariables.has(variable)) continue;
    usedNames.add(`${type} ${name}`);
    usedVariables.add(variable);
    assigned.set(each, { name, variable });
  }
  const wanted = wantedNames(imported);
  const open = imported.filter((each) => !assigned.has(each));
  // Names are distinct within a class.
  const names = distinct(
    open.map((each) => ({ id: each.id, name: `${each.declaration.type} ${wanted.get(each)!}` })),
    usedNames,
  );
  const named = open.map(({ id, declaration: { type } }, i) => ({
    id,
    type,
    name: names[i]!.slice(type.length + 1),
  }));
  const newVariables = variables(named, usedVariables);
  open.forEach((each, i) => assigned.set(each, { name: named[i]!.name, variable: newVariables[i]! }));
  return imported.map((each) => ({ ...each, ...assigned.get(each)! }));
}

/** The name of each object if it were alone. Owners come before what belongs to them. */
function wantedNames(imported: readonly Imported[]): Map<Imported, string> {
  const byId = referable(imported);
  const names = new Map<Imported, string>();
  for (const each of imported) {
    const owner = byId.get(ownerOf(each) ?? "");
    names.set(each, ownName(each, owner && names.get(owner)));
  }
  return names;
}
