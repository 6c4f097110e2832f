/** All resources before or after the deployment, and their references to each other. */
import { defaultOf } from "../schema/field";
import { hasUnknown, isRecord, isUnknown } from "../schema/unknown";
import { setArgumentsOf } from "../provider/changes";
import { namesIn } from "../provider/path";
import type { Json } from "../schema/json";
import { hiddenAsUnknown } from "../stack/mask";
import type { State, Subject } from "../stack/preview";

export interface Resource extends Pick<Subject, "urn" | "name" | "declaration"> {
  readonly type: string;
  readonly id: string | undefined;
  /** The arguments that the program gives. */
  readonly inputs: Json;
  /** The arguments; the values of the service where the program sets none. */
  readonly values: Json;
  /** The resource in the preview. */
  readonly subject: Subject;
  /** The state of the subject that this world has. */
  readonly state: State;
}

export interface Reference {
  readonly from: Resource;
  /** The argument that contains the reference. */
  readonly field: string;
}

export class World {
  readonly all: ReadonlyMap<string, Resource>;
  private readonly byType: ReadonlyMap<string, Resource[]>;
  private readonly urns: ReadonlyMap<string, string>;
  private byUrn: ReadonlyMap<string, Reference[]> | undefined;
  private byId: ReadonlyMap<string, Reference[]> | undefined;

  constructor(resources: readonly Resource[]) {
    this.all = new Map(resources.map((each) => [each.urn, each]));
    this.byType = Map.groupBy(resources, ({ type }) => type);
    // The id of a set of entries is that of their parent.
    const objects = resources.filter(({ id, declaration }) => id !== undefined && !declaration.entries);
    this.urns = new Map(objects.map(({ id, urn }) => [id!, urn]));
  }

  ofType(...types: string[]): Resource[] {
    return types.flatMap((type) => this.byType.get(type) ?? []);
  }

  /** The URN of the resource with an id. */
  urnOf(id: string): string | undefined {
    return this.urns.get(id);
  }

  /** The references to a resource of this world. */
  referrers(urn: string): readonly Reference[] {
    this.byUrn ??= this.references((from, field) =>
      this.targets(from, field).filter((each) => this.all.has(each)),
    );
    return this.byUrn.get(urn) ?? [];
  }

  /** The arguments that contain an id, whether or not the object is part of this world. */
  idReferences(id: string): readonly Reference[] {
    this.byId ??= this.references((from, field) => [...new Set(texts(from.inputs[field]))]);
    return this.byId.get(id) ?? [];
  }

  /**
   * The URNs of the resources that an argument refers to, or the id of an object outside of this world. A
   * resource without an id yet is found through the dependencies of the argument.
   */
  targets(resource: Resource, field: string): string[] {
    const value = resource.values[field];
    const known = texts(value).map((id) => this.urns.get(id) ?? id);
    if (!hasUnknown(value)) return known;
    const dependencies = resource.state.propertyDependencies[field] ?? [];
    return [...new Set([...known, ...dependencies])];
  }

  /** The arguments of all resources, by what `targetsOf` finds in each. */
  private references(targetsOf: (from: Resource, field: string) => string[]): Map<string, Reference[]> {
    const found = [...this.all.values()].flatMap((from) => {
      const fields = Object.keys(from.inputs).filter((name) => !name.startsWith("__"));
      return fields.flatMap((field) => targetsOf(from, field).map((to) => ({ from, field, to })));
    });
    return Map.groupBy(found, ({ to }) => to);
  }
}

/** The ids in the path of a module: of the edge, or of the edge and the route, that it belongs to. */
export function idsInPath({ declaration, values }: Resource): unknown[] {
  return namesIn(declaration.path).map((name) => values[name]);
}

/** The state of the service before the deployment. */
export function worldBefore(subjects: readonly Subject[]): World {
  const resources = subjects.map((subject) => {
    const { before } = subject;
    return before && resource(subject, before, before.id, valuesBefore(before));
  });
  return new World(resources.filter((each) => each !== undefined));
}

/** The state that the deployment leads to. */
export function worldAfter(subjects: readonly Subject[]): World {
  const resources = subjects.map((subject) => {
    const { after, before, action } = subject;
    // A new object gets an id that is not known yet.
    const id = action === "create" || action === "replace" ? undefined : (before?.id ?? after?.id);
    return after && resource(subject, after, id, valuesAfter(subject, after));
  });
  return new World(resources.filter((each) => each !== undefined));
}

function resource(subject: Subject, state: State, id: string | undefined, values: Json): Resource {
  const { urn, name, declaration } = subject;
  const { inputs } = state;
  const readable = hiddenAsUnknown(declaration, values);
  return { urn, name, type: declaration.type, declaration, id, inputs, values: readable, subject, state };
}

/** The outputs, with the arguments that the service does not return. */
function valuesBefore({ inputs, outputs }: State): Json {
  const isReturned = Object.keys(inputs).every((name) => name in outputs);
  return isReturned ? outputs : { ...inputs, ...outputs };
}

function valuesAfter({ before, action, declaration }: Subject, { inputs }: State): Json {
  const stays = action === "update" || action === "same" ? before : undefined;
  const managed = new Set(setArgumentsOf(stays?.outputs ?? {}));
  const restored = Object.entries(declaration.fields).map(([name, field]): [string, unknown] => {
    const given = inputs[name];
    if (given !== undefined) return [name, given];
    // The value of an argument without a known default stays when the program no longer gives it.
    const isKept = !managed.has(name) || (!declaration.whole && field.traits.serverDefault?.known === false);
    return [name, stays && isKept ? stays.outputs[name] : defaultOf(field)];
  });
  return Object.fromEntries(restored);
}

/** All strings in a value and the keys of maps: the keys of weighted backends are ids. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return isUnknown(value) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...texts(member)]);
}
