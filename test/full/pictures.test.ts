/** The pictures of the README show what the commands print today. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../docs/blocks";
import { engineSetup } from "../support/engine-setup";

const committed = join(root, "docs/pictures");

/** Pulumi prints a step and the error of another one in the order in which they come, which is a matter of load. */
const linesOf = (svg: string) =>
  svg
    .split("\n")
    .map((line) => line.replace(/^<text y="\d+"/, "<text"))
    .sort();

describe("npm run pictures", () => {
  let made: string;

  beforeAll(() => {
    made = mkdtempSync(join(engineSetup().folder, "pictures-"));
    const run = spawnSync(process.execPath, ["scripts/pictures.mjs", "--out", made], {
      cwd: root,
      encoding: "utf8",
    });
    if (run.status !== 0) throw new Error(run.stdout + run.stderr);
  });

  it("makes the pictures that are there", () => {
    expect(readdirSync(made).sort()).toEqual(readdirSync(committed).sort());
  });

  it.each(readdirSync(committed))("makes %s as it is", (name) => {
    const [now, then] = [made, committed].map((folder) => linesOf(readFileSync(join(folder, name), "utf8")));
    expect(now).toEqual(then);
  });
});
