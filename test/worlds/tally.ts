/** What a run of worlds has really done. */
import type { WorldResource } from "../rounds/world";

export type Count =
  | "rounds"
  /** Rounds whose deployment failed because of what disturbed it, and was repaired as the documentation says. */
  | "repaired"
  /** Processes that were killed in the middle of a deployment. */
  | "kills"
  /** Changes that others made in the account. */
  | "byHand"
  /** Objects that the user had to delete in a repair. */
  | "deletedAsTold"
  /** Commands at which the promise of who gets in was checked at an edge. */
  | "edges"
  /** Deployments of another stack at the same time. */
  | "besides"
  /** Changes that the service refused and that were taken back. */
  | "refusals"
  /** Deployments of targets. */
  | "targets"
  /** Changes of protected resources. */
  | "protections"
  /** Rules and modules of others that no preview showed. */
  | "surprises";

export class Tally {
  readonly counts: Record<Count, number> = {
    rounds: 0,
    repaired: 0,
    kills: 0,
    byHand: 0,
    deletedAsTold: 0,
    edges: 0,
    besides: 0,
    refusals: 0,
    targets: 0,
    protections: 0,
    surprises: 0,
  };
  /** How often each kind of fault was met. */
  readonly faults = new Map<string, number>();
  /** The classes that programs declared. */
  readonly types = new Set<string>();

  count(what: Count): void {
    this.counts[what] += 1;
  }

  noteFault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  noteTypes(program: readonly WorldResource[]): void {
    for (const { type } of program) this.types.add(type);
  }

  get rounds(): number {
    return this.counts.rounds;
  }

  inWords(): string {
    const { rounds, kills, byHand, repaired, deletedAsTold, edges } = this.counts;
    const faults = [...this.faults.values()].reduce((sum, count) => sum + count, 0);
    return (
      `${rounds} rounds, ${this.types.size} classes, ${faults} faults, ${kills} kills, ` +
      `${byHand} changes by hand, ${repaired} repairs, ${deletedAsTold} objects deleted in repairs, ` +
      `access at edges checked in ${edges} commands`
    );
  }
}
