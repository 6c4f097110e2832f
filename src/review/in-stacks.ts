/** What the entries of a review of several stacks have in common. */
import { shortened } from "../text/phrase";

/** An entry of a review that several stacks may have. */
export interface InStacks {
  /** The stacks that have it, by their names in the review; undefined in the review of one stack. */
  readonly stacks?: readonly string[];
}

/** The most stacks that a text names all of. */
const mostNamed = 3;

/** "prod-eu, prod-us and 37 more" */
export function namesText(stacks: readonly string[]): string {
  const shown = stacks.length > mostNamed ? stacks.slice(0, mostNamed - 1) : stacks;
  const named = shown.map((stack) => shortened(stack, 60)).join(", ");
  const rest = stacks.length - shown.length;
  return rest === 0 ? named : `${named} and ${rest.toLocaleString("en-US")} more`;
}
