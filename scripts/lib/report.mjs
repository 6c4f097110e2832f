import { appendFileSync } from "node:fs";

/**
 * Prints `N passed, N failed`, the line that CI reads. The line also goes to the file that the variable
 * TUNNEL_GATEWAY_TEST_COUNTS names: .ci/run adds up several runs there.
 */
export function report({ passed, failed }) {
  const line = `${passed} passed, ${failed} failed`;
  const file = process.env.TUNNEL_GATEWAY_TEST_COUNTS;
  if (file) appendFileSync(file, `${line}\n`);
  console.log(line);
}
