/** What a rule of the review is. Its id is public: configurations and pipelines name it. */
import type { Subject } from "./preview";
import type { Resource, World } from "./world";

export const severities = ["error", "warning", "note"] as const;
export type Severity = (typeof severities)[number];

/** What a rule found, before it is known which rule and whether it is new. */
export interface Found {
  readonly on: Pick<Resource, "urn" | "name" | "declaration">;
  /** A sentence without a full stop. It names resources as the program does and holds no secret. */
  readonly message: string;
  /** The argument that it is about. */
  readonly field?: string;
  /** Where it is less or more than the rule's own. */
  readonly severity?: Severity;
}

/** What the rules look at. */
export interface Context {
  readonly subjects: readonly Subject[];
  readonly before: World;
  readonly after: World;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}

interface Described {
  readonly id: string;
  readonly severity: Severity;
  /** What it finds, in a few words. */
  readonly title: string;
  /** Why it matters, and what to do. Markdown. */
  readonly help: string;
  /** It needs to see the unchanged resources too; without them it would give false alarms. */
  readonly needsAll?: true;
}

/** A rule about a change: it compares what is with what is to be. */
export interface ChangeRule extends Described {
  changes(context: Context): Iterable<Found>;
}

/** A rule about a state: what holds before the deployment already is told apart from what it brings. */
export interface StateRule extends Described {
  states(world: World, now: number): Iterable<Found>;
  /** Time alone can bring it about, so that it is told though nothing changes. */
  readonly timely?: true;
}

export type Rule = ChangeRule | StateRule;

/** A finding of the review. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly urn: string;
  /** The class's name. */
  readonly type: string;
  /** The resource's name in the program. */
  readonly name: string;
  readonly message: string;
  readonly field?: string;
  readonly place: Subject["place"];
}

/** A resource in a sentence. */
export function named({ declaration, name }: Pick<Resource, "declaration" | "name">): string {
  return `${declaration.type} ${JSON.stringify(name)}`;
}
