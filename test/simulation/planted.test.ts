/** The mistakes that `npm run simulate -- --planted` puts into the sources: each must fit, or the run ends there. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

interface Mistake {
  name: string;
  file: string;
  from: string;
}

it("finds the text of every planted mistake once in its file", () => {
  const list = join(root, "test/simulation/planted/mistakes.mjs");
  const code = `import(${JSON.stringify(list)}).then(({ mistakes }) => console.log(JSON.stringify(mistakes)))`;
  const mistakes = JSON.parse(
    execFileSync(process.execPath, ["--eval", code], { encoding: "utf8" }),
  ) as Mistake[];
  expect(mistakes.length).toBeGreaterThan(30);
  const wrong = mistakes.filter(
    ({ file, from }) => readFileSync(join(root, file), "utf8").split(from).length !== 2,
  );
  expect(wrong.map(({ name, file }) => `${name}: ${file}`)).toEqual([]);
});
