/** The configuration of a stack. */
import { membersOf } from "../schema/unknown";
import { printedJson, pulumi } from "./pulumi";
import type { PulumiCall } from "./pulumi";

/** The texts in the configuration by their keys; secrets in plaintext. */
export async function stackConfig(stack: string, call: PulumiCall): Promise<Map<string, string>> {
  const { stdout } = await pulumi(["config", "--json", "--show-secrets", "--stack", stack], call);
  const config = membersOf(printedJson(stdout, `the configuration of the stack ${stack}`));
  const entries = Object.entries(config).map(([key, entry]): [string, unknown] => [
    key,
    membersOf(entry).value,
  ]);
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
