/** A random schedule of the example fleet: what happens to its accounts while they are deployed. */
import { Chance } from "../worlds/chance";

/** So many accounts with the ring of each. */
export function ringsOf(accounts: number): Readonly<Record<string, string>> {
  const ringOf = (i: number): string => (i === 0 ? "canary" : i < accounts / 4 ? "early" : "all");
  return Object.fromEntries(Array.from({ length: accounts }, (_, i) => [`account-${i + 1}`, ringOf(i)]));
}

const victims = ["the runner", "a worker", "Pulumi", "a plugin"] as const;
const signals = ["SIGINT", "SIGTERM", "SIGINT twice"] as const;
const changes = ["a description", "a deleted rule", "another rule", "a deleted edge"] as const;

/** Something that happens to the processes after so many requests that write, in all accounts together. */
export interface Disturbance {
  readonly afterWrites: number;
  readonly kind: (typeof victims)[number] | (typeof signals)[number];
  /** Which of several processes. */
  readonly choice: number;
}

/** Keys that are wrong when a deployment begins. */
export type WrongKeys =
  | { readonly kind: "repeated" | "swapped"; readonly accounts: readonly [string, string] }
  | { readonly kind: "unknown"; readonly accounts: readonly [string] };

export interface Round {
  /** The ranges that may connect, by account. */
  readonly allow: Readonly<Record<string, readonly string[]>>;
  /** What was changed by hand before. */
  readonly byHand: Readonly<Record<string, (typeof changes)[number]>>;
  readonly keys: WrongKeys | undefined;
  readonly parallel: number;
  readonly disturbances: readonly Disturbance[];
}

export interface Schedule {
  readonly seed: number;
  readonly number: number;
  readonly rounds: readonly [Round, Round];
}

/** The same for the same seed, number and accounts. */
export function scheduleOf(seed: number, number: number, names: readonly string[]): Schedule {
  const chance = new Chance(seed * 100_003 + number);
  const pick = <T>(all: readonly T[]): T => all[chance.below(all.length)]!;
  const some = (count: number): string[] => {
    const left = [...names];
    return Array.from({ length: count }, () => left.splice(chance.below(left.length), 1)[0]!);
  };
  const rangesOf = (): string[] =>
    Array.from({ length: 1 + chance.below(3) }, (_, i) => `198.51.${i}.${chance.below(16) * 16}/28`);
  const disturbances = (most: number): Disturbance[] =>
    Array.from({ length: 1 + chance.below(2) }, () => ({
      afterWrites: 1 + chance.below(most),
      kind: pick([...victims, ...signals]),
      choice: chance.below(100),
    })).sort((a, b) => a.afterWrites - b.afterWrites);
  const wrongKeys = (kinds: readonly WrongKeys["kind"][]): WrongKeys => {
    const kind = pick(kinds);
    return { kind, accounts: some(kind === "unknown" ? 1 : 2) } as unknown as WrongKeys;
  };

  const first = Object.fromEntries(names.map((name) => [name, rangesOf()]));
  const second = { ...first, ...Object.fromEntries(some(3).map((name) => [name, rangesOf()])) };
  return {
    seed,
    number,
    rounds: [
      {
        allow: first,
        byHand: {},
        // Nothing tells whose keys are swapped before the first deployment.
        keys: chance.below(2) === 0 ? undefined : wrongKeys(["repeated", "unknown"]),
        parallel: 2 + chance.below(3),
        disturbances: disturbances(Math.ceil((40 * names.length) / 12)),
      },
      {
        allow: second,
        byHand: Object.fromEntries(some(2).map((name) => [name, pick(changes)])),
        keys: wrongKeys(["repeated", "swapped", "unknown"]),
        parallel: 2 + chance.below(3),
        disturbances: disturbances(4),
      },
    ],
  };
}
