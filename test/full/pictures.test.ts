/** The pictures of the README show what the commands print today. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../docs/blocks";
import { engineSetup } from "../support/engine-setup";

const committed = join(root, "docs/pictures");

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
    expect(readFileSync(join(made, name), "utf8")).toBe(readFileSync(join(committed, name), "utf8"));
  });
});
