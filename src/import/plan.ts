/** What becomes of an account: which objects become which resources, in which order and which file. */
import type { AnyField, Fields } from "../schema/field";
import { isRecord } from "../schema/unknown";
import type { AccountObject } from "../account/contents";
import { placeOf } from "./areas";
import { importedFrom, isLeftOut } from "./arguments";
import type { Conditions, Imported } from "./arguments";
import { distinct, ownName, variables } from "./naming";

/** An object with its place in the program. */
export interface Planned extends Imported {
  /** The resource's name. */
  readonly name: string;
  readonly variable: string;
}

/** An object that stays outside, and why. */
export interface Note {
  readonly type: string;
  readonly id: string;
  readonly reason: string;
}

export interface Plan {
  /** In the order in which they stand, so that each stands before what refers to it. */
  readonly resources: readonly Planned[];
  readonly notes: readonly Note[];
}

export interface Names {
  /** Names that belong to others, the resources of the stack: `<class> <name>`. */
  readonly names: ReadonlySet<string>;
  /** Variables of statements that stay. */
  readonly variables: ReadonlySet<string>;
  /** What an earlier run called an object that it did not import, by `<class> <id>`. */
  readonly before: ReadonlyMap<string, Called>;
}

interface Called {
  readonly name: string;
  readonly variable: string;
}

const noNames: Names = { names: new Set(), variables: new Set(), before: new Map() };

export interface PlanOptions extends Omit<Conditions, "without"> {
  readonly taken?: Names;
  readonly isMeant?: (id: string, outputs: Imported["outputs"]) => boolean;
  /** Arguments to leave out, by `<class> <id>`. */
  readonly without?: ReadonlyMap<string, readonly string[]>;
}

export function planFor(held: readonly AccountObject[], options: PlanOptions): Plan {
  const notes: Note[] = [];
  const imported: Imported[] = [];
  for (const { declaration, id, answer, problem } of held) {
    const { type } = declaration;
    const without = options.without?.get(`${type} ${id}`);
    const result =
      problem === undefined
        ? importedFrom(declaration, id, answer, { ...options, without })
        : { reason: `the answer of the service is not as specified: ${problem}` };
    if (!isLeftOut(result)) {
      if (options.isMeant?.(id, result.outputs) ?? true) imported.push(result);
    } else if (options.isMeant?.(id, {}) ?? true) notes.push({ type, id, reason: result.reason });
  }
  return { resources: named(inOrder(imported), options.taken), notes };
}

/** The ids that an object refers to, with whether each is what it belongs to. */
function referencesOf(fields: Fields, args: unknown): string[] {
  if (!isRecord(args)) return [];
  return Object.entries(fields).flatMap(([name, field]) => idsIn(field, args[name]));
}

function idsIn(field: AnyField, value: unknown): string[] {
  const { shape } = field;
  if (value === undefined) return [];
  switch (shape.kind) {
    case "string":
      return takesId(field) && typeof value === "string" ? [value] : [];
    case "list":
      return Array.isArray(value) ? value.flatMap((item) => idsIn(shape.item, item)) : [];
    case "map":
      return isRecord(value) && shape.key.refersTo ? Object.keys(value) : [];
    case "object":
      return referencesOf(shape.fields, value);
    default:
      return [];
  }
}

/** Whether a field's values are ids. */
export function takesId({ shape }: AnyField): boolean {
  return shape.kind === "string" && shape.format.refersTo !== undefined;
}

/** What an object belongs to: the first thing that it must name. */
function ownerOf({ declaration: { fields }, args }: Imported): string | undefined {
  const owner = Object.keys(fields).find(
    (name) => fields[name]!.presence === "required" && takesId(fields[name]!),
  );
  return owner === undefined ? undefined : (args[owner] as string);
}

/**
 * Area by area; in each an object stands behind what it refers to, those of an owner behind it, and else the order
 * of classes and ids decides. What refers in a circle keeps that order too.
 */
function inOrder(imported: readonly Imported[]): Imported[] {
  const byId = referable(imported);
  const key = (each: Imported, depth = 0): string => {
    const { area, rank } = placeOf(each.declaration.type);
    const owner = depth < 3 ? byId.get(ownerOf(each) ?? "") : undefined;
    const isNear = owner !== undefined && owner !== each && placeOf(owner.declaration.type).area === area;
    return `${isNear ? key(owner, depth + 1) : String(area)} ${rank} ${each.id}`;
  };
  const keys = new Map(imported.map((each) => [each, key(each)]));
  const sorted = [...imported].sort((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : 1));
  const order = new Set<Imported>();
  const visiting = new Set<Imported>();
  const visit = (each: Imported): void => {
    if (order.has(each) || visiting.has(each)) return;
    visiting.add(each);
    const { area } = placeOf(each.declaration.type);
    for (const id of referencesOf(each.declaration.fields, each.args)) {
      const target = byId.get(id);
      if (target && placeOf(target.declaration.type).area === area) visit(target);
    }
    order.add(each);
  };
  sorted.forEach(visit);
  return [...order];
}

/** What others may refer to, by id. Modules have the ids of their edges and routes, which are no resources. */
export function referable<T extends Imported>(imported: readonly T[]): Map<string, T> {
  return new Map(
    imported.filter(({ declaration }) => declaration.style === "collection").map((each) => [each.id, each]),
  );
}

function named(imported: readonly Imported[], taken = noNames): Planned[] {
  const own = new Map<Imported, string>();
  const byId = referable(imported);
  for (const each of imported) {
    const owner = byId.get(ownerOf(each) ?? "");
    own.set(each, ownName({ ...each, type: each.declaration.type }, owner && own.get(owner)));
  }
  const before = asBefore(imported, taken);
  const names = new Map([...before].map(([each, { name }]) => [each, name]));
  for (const type of new Set(imported.map(({ declaration }) => declaration.type))) {
    const group = imported.filter(({ declaration }) => declaration.type === type);
    const others = [...taken.names].filter((name) => name.startsWith(`${type} `));
    const used = [
      ...others.map((name) => name.slice(type.length + 1)),
      ...group.flatMap((each) => before.get(each)?.name ?? []),
    ];
    const open = group.filter((each) => !before.has(each));
    const wanted = open.map((each) => ({ id: each.id, name: own.get(each)! }));
    const found = distinct(wanted, new Set(used));
    open.forEach((each, i) => names.set(each, found[i]!));
  }
  const open = imported.filter((each) => !before.has(each));
  const wanted = open.map((each) => ({
    id: each.id,
    type: each.declaration.type,
    name: names.get(each)!,
  }));
  const used = [...before.values()].map(({ variable }) => variable);
  const found = variables(wanted, new Set([...taken.variables, ...used]));
  const variable = new Map(open.map((each, i) => [each, found[i]!]));
  return imported.map((each) => ({
    ...each,
    name: names.get(each)!,
    variable: before.get(each)?.variable ?? variable.get(each)!,
  }));
}

/** What objects were called before, as far as nobody else has the name by now. */
function asBefore(imported: readonly Imported[], taken: Names): Map<Imported, Called> {
  const [names, variables] = [new Set(taken.names), new Set(taken.variables)];
  const before = new Map<Imported, Called>();
  for (const each of imported) {
    const { type } = each.declaration;
    const called = taken.before.get(`${type} ${each.id}`);
    if (!called || names.has(`${type} ${called.name}`) || variables.has(called.variable)) continue;
    before.set(each, called);
    names.add(`${type} ${called.name}`);
    variables.add(called.variable);
  }
  return before;
}
