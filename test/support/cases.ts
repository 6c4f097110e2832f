/** jest.config.js says which run it is. */
const { takesAllCases = false, nightlySeed = 0 } = globalThis as {
  takesAllCases?: boolean;
  nightlySeed?: number;
};

/**
 * How many cases a test takes: a few in `npm test`, all in `npm run test:full` or in .github/workflows/nightly.yml.
 * jest.config.js lists the files of such tests, and those that only the nightly run repeats.
 */
export function cases(few: number, all: number): number {
  return takesAllCases ? all : few;
}

/** The seed of a test's random values: the same in every run, but another one each night. */
export function seedOf(number: number): number {
  return number + 1000 * nightlySeed;
}
