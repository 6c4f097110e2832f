import { join } from "node:path";
import type { EmulatorProcess } from "../../support/emulator-process";
import type { Program } from "../../support/engine";
import { baseEnv } from "../../support/pulumi-command";

const day = 86_400_000;

/** What a node of the engine loads before all else: its clock goes ahead by what the environment says. */
const clock = `
const real = Date.now;
Date.now = () => real() + Number(process.env.TEST_CLOCK_AHEAD ?? 0);
`;

/** The environment of a call that happens so many days after now, at the service and at the engine. */
export async function daysAhead(
  days: number,
  program: Program,
  emulator: EmulatorProcess,
): Promise<Record<string, string>> {
  program.write({ "clock.js": clock });
  await emulator.setClock(new Date(Date.now() + days * day).toISOString());
  return {
    NODE_OPTIONS: `${baseEnv().NODE_OPTIONS ?? ""} --require ${join(program.dir, "clock.js")}`,
    TEST_CLOCK_AHEAD: String(days * day),
  };
}
