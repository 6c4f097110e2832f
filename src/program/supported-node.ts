/** Ends a program on an unsupported Node.js. The public entry imports this file first. */
import { nodeProblem } from "../provider/version";

const problem = nodeProblem();
if (problem !== undefined) {
  // Pulumi prints an error with this mark without a stack.
  throw Object.assign(new Error(problem), { stack: problem, __pulumiRunError: true });
}
