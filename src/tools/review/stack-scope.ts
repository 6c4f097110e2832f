/** What the entries of a review of several stacks have in common. */
import { most3, firstOf, shortened } from "../../schema/text/phrase";

/** "prod-eu, prod-us and 37 more" */
export function namesText(stacks: readonly string[]): string {
  const names = stacks.map((stack) => shortened(stack, 60));
  return firstOf(names, namesAll(stacks) ? most3 : most3 - 1);
}

/** Whether the text names all of them. */
export function namesAll(stacks: readonly string[]): boolean {
  return stacks.length <= most3;
}
