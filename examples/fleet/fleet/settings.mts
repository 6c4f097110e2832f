/** Pulumi.<stack>.yaml: the configuration of an account's stack, made from its entry. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { isMap } from "./accounts.mts";
import type { Account } from "./accounts.mts";

const apiKey = "tunnel-gateway:apiKey";

/**
 * Writes the settings of the stack. Values that `pulumi config set --secret` has written stay; everything else is what
 * the entry says.
 * @returns the configuration of the stack.
 */
export function writeSettings(folder: string, account: Account): Readonly<Record<string, unknown>> {
  const file = join(folder, `Pulumi.${account.name}.yaml`);
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const settings: unknown = parse(before);
  const { config: old, ...others } = isMap(settings) ? settings : {};
  const secrets = Object.entries(isMap(old) ? old : {}).filter(
    ([, value]) => isMap(value) && "secure" in value,
  );
  const config = { ...configOf(account, projectOf(folder)), ...Object.fromEntries(secrets) };
  const text = stringify({ ...others, config });
  // The file holds the salt of the stack's secrets, so it is replaced as a whole or not at all.
  if (text !== before) {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  }
  return config;
}

/** Whether the stack has a key of its own among its secrets. */
export function hasKey(config: Readonly<Record<string, unknown>>): boolean {
  return apiKey in config;
}

/** The configuration of the stack as the entry says it, with the keys that Pulumi knows. */
export function configOf({ config, baseUrl }: Account, project: string): Readonly<Record<string, unknown>> {
  const own = Object.entries(config).map(([name, value]) => [`${project}:${name}`, value]);
  return { ...Object.fromEntries(own), "tunnel-gateway:baseUrl": baseUrl };
}

/** The name of the project, which is the namespace of its configuration. */
export function projectOf(folder: string): string {
  const project: unknown = parse(readFileSync(join(folder, "Pulumi.yaml"), "utf8"));
  return isMap(project) ? String(project.name) : "";
}
