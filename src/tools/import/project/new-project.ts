/** The files of a new Pulumi project. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { stringify } from "yaml";
import { version } from "../../../provider/version";
import { writeComplete } from "./private-files";
import { isProject } from "../../stack/project-folder";

/** Makes a folder a Pulumi project. Existing files are kept. Returns the names of the written files. */
export function writeProject(folder: string): string[] {
  if (isProject(folder)) return [];
  const missing = projectFiles(folder).filter(([file]) => !existsSync(join(folder, file)));
  writeComplete(folder, new Map(missing));
  return missing.map(([file]) => file);
}

function projectFiles(folder: string): [file: string, text: string][] {
  const name = basename(folder).replace(/[^A-Za-z0-9_.-]/g, "-") || "account";
  const manifest = {
    name: name.toLowerCase(),
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.230.0", "pulumi-tunnel-gateway": `^${version}` },
    devDependencies: { typescript: "^5.9.0" },
  };
  const compilerOptions = {
    target: "ES2022",
    module: "node16",
    moduleResolution: "node16",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  return [
    ["package.json", json(manifest)],
    // A project without its own TypeScript gets an old version from Pulumi, which rejects these options.
    ...(namesCompiler(folder)
      ? [["tsconfig.json", json({ compilerOptions, include: ["*.ts"] })] as [string, string]]
      : []),
    // A file backend keeps the state in the folder.
    [".gitignore", "node_modules/\n.pulumi/\n"],
    // Written last, so that a folder with it is a complete project.
    ["Pulumi.yaml", stringify({ name, runtime: "nodejs", main: "index.ts" })],
  ];
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Whether a folder's package.json, existing or new, depends on TypeScript. */
function namesCompiler(folder: string): boolean {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return true;
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<
    "dependencies" | "devDependencies",
    object | undefined
  >;
  return "typescript" in { ...manifest.dependencies, ...manifest.devDependencies };
}
