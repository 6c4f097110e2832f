/** The parts of `npm run mutation`: a test that has another name now would not run, and its mistakes would go unnoticed. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");
const parts =
  jest.requireActual<
    Record<string, { readonly files: readonly string[]; readonly tests: readonly string[] }>
  >("../mutation/parts.cjs");

it.each(Object.entries(parts))("the part %s names files and tests that exist", (_, { files, tests }) => {
  const named = [...files, ...tests.map((test) => `test/${test}.ts`)];
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(Math.min(files.length, tests.length)).toBeGreaterThan(0);
});
