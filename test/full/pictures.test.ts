/** The pictures of the README show what the commands print today. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../docs/blocks";
import { engineSetup } from "../support/engine-setup";
import { baseEnv } from "../support/pulumi-command";

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
    const { NODE_COMPILE_CACHE, NODE_OPTIONS } = baseEnv();
    // The sessions of pages check the types of the README's programs.
    const faster = { NODE_COMPILE_CACHE, NODE_OPTIONS, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const run = spawnSync(process.execPath, ["scripts/pictures.mjs", "--out", made], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, ...faster },
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
