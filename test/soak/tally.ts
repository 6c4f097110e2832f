/** What a soak has really done. */
export interface Tally {
  rounds: number;
  /** Rounds whose deployment failed because of what disturbed it, and was repaired as the documentation says. */
  repaired: number;
  /** Processes that were killed in the middle of a deployment. */
  kills: number;
  /** Changes that others made in the account. */
  byHand: number;
  /** Objects that the user had to delete in a repair. */
  deletedAsTold: number;
  /** How often each kind of fault was met. */
  readonly faults: Map<string, number>;
  /** The classes that programs declared. */
  readonly types: Set<string>;
}

export function newTally(): Tally {
  return {
    rounds: 0,
    repaired: 0,
    kills: 0,
    byHand: 0,
    deletedAsTold: 0,
    faults: new Map(),
    types: new Set(),
  };
}

export function inWords(tally: Tally): string {
  const faults = [...tally.faults.values()].reduce((sum, count) => sum + count, 0);
  return (
    `${tally.rounds} rounds, ${tally.types.size} classes, ${faults} faults, ${tally.kills} kills, ` +
    `${tally.byHand} changes by hand, ${tally.repaired} repairs, ${tally.deletedAsTold} objects deleted in repairs`
  );
}
