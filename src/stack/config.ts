/** The configuration of a stack. */
import { pulumi } from "./pulumi";
import type { PulumiCall } from "./pulumi";

/** The texts in the configuration by their keys; secrets in plaintext. Throws a SyntaxError where Pulumi prints no JSON. */
export async function stackConfig(stack: string, call: PulumiCall): Promise<Map<string, string>> {
  const { stdout } = await pulumi(["config", "--json", "--show-secrets", "--stack", stack], call);
  const config = JSON.parse(stdout) as Record<string, { value?: unknown }>;
  const entries = Object.entries(config).map(([key, { value }]): [string, unknown] => [key, value]);
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
