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
export function withNames<T extends Imported>(imported: readonly T[], taken = none): (T & AssignedName)[] {
  const earlier = earlierNames(imported, taken);
  const open = imported.filter((each) => !earlier.has(each));
  const names = new Map<T, string>([
    ...[...earlier].map(([each, { name }]) => [each, name] as const),
    ...newNames(imported, open, earlier, taken),
  ]);
  const used = [...earlier.values()].map(({ variable }) => variable);
  const newVariables = variables(
    open.map((each) => ({ id: each.id, type: each.declaration.type, name: names.get(each)! })),
    new Set([...taken.variables, ...used]),
  );
  const variable = new Map(open.map((each, i) => [each, newVariables[i]!]));
  return imported.map((each) => ({
    ...each,
    name: names.get(each)!,
    variable: earlier.get(each)?.variable ?? variable.get(each)!,
  }));
}

/** The names of an earlier run, as far as no other resource has them by now. */
function earlierNames<T extends Imported>(imported: readonly T[], taken: TakenNames): Map<T, AssignedName> {
  const [names, variables] = [new Set(taken.names), new Set(taken.variables)];
  const found = new Map<T, AssignedName>();
  for (const each of imported) {
    const { type } = each.declaration;
    const earlier = taken.earlier.get(`${type} ${each.id}`);
    if (!earlier || names.has(`${type} ${earlier.name}`) || variables.has(earlier.variable)) continue;
    found.set(each, earlier);
    names.add(`${type} ${earlier.name}`);
    variables.add(earlier.variable);
  }
  return found;
}

/** New names for the open objects. Names are distinct within a class. */
function newNames<T extends Imported>(
  imported: readonly T[],
  open: readonly T[],
  earlier: ReadonlyMap<T, AssignedName>,
  taken: TakenNames,
): Map<T, string> {
  const wanted = wantedNames(imported);
  const names = new Map<T, string>();
  for (const type of new Set(open.map(({ declaration }) => declaration.type))) {
    const group = open.filter(({ declaration }) => declaration.type === type);
    const used = [
      ...[...taken.names]
        .filter((key) => key.startsWith(`${type} `))
        .map((key) => key.slice(type.length + 1)),
      ...[...earlier].filter(([each]) => each.declaration.type === type).map(([, { name }]) => name),
    ];
    const found = distinct(
      group.map((each) => ({ id: each.id, name: wanted.get(each)! })),
      new Set(used),
    );
    group.forEach((each, i) => names.set(each, found[i]!));
  }
  return names;
}

/** The name of each object if it were alone. Owners come before what belongs to them. */
function wantedNames<T extends Imported>(imported: readonly T[]): Map<T, string> {
  const byId = referable(imported);
  const names = new Map<T, string>();
  for (const each of imported) {
    const owner = byId.get(ownerOf(each) ?? "");
    names.set(each, ownName({ ...each, type: each.declaration.type }, owner && names.get(owner)));
  }
  return names;
}
