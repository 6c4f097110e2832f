/** All resources before or after the deployment, and their references to each other. */
import type { Declaration } from "../schema/declaration";
import { defaultOf } from "../schema/field";
import { hasUnknown, isRecord, isUnknown } from "../schema/unknown";
import { setArgumentsOf } from "../provider/changes";
import { namesIn } from "../provider/path";
import type { Json } from "../schema/json";
import type { State, Subject } from "./preview";

export interface Resource {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  readonly declaration: Declaration;
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
  readonly all = new Map<string, Resource>();
  private readonly kinds = new Map<string, Resource[]>();
  private readonly ids = new Map<string, string>();
  private references: Map<string, Reference[]> | undefined;
  private byId: Map<string, Reference[]> | undefined;

  constructor(resources: readonly Resource[]) {
    for (const resource of resources) {
      this.all.set(resource.urn, resource);
      add(this.kinds, resource.type, resource);
      // The id of a set of entries is that of their parent.
      if (resource.id !== undefined && !resource.declaration.entries) this.ids.set(resource.id, resource.urn);
    }
  }

  ofType(...types: string[]): Resource[] {
    return types.flatMap((type) => this.kinds.get(type) ?? []);
  }

  /** The URN of the resource with an id. */
  urnOf(id: string): string | undefined {
    return this.ids.get(id);
  }

  /** The references to a resource of this world. */
  referrers(urn: string): readonly Reference[] {
    this.references ??= this.collected();
    return this.references.get(urn) ?? [];
  }

  /** The arguments that contain an id, whether or not the object is part of this world. */
  idReferences(id: string): readonly Reference[] {
    if (!this.byId) {
      this.byId = new Map();
      for (const from of this.all.values()) {
        for (const field of argumentsOf(from)) {
          for (const text of new Set(texts(from.inputs[field]))) add(this.byId, text, { from, field });
        }
      }
    }
    return this.byId.get(id) ?? [];
  }

  /**
   * The URNs of the resources that an argument refers to, or the id of an object outside of this world. A
   * resource without an id yet is found through the dependencies of the argument.
   */
  targets(resource: Resource, field: string): string[] {
    const value = resource.values[field];
    const known = texts(value).map((id) => this.ids.get(id) ?? id);
    if (!hasUnknown(value)) return known;
    const dependencies = resource.state.propertyDependencies[field] ?? [];
    return [...new Set([...known, ...dependencies])];
  }

  private collected(): Map<string, Reference[]> {
    const found = new Map<string, Reference[]>();
    for (const from of this.all.values()) {
      for (const field of argumentsOf(from)) {
        for (const urn of this.targets(from, field)) {
          if (this.all.has(urn)) add(found, urn, { from, field });
        }
      }
    }
    return found;
  }
}

/** The ids in the path of a module: of the edge, or of the edge and the route, that it belongs to. */
export function idsInPath({ declaration, values }: Resource): unknown[] {
  return namesIn(declaration.path).map((name) => values[name]);
}

function argumentsOf({ inputs }: Resource): string[] {
  return Object.keys(inputs).filter((name) => !name.startsWith("__"));
}

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The state of the service before the deployment. */
export function worldBefore(subjects: readonly Subject[]): World {
  const resources: Resource[] = [];
  for (const subject of subjects) {
    const { before } = subject;
    if (before) resources.push(resource(subject, before, before.id, valuesBefore(before)));
  }
  return new World(resources);
}

/** The state that the deployment leads to. */
export function worldAfter(subjects: readonly Subject[]): World {
  const resources: Resource[] = [];
  for (const subject of subjects) {
    const { after, before, action } = subject;
    if (!after) continue;
    // A new object gets an id that is not known yet.
    const id = action === "create" || action === "replace" ? undefined : (before?.id ?? after.id);
    resources.push(resource(subject, after, id, valuesAfter(subject, after)));
  }
  return new World(resources);
}

function resource(subject: Subject, state: State, id: string | undefined, values: Json): Resource {
  const { urn, name, declaration } = subject;
  return { urn, name, type: declaration.type, declaration, id, inputs: state.inputs, values, subject, state };
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
