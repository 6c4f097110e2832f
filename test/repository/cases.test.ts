/** Which tests take more cases in `npm run test:full` and at night. */
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

interface Configuration {
  readonly projects: readonly { readonly displayName: string; readonly testMatch: readonly string[] }[];
}

it("takes the cases of every test that has cases at night", () => {
  process.env.TUNNEL_GATEWAY_CASES = "night";
  const { projects } = jest.requireActual<Configuration>("../../jest.config.js");
  const { testMatch } = projects.find(({ displayName }) => displayName === "cases")!;
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .filter((name) => /from "(\.\.\/)+support\/cases"/.test(readFileSync(join(root, "test", name), "utf8")));
  expect(testMatch.toSorted()).toEqual(files.map((name) => `<rootDir>/test/${name}`).sort());
  expect(files.length).toBeGreaterThan(5);
});
