/**
 * One row of the page: what several variants of the same work cost, in turns on one machine. `runs` has a list for each
 * variant, such as `own` and `earlier`, with what each of its turns cost: `{ ms, memory, requests, bytes }`.
 */
export class Row {
  constructor(what, runs = {}) {
    Object.assign(this, { what, runs });
  }

  add(variant, cost) {
    (this.runs[variant] ??= []).push(cost);
  }

  /** The median milliseconds of a variant, undefined where it was not measured. */
  ms(variant) {
    return median(this.runs[variant]?.map(({ ms }) => ms));
  }

  /** The largest figure of the turns of a variant: its memory or bytes in bytes, or its requests. */
  most(figure, variant = "own") {
    const values = (this.runs[variant] ?? [])
      .map((cost) => cost[figure])
      .filter((each) => each !== undefined);
    return values.length === 0 ? undefined : Math.max(...values);
  }

  /** The median of the ratios of those that took turns. */
  ratio(variant) {
    return median(this.runs[variant]?.map(({ ms }, i) => this.runs.own?.[i].ms / ms));
  }
}

/** Measures each variant `runs` times. Every second time reverses the order. */
export async function inTurns(runs, variants, measure) {
  for (let run = 0; run < runs; run++) {
    const turns = Object.entries(variants).filter(([, variant]) => variant !== undefined);
    if (run % 2 === 1) turns.reverse();
    for (const [name, variant] of turns) await measure(name, variant);
  }
}

/** For an even number of values it is the mean of the two in the middle. */
function median(values = []) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined ? undefined : (low + high) / 2;
}
