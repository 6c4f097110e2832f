/** The stacks of a project. */
import { GatewayError } from "../provider/errors";
import { recordsIn } from "../schema/unknown";
import { printedJson, pulumi } from "./pulumi";

interface ListedStack {
  /** Pulumi Cloud may print it with its organization and project. */
  readonly name: string;
  readonly isSelected: boolean;
}

/** The stacks of the project in a folder. Throws a GatewayError where Pulumi cannot list them. */
export async function stacksIn(cwd: string | undefined): Promise<ListedStack[]> {
  const { stdout } = await pulumi(["stack", "ls", "--json"], { cwd });
  const listed = printedJson(stdout, "the list of stacks");
  // Taken for an empty list, anything else would make an import create a stack.
  if (!Array.isArray(listed))
    throw new GatewayError("the list of stacks could not be read: pulumi printed no JSON list");
  return recordsIn(listed).flatMap(({ name, current }) =>
    typeof name === "string" && name !== "" ? [{ name, isSelected: current === true }] : [],
  );
}

/** A stack's name without its organization and project. */
export function shortName(stack: string): string {
  return stack.split("/").at(-1)!;
}
