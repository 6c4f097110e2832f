import { appendFileSync } from "node:fs";

/** How many failures are said again: a log that ends with hundreds of them hides the first. */
const mostNamed = 20;

/**
 * Prints what failed, and `N passed, N failed`, the line that CI reads. All of it also goes to the file that the variable
 * TUNNEL_GATEWAY_TEST_COUNTS names: .ci/run prints the failures of several runs there at its end, and adds up the counts.
 */
export function report({ passed, failed, failures }) {
  const lines = failures.slice(0, mostNamed).map((failure) => `\nFAILED ${indented(failure)}`);
  if (failures.length > mostNamed) lines.push(`\n${failures.length - mostNamed} more failed.`);
  lines.push(`${passed} passed, ${failed} failed`);
  const text = lines.join("\n");
  const file = process.env.TUNNEL_GATEWAY_TEST_COUNTS;
  if (file) appendFileSync(file, `${text}\n`);
  console.log(text);
}

/** No line of a failure may begin as the line of the counts does. */
function indented(text) {
  return text.replaceAll("\n", "\n  ");
}
