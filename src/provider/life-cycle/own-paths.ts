/**
 * What a process knows of the places of one declaration's objects. A place is the path that is an object's identity, or its
 * unique arguments: no two objects share one.
 *
 * Pulumi creates at a path without saying what the stack has there, and deletes the object that a replacement left by its
 * path, even if the program declares one there again: if a replacement failed and the program takes the change back, the
 * create comes first and the delete of the same path second. So the process remembers what Pulumi asked for.
 */
import { isDeepStrictEqual } from "node:util";
import type { RecordedState } from "../../schema/recorded-state";
import { unknown } from "../../schema/unknown";
import type { Arguments } from "../../schema/values";

/** An object that leaves its path once another one exists. */
interface Left {
  readonly id: string;
  readonly prior: RecordedState;
}

/** What the plugins of a deployment tell each other about declared paths. */
export interface OtherPlugins {
  note(id: string, isRefused: boolean, args?: Arguments): void;
  at(id: string): readonly { readonly isRefused: boolean; readonly args?: Arguments }[];
}

const noOthers: OtherPlugins = { note: () => undefined, at: () => [] };

export class OwnPaths {
  /** What the program declares, by id: the arguments of each check, create and update. */
  private readonly declared = new Map<string, Arguments[]>();
  /** The paths of the stack before the deployment: the arguments that the program gives now; undefined if the object leaves. */
  private readonly recorded = new Map<string, Arguments | undefined>();
  /** By the place of a new object: the id of the one that it replaces. */
  private readonly origins = new Map<string, string>();
  private readonly arrived = new Set<string>();
  /** By the path of a new object: the one that it replaces, if Pulumi asked to delete that first. */
  private readonly deferred = new Map<string, Left>();
  /** The ids that objects of the stack had before they moved. An interrupted deployment may have left something there. */
  private readonly earlier = new Set<string>();
  private readonly found = new Set<string>();
  private readonly refused = new Set<string>();
  private readonly keptIds = new Set<string>();

  constructor(private readonly others = noOthers) {}

  /** The program declares an object. */
  declare(id: string, args: Arguments): void {
    const all = this.declared.get(id);
    if (all) all.push(args);
    else this.declared.set(id, [args]);
    this.others.note(id, false, args);
  }

  /** Records an object of the stack. It moves if `next`, the place in the program, is not its id. */
  compare(id: string, next: string, args: Arguments, movedFrom: string | undefined): void {
    this.recorded.set(id, next === id ? args : undefined);
    // The path is unknown while the object that it names is deleted and created again.
    if (next !== id && !next.includes(unknown)) this.origins.set(next, id);
    if (movedFrom !== undefined) this.earlier.add(movedFrom);
  }

  /** Records that a refresh has read the object. Pulumi calls no diff for a replacement by a taint. */
  find(id: string): void {
    this.found.add(id);
  }

  /** Records that the last attempt to create a declared object failed. */
  refuse(id: string): void {
    this.refused.add(id);
    this.others.note(id, true);
  }

  /**
   * Keeps the object until `arrive` if it moves and its replacement does not exist yet: a transform can make Pulumi delete
   * it first. Returns whether it stays.
   */
  defer(id: string, prior: RecordedState): boolean {
    const next = [...this.origins].find(([place, origin]) => origin === id && !this.arrived.has(place));
    if (next) this.deferred.set(next[0], { id, prior });
    return next !== undefined;
  }

  /** Records that the object exists. Returns the one that it replaces, if the deletion of that one waits for this. */
  arrive(id: string): Left | undefined {
    this.arrived.add(id);
    const left = this.deferred.get(id);
    this.deferred.delete(id);
    return left;
  }

  /** Records that an object stays though Pulumi asked to delete it, and belongs to the stack. */
  keep(id: string): void {
    this.keptIds.add(id);
  }

  isKept(id: string): boolean {
    return this.keptIds.has(id);
  }

  isDeclared(id: string): boolean {
    return this.declared.has(id) || this.others.at(id).length > 0;
  }

  isRefused(id: string): boolean {
    if (this.declared.has(id)) return this.refused.has(id);
    return this.others.at(id).some(({ isRefused }) => isRefused);
  }

  /** What the program declares at a path. */
  declaredAt(id: string): Arguments[] {
    return [...(this.declared.get(id) ?? []), ...this.others.at(id).flatMap(({ args }) => args ?? [])];
  }

  /** The id of the object that a new one at the place replaces, if the ids differ. */
  originOf(place: string): string | undefined {
    return this.origins.get(place);
  }

  /** Whether the stack had an object with the id, which a replacement may have left. */
  isEarlier(id: string): boolean {
    return this.earlier.has(id);
  }

  /**
   * Whether the object at a path is the stack's, so that a create may write it: a refresh has read it, a replacement leaves it or
   * replaces it in place, or an earlier deployment was interrupted before it deleted it.
   * @param isAsAsked whether it equals the arguments. At an earlier path another object may have been created since.
   */
  isOwn(id: string, args: Arguments, isAsAsked: () => boolean): boolean {
    const recorded = this.recorded.get(id);
    if (this.keptIds.has(id) || this.found.has(id)) return true;
    if (this.recorded.has(id) && (recorded === undefined || isDeepStrictEqual(recorded, args))) return true;
    return this.earlier.has(id) && isAsAsked();
  }
}
