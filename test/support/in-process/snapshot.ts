/** The state of a stack, as Pulumi's engine keeps it while a deployment runs. */
import { isDeepStrictEqual } from "node:util";
import type { Values } from "./values";

/** A resource as the engine stores it. Secrets are marked, not encrypted. */
export interface Stored {
  readonly urn: string;
  /** The class. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  /** The outputs that the class declares as secret: the engine marks them after each step, also where they are null. */
  readonly secretOutputs: readonly string[];
  readonly dependencies: readonly string[];
  /** By input: the resources whose outputs it is made from. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** It is only read. */
  readonly external: boolean;
  readonly protect: boolean;
  /** The explicit provider. */
  readonly provider: string | undefined;
  /** The component that it is a part of. */
  readonly parent: string | undefined;
  /** Another object has its place; this one waits for its deletion. */
  readonly isReplaced: boolean;
  /** The object was deleted, and the one that takes its place is not created yet. */
  readonly isDeletedFirst: boolean;
  /** Why the object is only in part as asked. */
  readonly initErrors: readonly string[];
}

/** What most resources have in common. */
export const nothing = {
  id: "",
  outputs: {},
  secretOutputs: [],
  dependencies: [],
  propertyDependencies: {},
  external: false,
  protect: false,
  provider: undefined,
  parent: undefined,
  isReplaced: false,
  isDeletedFirst: false,
  initErrors: [],
} as const;

/** What was begun: after a crash nobody knows whether it was done. */
export interface PendingOperation {
  readonly type: "creating" | "updating" | "deleting";
  readonly resource: Stored;
}

export interface Snapshot {
  readonly resources: readonly Stored[];
  readonly pending: readonly PendingOperation[];
}

export const emptySnapshot: Snapshot = { resources: [], pending: [] };

/** Keeps the state while steps begin and end, and saves it where Pulumi does. */
export class SnapshotManager {
  /** Those of before that the deployment has not dealt with yet. */
  private old: Stored[];
  private readonly done: Stored[] = [];
  private readonly begun = new Set<PendingOperation>();
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly base: Snapshot,
    private readonly write: (snapshot: Snapshot) => Promise<void>,
  ) {
    this.old = [...base.resources];
  }

  /** Creates of an earlier run stay until a refresh says what became of them; the others are forgotten. */
  get snapshot(): Snapshot {
    const left = this.base.pending.filter(({ type }) => type === "creating");
    return { resources: [...this.done, ...this.old], pending: [...left, ...this.begun] };
  }

  /** Notes what a step is about to do. The function that it returns ends it, with the changes of the state. */
  async begin(type: PendingOperation["type"], resource: Stored): Promise<(change?: Change) => Promise<void>> {
    const operation = { type, resource };
    this.begun.add(operation);
    await this.save();
    return async (change) => {
      this.begun.delete(operation);
      this.apply(change ?? {});
      await this.save();
    };
  }

  /** The resource stays as it is, or as good as. */
  async same(old: Stored | undefined, now: Stored): Promise<void> {
    this.apply({ gone: old, made: now });
    // Pulumi's state has no order of members, which the two doors give in another order.
    if (!isDeepStrictEqual(old, now)) await this.save();
  }

  /** There is no such object any more. */
  async drop(gone: Stored): Promise<void> {
    this.apply({ gone });
    await this.save();
  }

  async save(): Promise<void> {
    const turn = this.saving.then(() => this.write(this.snapshot));
    this.saving = turn;
    await turn;
  }

  private apply({ gone, kept, made }: Change): void {
    if (gone) this.old = this.old.flatMap((each) => (each === gone ? (kept ?? []) : each));
    if (made) this.done.push(made);
  }
}

/** What a step does to the state. */
interface Change {
  /** The old state, which the step ends. */
  readonly gone?: Stored | undefined;
  /** What stays of it, such as the old object of a replacement. */
  readonly kept?: Stored | undefined;
  readonly made?: Stored | undefined;
}
