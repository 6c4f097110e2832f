/** A stack whose program declares the resources of a list, on the real engine or in process, and its account. */
import type { EmulatorClient } from "../support/emulator-process";
import type { Json } from "./subject";

export interface WorldResource {
  readonly name: string;
  readonly type: string;
  /** `@name` stands for the id of another resource. */
  readonly args: Json;
  /** Pulumi's resource options; `dependsOn` names other resources. */
  readonly opts?: { readonly dependsOn?: string[]; readonly [option: string]: unknown };
}

/** An object that exists without the stack, and is looked up. */
export interface LookUp {
  readonly name: string;
  readonly type: string;
  readonly id: string;
}

/** What becomes of each resource, by name, without those that stay the same. */
export interface Outcome {
  readonly ops: Record<string, string>;
  /** The properties that force each replacement, sorted. */
  readonly reasons: Record<string, string[]>;
  /** The properties that differ in each update, as displays show them, sorted. */
  readonly differing: Record<string, string[]>;
}

interface Step {
  readonly op: string;
  readonly name: string;
  readonly replaceReasons: readonly string[];
  readonly diffReasons: readonly string[];
}

export function outcomeOf(changes: readonly Step[]): Outcome {
  const namesIn = (op: string, reasons: (step: Step) => readonly string[]) =>
    Object.fromEntries(
      changes.filter((step) => step.op === op).map((step) => [step.name, [...reasons(step)].sort()]),
    );
  return {
    ops: Object.fromEntries(changes.map(({ name, op }) => [name, op])),
    reasons: namesIn("replace", ({ replaceReasons }) => replaceReasons),
    differing: namesIn("update", ({ diffReasons }) => diffReasons.filter((name) => !name.startsWith("__"))),
  };
}

export interface World {
  readonly emulator: EmulatorClient;
  /** All that was shown to the user so far. */
  readonly texts: readonly string[];
  /** Says what the program declares from now on. */
  declare(declared: readonly WorldResource[], lookUps?: readonly LookUp[]): void;
  preview(): Promise<Outcome>;
  up(): Promise<Outcome>;
  refresh(): Promise<void>;
  destroy(): Promise<void>;
  /** The resources in the state, by name. */
  resources(): Readonly<Record<string, WorldState>>;
  /** The inputs in the state by the resources' names, secrets in plaintext. */
  inputs(): Promise<Record<string, unknown>>;
  /** The state as a reader of its file sees it. */
  stateText(): string;
}

export interface WorldState {
  readonly id?: string | undefined;
  readonly external?: boolean | undefined;
  readonly outputs?: Json | undefined;
}

/** The ids of all resources, by name. */
export function idsIn(world: Pick<World, "resources">): Record<string, string> {
  return Object.fromEntries(Object.entries(world.resources()).map(([name, { id }]) => [name, id!]));
}

/** Values with the ids that references stand for. */
export function resolvedIn<T>(world: Pick<World, "resources">, value: T): T {
  const ids = idsIn(world);
  const fill = (each: unknown): unknown => {
    if (typeof each === "string") return each.startsWith("@") ? ids[each.slice(1)] : each;
    if (typeof each !== "object" || each === null) return each;
    if (Array.isArray(each)) return each.map(fill);
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [fill(key), fill(item)]));
  };
  return fill(value) as T;
}
