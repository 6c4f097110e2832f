/** The stacks of a project that a command works on. */
import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { GatewayError } from "../../provider/errors";
import { withReason } from "../../stack/pulumi";
import { shortName, stacksIn } from "../../stack/stacks";
import { globPattern } from "../../text/glob";
import { compareTexts } from "../../text/order";
import { firstOf, shortened } from "../../text/phrase";
import { integer, several } from "../command";

export interface StacksFlags {
  stacks?: string[];
  cwd?: string;
  parallel?: number;
}

export function withStacks(command: Command): Command {
  return command
    .option(
      "--stacks <pattern>",
      "the stacks of the project whose names match, such as prod-*; * matches any text; repeatable",
      several,
    )
    .option(
      "--parallel <number>",
      "with --stacks: how many stacks at the same time (default: the number of processors)",
      integer(1, 1000),
    );
}

/** How many stacks are worked on at the same time: each one keeps about one processor busy. */
export function parallelOf({ parallel }: StacksFlags): number {
  return parallel ?? availableParallelism();
}

/** The most stacks that an error names. */
const mostNamed = 20;

/** The names of the project's stacks that match a pattern, sorted. Throws a GatewayError where a pattern matches none. */
export async function stacksLike(patterns: readonly string[], cwd: string | undefined): Promise<string[]> {
  const names = (await listedStacks(cwd)).map(({ name }) => name);
  const matching = patterns.flatMap((pattern) => {
    const glob = globPattern(pattern);
    const found = names.filter((name) => glob.test(name) || glob.test(shortName(name)));
    if (found.length > 0) return found;
    throw new GatewayError(
      `no stack of the project matches ${JSON.stringify(shortened(pattern, 200))}; ` +
        (names.length === 0 ? "it has no stack" : `its stacks are ${firstOf(names, mostNamed)}`),
    );
  });
  return [...new Set(matching)].sort(compareTexts);
}

/** The stack that is selected. Throws a GatewayError where none is. */
export async function selectedStack(cwd: string | undefined): Promise<string> {
  const selected = (await listedStacks(cwd)).find(({ isSelected }) => isSelected);
  if (selected) return selected.name;
  throw new GatewayError("no stack is selected: name it with --stack, or choose several with --stacks");
}

function listedStacks(cwd: string | undefined): ReturnType<typeof stacksIn> {
  return stacksIn(cwd).catch(
    withReason((reason) => `the stacks of the project could not be listed: ${reason}`),
  );
}
