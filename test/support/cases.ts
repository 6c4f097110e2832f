/** How many cases a test takes: a few in `npm test`, all in `npm run test:full`. jest.config.js lists the files of such tests. */
export function cases(few: number, all: number): number {
  return (globalThis as { takesAllCases?: boolean }).takesAllCases === true ? all : few;
}
