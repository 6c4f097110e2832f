/** The project that a program's files are a part of. */
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { GatewayError } from "../provider/errors";

/** Throws where the project cannot load this package: without it Pulumi can do nothing. */
export function requirePackage(cwd: string): void {
  try {
    createRequire(join(resolve(cwd), "_")).resolve("pulumi-tunnel-gateway/provider");
  } catch {
    throw new GatewayError(
      `nothing is imported yet: pulumi-tunnel-gateway is not installed in ${cwd}. Run "npm install" there, then this again`,
    );
  }
}

/** What a project's main file must get so that it loads the folder of the program's files; undefined where it does. */
export function missingImport(cwd: string, out: string): string | undefined {
  if (resolve(out) === resolve(cwd)) return undefined;
  const folder = dirname(mainFileOf(cwd));
  if (loads(folder, resolve(out))) return undefined;
  const path = relative(folder, out).split("\\").join("/");
  return `import "${path.startsWith(".") ? path : `./${path}`}";`;
}

/** The file that Pulumi runs; it need not exist. */
export function mainFileOf(cwd: string): string {
  const project = projectFileOf(cwd);
  const named = join(
    cwd,
    (project === undefined ? undefined : memberIn("main", readFileSync(project, "utf8"))) ?? ".",
  );
  if (!isFolder(named)) return named;
  const manifest = join(named, "package.json");
  const main = join(
    named,
    (existsSync(manifest) ? memberIn("main", readFileSync(manifest, "utf8")) : undefined) ?? "index.ts",
  );
  return isFolder(main) ? join(main, "index.ts") : main;
}

/** The project's name, which is the namespace of its configuration. */
export function projectName(cwd: string): string | undefined {
  const project = projectFileOf(cwd);
  return project === undefined ? undefined : memberIn("name", readFileSync(project, "utf8"));
}

/** The nearest folder above this one that is a Pulumi project, where Pulumi itself would work. */
export function projectAbove(folder: string): string | undefined {
  const above = dirname(folder);
  if (above === folder) return undefined;
  return isProject(above) ? above : projectAbove(above);
}

/** Whether the folder is a Pulumi project. */
export function isProject(folder: string): boolean {
  return projectFileOf(folder) !== undefined;
}

/** The relative modules that a source names, outside of comments, without their extensions. */
export function modulesIn(source: string): string[] {
  const lines = source.split("\n").filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line));
  return [...lines.join("\n").matchAll(/(["'])(\.[^"'\n]*)\1/g)].map(([, , path]) =>
    path!.replace(/\.[cm]?[jt]s$/, ""),
  );
}

function projectFileOf(folder: string): string | undefined {
  return ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]
    .map((name) => join(folder, name))
    .find((file) => existsSync(file));
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** A top-level member of JSON or YAML. */
function memberIn(member: "main" | "name", text: string): string | undefined {
  try {
    return (JSON.parse(text) as Partial<Record<typeof member, string>>)[member];
  } catch {
    return new RegExp(`^${member}:\\s*(["']?)([^"'\\n#]+?)\\1\\s*(?:#.*)?$`, "m").exec(text)?.[2];
  }
}

/** Whether a source file of the folder names the other folder, or its index, as a module. */
function loads(folder: string, wanted: string): boolean {
  const sources = existsSync(folder) ? readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name)) : [];
  return sources.some((name) =>
    modulesIn(readFileSync(join(folder, name), "utf8")).some((path) => {
      const target = resolve(folder, path);
      return target === wanted || target === join(wanted, "index");
    }),
  );
}
