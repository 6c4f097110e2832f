import { counts } from "./jest.mjs";
import { runTask } from "./tasks.mjs";

/** Later stages run even after a failure, so that one run shows all that is wrong; these need what others make. */
const stages = [
  { name: "lint" },
  { name: "unused" },
  { name: "format" },
  { name: "types" },
  { name: "build" },
  { name: "unit" },
  { name: "engine", needs: "build" },
  { name: "package", needs: "build" },
];

/** Everything `npm test` stands for. The last line on stdout is `N passed, N failed`, over all jest suites. */
export async function testAll() {
  const failed = [];
  for (const { name, needs } of stages) {
    if (failed.includes(needs)) {
      failed.push(name);
      console.log(`\n== ${name}: left out, ${needs} failed`);
      continue;
    }
    console.log(`\n== ${name}`);
    if (!(await succeeds(name))) failed.push(name);
  }
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return failed.length > 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

async function succeeds(name) {
  try {
    return (await runTask(name)) === 0;
  } catch (error) {
    console.error(error.message);
    return false;
  }
}
