import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { missingImport, modulesIn } from "../../../src/tools/import/program/main-file";
import { mainFileOf, projectName } from "../../../src/tools/import/project/project";
import { projectAbove } from "../../../src/tools/stack/project-folder";
import { temporaryFolder } from "../../support/folders";

let folder: string;
beforeEach(() => (folder = temporaryFolder("main")));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
const missing = (out = "imported"): string | undefined => missingImport(folder, join(folder, out));

it.each([
  ["nothing", {}, "index.ts"],
  ["package.json", { "package.json": '{"main": "bin/index.js"}' }, "bin/index.js"],
  ["Pulumi.yaml", { "Pulumi.yaml": "name: x\nmain: src/main.ts # here\n", "src/main.ts": "" }, "src/main.ts"],
  ["a folder in Pulumi.yaml", { "Pulumi.yaml": "main: 'infra/'\n", "infra/index.ts": "" }, "infra/index.ts"],
  [
    "a folder with a package.json",
    { "Pulumi.yml": "main: infra\n", "infra/package.json": '{"main": "run.ts"}' },
    "infra/run.ts",
  ],
  ["a folder in package.json", { "package.json": '{"main": "src"}', "src/index.ts": "" }, "src/index.ts"],
  ["nothing that is its own", { "Pulumi.yaml": "name: x\nconfig:\n  main: src/other.ts\n" }, "index.ts"],
  ["Pulumi.json", { "Pulumi.json": '{"name": "x", "main": "app.ts"}', "app.ts": "" }, "app.ts"],
])("finds the main file by %s", (_, files, expected) => {
  write(files);
  expect(mainFileOf(folder)).toBe(join(folder, expected));
});

it.each([
  ['import "./imported";'],
  ["import './imported/index';"],
  ['require("./imported/index.js");'],
  ['export * from "./imported/";'],
])("sees that the program loads the files: %s", (line) => {
  write({ "index.ts": "export {};" });
  expect(missing()).toBe('import "./imported";');
  write({ "index.ts": line });
  expect(missing()).toBeUndefined();
});

it("accepts an import in another file beside the main file, and gives the path from there", () => {
  write({ "Pulumi.yaml": "main: src/main.ts", "src/main.ts": 'import "./all";' });
  expect(missing()).toBe('import "../imported";');
  write({ "src/all.ts": 'import "../imported";' });
  expect(missing()).toBeUndefined();
});

it("needs no import where the files are in the project's own folder", () => {
  expect(missing(".")).toBeUndefined();
});

it.each(['import "./imported-legacy";', '// import "./imported";', 'import "./imported/more";'])(
  "does not accept what only looks like the import: %s",
  (line) => {
    write({ "index.ts": line });
    expect(missing()).toBe('import "./imported";');
  },
);

it("finds the modules that a source loads, without comments and extensions", () => {
  const source = `import "./policies";\nrequire('./edges.js');\n/*\n * import "./never";\n */\n`;
  expect(modulesIn(source)).toEqual(["./policies", "./edges"]);
});

it("finds the name of a project, and the project above a folder", () => {
  write({ "Pulumi.yml": 'name: "shop"\nmain: src\n', "src/deep/index.ts": "" });
  expect(projectName(folder)).toBe("shop");
  expect(projectAbove(join(folder, "src/deep"))).toBe(folder);
  expect(projectName(join(folder, "src"))).toBeUndefined();
});

it.each([
  ["a text in quotation marks", 'name: "a: b" # the name\n', "a: b"],
  ["a text in a flow map", "{name: shop, runtime: nodejs}\n", "shop"],
  ["a text with an anchor", "name: &name shop\ndescription: *name\n", "shop"],
  ["a folded text", "name: >-\n  shop\nruntime: nodejs\n", "shop"],
  ["a directive that YAML warns of, with the text as it is", "%\u001b[31m\n---\nname: shop\n", "shop"],
])("reads Pulumi.yaml as YAML: %s", (_, text, name) => {
  const warn = jest.spyOn(process, "emitWarning").mockReturnValue();
  write({ "Pulumi.yaml": text });
  expect(projectName(folder)).toBe(name);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

it("names the file that is not YAML", () => {
  write({ "Pulumi.yaml": "name: [shop\n" });
  expect(() => projectName(folder)).toThrow(/Pulumi\.yaml is not valid YAML or JSON: /);
});
