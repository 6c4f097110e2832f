/** The folder of a Pulumi project. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export function isProject(folder: string): boolean {
  return projectFileOf(folder) !== undefined;
}

/** The nearest folder from this one upward that is a Pulumi project, as Pulumi finds it. */
export function projectAbove(folder: string): string | undefined {
  const above = dirname(folder);
  if (above === folder) return undefined;
  return isProject(above) ? above : projectAbove(above);
}

export function projectFileOf(folder: string): string | undefined {
  return ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]
    .map((name) => join(folder, name))
    .find((file) => existsSync(file));
}
