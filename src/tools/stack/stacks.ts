/** The stacks of a project. */
import { GatewayError } from "../../provider/errors";
import { recordsIn } from "../../schema/unknown";
import { globPattern } from "../../schema/text/glob";
import { compareTexts } from "../../schema/text/compare-texts";
import { firstOf, most20, shortened } from "../../schema/text/phrase";
import { printedJson, pulumi, withReason } from "./pulumi";

interface ListedStack {
  /** The name of the stack. Pulumi Cloud may print it with its organization and project. */
  readonly name: string;
  readonly isSelected: boolean;
}

/** The stacks of the project in a folder. Throws a GatewayError if Pulumi cannot list them. */
export async function stacksIn(cwd: string | undefined): Promise<ListedStack[]> {
  const { stdout } = await pulumi(["stack", "ls", "--json"], { cwd });
  const listed = printedJson(stdout, "the list of stacks");
  // If other output counted as an empty list, an import would create a stack.
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

/** The names of the project's stacks that match a pattern, sorted. Throws a GatewayError if a pattern matches none. */
export async function stacksLike(patterns: readonly string[], cwd: string | undefined): Promise<string[]> {
  const names = (await listedStacks(cwd)).map(({ name }) => name);
  const matching = patterns.flatMap((pattern) => {
    const glob = globPattern(pattern);
    const found = names.filter((name) => glob.test(name) || glob.test(shortName(name)));
    if (found.length > 0) return found;
    throw new GatewayError(
      `no stack of the project matches ${JSON.stringify(shortened(pattern, 200))}; ` +
        (names.length === 0 ? "it has no stack" : `its stacks are ${firstOf(names, most20)}`),
    );
  });
  return [...new Set(matching)].sort(compareTexts);
}

/** The selected stack. Throws a GatewayError if none is selected. */
export async function selectedStack(cwd: string | undefined): Promise<string> {
  const selected = (await listedStacks(cwd)).find(({ isSelected }) => isSelected);
  if (selected) return selected.name;
  throw new GatewayError("no stack is selected: name it with --stack, or choose several with --stacks");
}

function listedStacks(cwd: string | undefined): Promise<ListedStack[]> {
  return stacksIn(cwd).catch(
    withReason((reason) => `the stacks of the project could not be listed: ${reason}`),
  );
}
