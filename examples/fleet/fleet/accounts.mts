/** accounts.yaml: which accounts there are. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { UserError } from "./errors.mts";

/** The rings, in the order in which they are deployed. */
export const rings = ["canary", "early", "all"] as const;
export type Ring = (typeof rings)[number];

export interface Account {
  /** The name of its stack. */
  readonly name: string;
  readonly ring: Ring;
  readonly baseUrl: string;
  /** The configuration of the program. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The secret of a pipeline with the key of an account. Names have no underscore, so no two share one. */
export function keyVariable(name: string): string {
  return `TUNNEL_GATEWAY_API_KEY_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** The accounts by their rings, in the order of the file within a ring. Throws one error with all that is wrong. */
export function readAccounts(file: string): Account[] {
  const content = contentOf(file);
  const entries = isMap(content) && isMap(content.accounts) ? Object.entries(content.accounts) : [];
  const problems = entries.flatMap(([name, entry]) => problemsOf(entry).map((text) => `${name}: ${text}`));
  for (const [name] of entries)
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 50)
      problems.push(
        `${name}: the name must consist of lower-case letters, digits and single hyphens, at most 50`,
      );
  if (entries.length === 0) problems.push("it lists no account");
  if (problems.length > 0) throw new UserError(`${file} is not valid:\n  ${problems.join("\n  ")}`);
  const accounts = entries.map(([name, entry]) => {
    const { ring, baseUrl, config = {} } = entry as Partial<Account>;
    return { name, ring: ring!, baseUrl: baseUrl!, config };
  });
  return rings.flatMap((ring) => accounts.filter((account) => account.ring === ring));
}

function contentOf(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UserError(`${file} could not be read: ${(error as Error).message}`);
  }
}

function problemsOf(entry: unknown): string[] {
  if (!isMap(entry)) return ["must have ring, baseUrl and config"];
  const { ring, baseUrl, config = {}, ...others } = entry;
  const problems = Object.keys(others).map((name) => `unknown field "${name}": use ring, baseUrl and config`);
  if (!rings.includes(ring as Ring)) problems.push(`ring must be one of ${rings.join(", ")}`);
  if (typeof baseUrl !== "string" || !URL.canParse(baseUrl)) problems.push("baseUrl must be a URL");
  if (!isMap(config)) return [...problems, "config must be a map"];
  for (const name of Object.keys(config)) {
    // Git keeps what was committed once, so a key in this file is no secret any more.
    if (/apiKey/i.test(name))
      problems.push(`${name} does not belong into this file: replace the key at the service`);
    else if (!/^[A-Za-z][\w-]*$/.test(name))
      problems.push(`"${name}" is not a valid name of a configuration value`);
  }
  return problems;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
