/** The configuration of a stack. */
import { membersOf } from "../../schema/unknown";
import { printedJson, pulumi } from "./pulumi";
import type { PulumiCall } from "./pulumi";

/**
 * The texts in the configuration by their keys; secrets in plaintext.
 * @param file the configuration file for Pulumi to read instead of the stack's own.
 */
export async function stackConfig(
  stack: string,
  call: PulumiCall,
  file?: string,
): Promise<Map<string, string>> {
  const from = file === undefined ? [] : ["--config-file", file];
  const { stdout } = await pulumi(["config", "--json", "--show-secrets", "--stack", stack, ...from], call);
  const config = membersOf(printedJson(stdout, `the configuration of the stack ${stack}`));
  const entries = Object.entries(config).map(([key, entry]) => [key, membersOf(entry).value] as const);
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

export type StackConfig = () => ReturnType<typeof stackConfig>;

/** Reads the configuration at the first call only: Pulumi may ask for a passphrase each time. */
export function configOnce(stack: string, call: PulumiCall): StackConfig {
  let reading: ReturnType<StackConfig> | undefined;
  return () => (reading ??= stackConfig(stack, call));
}

/** The maximum length of a text in one environment variable: Windows allows 32,767 characters for all of them. */
const longestVariable = 24_000;

/**
 * Sets secrets of the configuration, by their keys. Their values are never on a command line, which every process can read.
 * `config set-all` takes its flag --json from the environment, which only the same user can read. An old CLI ignores the
 * variable, and long values do not fit into it; the remaining values are set one by one through stdin.
 */
export async function setSecrets(
  stack: string,
  secrets: ReadonlyMap<string, string>,
  call: PulumiCall,
): Promise<void> {
  const values = [...secrets].map(([key, value]) => [key, { value, secret: true }] as const);
  const json = JSON.stringify(Object.fromEntries(values));
  if (Buffer.byteLength(json) <= longestVariable) {
    await pulumi(["config", "set-all", "--stack", stack], { ...call, env: { PULUMI_OPTION_JSON: json } });
  }
  const current = await stackConfig(stack, call);
  for (const [key, value] of secrets) {
    if (current.get(key) === value) continue;
    await pulumi(["config", "set", "--secret", key, "--stack", stack, "--raw"], { ...call, input: value });
  }
}
