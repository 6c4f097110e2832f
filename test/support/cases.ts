/** How many cases a run takes of each test; jest.config.js says which run it is. */
type Taken = "few" | "all" | "night";

/**
 * How many cases a test takes: a few in `npm test`, all in `npm run test:full`, and the last number, if there is one, in
 * .github/workflows/nightly.yml. jest.config.js lists the files of such tests.
 */
export function cases(few: number, all: number, night = all): number {
  const { takenCases = "few" } = globalThis as { takenCases?: Taken };
  return { few, all, night }[takenCases];
}
