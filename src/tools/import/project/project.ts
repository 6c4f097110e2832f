/** The Pulumi project that an import works in. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { asText, membersOf } from "../../../schema/unknown";
import { GatewayError } from "../../../provider/errors";
import { projectFileOf } from "../../stack/project-folder";
import { parsedYaml } from "../../stack/yaml";

/** The project's name, which is the namespace of its configuration. */
export function projectName(cwd: string): string | undefined {
  return textIn(projectFileOf(cwd), "name");
}

/** The file that Pulumi runs, by `main` in Pulumi.yaml or package.json. It may not exist. */
export function mainFileOf(cwd: string): string {
  const program = join(cwd, textIn(projectFileOf(cwd), "main") ?? ".");
  if (!isFolder(program)) return program;
  const main = join(program, textIn(join(program, "package.json"), "main") ?? "index.ts");
  return isFolder(main) ? join(main, "index.ts") : main;
}

/** Throws if the project cannot load this package: Pulumi could not manage the imported resources. */
export function requirePackage(cwd: string): void {
  try {
    createRequire(join(resolve(cwd), "_")).resolve("pulumi-tunnel-gateway/provider");
  } catch {
    throw new GatewayError(
      `nothing was imported: pulumi-tunnel-gateway is not installed in ${cwd}. Run "npm install" there, then run ` +
        `this command again`,
    );
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** A top-level text member of a YAML or JSON file. */
function textIn(file: string | undefined, member: string): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  try {
    return asText(membersOf(parsedYaml(readFileSync(file, "utf8")))[member]);
  } catch (error) {
    throw new GatewayError(`${file} is not valid YAML or JSON: ${(error as Error).message}`);
  }
}
