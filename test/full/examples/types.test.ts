/** Checks the types of all examples at once, against the packed package. The other tests of examples leave this out. */
import { cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineSetup } from "../../support/engine-setup";
import { newFolder, root, run } from "../package/support";

const examples = join(root, "examples");
const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && readdirSync(join(examples, entry.name)).includes("index.ts") ? [entry.name] : [],
);

it("compile in strict mode", async () => {
  expect(names).toEqual(expect.arrayContaining(["environments", "fleet", "quickstart"]));
  const folder = newFolder("examples");
  for (const name of names) cpSync(join(examples, name), join(folder, name), { recursive: true });
  symlinkSync(join(engineSetup().template, "node_modules"), join(folder, "node_modules"));
  const compilerOptions = {
    module: "node16",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: names.map((name) => `${name}/index.ts`) }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  expect(await run(process.execPath, [tsc, "-p", "."], { cwd: folder })).toEqual({ exitCode: 0, output: "" });
});
