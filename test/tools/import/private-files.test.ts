import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { removePrivate, writeComplete, writePrivate } from "../../../src/tools/import/project/private-files";
import { temporaryFolder } from "../../support/folders";

let folder: string;
/** A folder of somebody else, with a file that must stay as it is. */
let victim: string;
beforeEach(() => {
  const root = temporaryFolder("private");
  folder = join(root, "project");
  victim = join(root, "victim");
  mkdirSync(folder);
  mkdirSync(victim);
  for (const name of ["run.json", ".gitignore", "index.ts", "new"])
    writeFileSync(join(victim, name), "theirs");
});

const own = (...names: string[]): string => join(folder, ".tunnel-gateway", ...names);
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const theirs = (): string[] =>
  readdirSync(victim)
    .sort()
    .map((name) => `${name}: ${readFileSync(join(victim, name), "utf8")}`);
const untouched = [".gitignore", "index.ts", "new", "run.json"].map((name) => `${name}: theirs`);

const works: [string, () => unknown][] = [
  ["writing a private file", () => writePrivate(folder, "run.json", "secret")],
  ["writing the program", () => writeComplete(folder, new Map([["index.ts", "text"]]))],
  ["removing a private file", () => removePrivate(folder, "run.json")],
];

describe.each(works)("%s", (_, work) => {
  it("refuses a folder that is a link, and touches nothing behind it", () => {
    symlinkSync(victim, own());
    expect(work).toThrow(/\.tunnel-gateway is a link.*remove it/);
    expect(theirs()).toEqual(untouched);
  });

  it("refuses a link that leads nowhere, and creates nothing there", () => {
    symlinkSync(join(victim, "made"), own());
    expect(work).toThrow(/\.tunnel-gateway is a link/);
    expect(theirs()).toEqual(untouched);
  });

  it("refuses a file of the folder's name", () => {
    writeFileSync(own(), "a file");
    expect(work).toThrow(/\.tunnel-gateway is not a folder/);
  });
});

it.each([".gitignore", "run.json", "new"])("never writes through a link in the folder: %s", (name) => {
  mkdirSync(own());
  symlinkSync(join(victim, name), own(name));
  try {
    writePrivate(folder, "run.json", "secret");
    writeComplete(folder, new Map([["index.ts", "text"]]));
  } catch (error) {
    expect((error as Error).message).toMatch(/\.gitignore is a link/);
  }
  expect(theirs()).toEqual(untouched);
});

it("never writes through a folder of staged files that is a link", () => {
  mkdirSync(own());
  symlinkSync(victim, own("new"));
  writeComplete(folder, new Map([["index.ts", "text"]]));
  expect(theirs()).toEqual(untouched);
  expect(readFileSync(join(folder, "index.ts"), "utf8")).toBe("text");
});

it("replaces a link of a program's file, and not the file behind it", () => {
  symlinkSync(join(victim, "index.ts"), join(folder, "index.ts"));
  writeComplete(folder, new Map([["index.ts", "text"]]));
  expect(theirs()).toEqual(untouched);
  expect(readFileSync(join(folder, "index.ts"), "utf8")).toBe("text");
});

it("makes the folder and its files readable by their owner alone, also where the folder exists", () => {
  mkdirSync(own());
  chmodSync(own(), 0o777);
  const file = writePrivate(folder, "run.json", "secret");
  expect([modeOf(own()), modeOf(file)]).toEqual([0o700, 0o600]);
  removePrivate(folder, "run.json");
  expect(existsSync(own())).toBe(false);
  writePrivate(folder, "run.json", "secret");
  expect(modeOf(own())).toBe(0o700);
});

it("replaces what an earlier run left", () => {
  writePrivate(folder, "run.json", "first");
  expect(readFileSync(writePrivate(folder, "run.json", "second"), "utf8")).toBe("second");
});
