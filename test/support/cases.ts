/** How many cases a run takes of each test; jest.config.js says which run it is. */
type Taken = "few" | "all" | "night";

const { takenCases = "few", nightlySeed = 0 } = globalThis as { takenCases?: Taken; nightlySeed?: number };

/**
 * How many cases a test takes: a few in `npm test`, all in `npm run test:full`, and the last number in
 * .github/workflows/nightly.yml. jest.config.js lists the files of such tests, and those that only the nightly run repeats.
 */
export function cases(few: number, all: number, night = all): number {
  return { few, all, night }[takenCases];
}

/** The seed of a test's random values: the same in every run, but another one each night. */
export function seedOf(number: number): number {
  return number + 1000 * nightlySeed;
}
