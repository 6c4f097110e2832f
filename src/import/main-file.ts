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
  const project = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]
    .map((name) => join(cwd, name))
    .find((file) => existsSync(file));
  const named = join(cwd, (project === undefined ? undefined : mainIn(readFileSync(project, "utf8"))) ?? ".");
  if (!existsSync(named) || !statSync(named).isDirectory()) return named;
  const manifest = join(named, "package.json");
  return join(
    named,
    (existsSync(manifest) ? mainIn(readFileSync(manifest, "utf8")) : undefined) ?? "index.ts",
  );
}

/** The top-level member `main` of JSON or YAML. */
function mainIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { main?: string }).main;
  } catch {
    return /^main:\s*(["']?)([^"'\n#]+?)\1\s*(?:#.*)?$/m.exec(text)?.[2];
  }
}

/** Whether a source file of the folder names the other folder, or its index, as a module. */
function loads(folder: string, wanted: string): boolean {
  const sources = existsSync(folder) ? readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name)) : [];
  return sources.some((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/(["'])(\.[^"'\n]*)\1/g)].some(([, , path]) => {
      const target = resolve(folder, path!).replace(/\.[cm]?[jt]s$/, "");
      return target === wanted || target === join(wanted, "index");
    }),
  );
}
