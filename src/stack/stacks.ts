/** The stacks of a project. */
import { recordsIn } from "../schema/unknown";
import { printedJson, pulumi } from "./pulumi";

interface ListedStack {
  /** Pulumi Cloud may print it with its organization and project. */
  readonly name: string;
  readonly isSelected: boolean;
}

/** The stacks of the project in a folder. Throws a PulumiError where Pulumi cannot list them. */
export async function stacksIn(cwd: string | undefined): Promise<ListedStack[]> {
  const { stdout } = await pulumi(["stack", "ls", "--json"], { cwd });
  return recordsIn(printedJson(stdout, "the list of stacks")).flatMap(({ name, current }) =>
    typeof name === "string" && name !== "" ? [{ name, isSelected: current === true }] : [],
  );
}

/** A stack's name without its organization and project. */
export function shortName(stack: string): string {
  return stack.split("/").at(-1)!;
}
