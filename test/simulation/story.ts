/** What the tests of earlier findings have in common. */
import "./machine/entropy";
import type { World } from "../worlds/plan";
import { runBoth } from "./both-doors";
import type { Moment } from "./world-run";

/** Runs a world as it was found, through both doors. Fails with what is wrong and with what happened until then, which it returns otherwise. */
export async function endsWell(world: World, moment?: Moment): Promise<readonly string[]> {
  try {
    return (await runBoth(world, { moment })).trace;
  } catch (error) {
    const { message, trace } = error as Error & { trace: readonly string[] };
    throw new Error(`${message}\n\nUntil then:\n${trace.join("\n")}`, { cause: error });
  }
}
