/** The plans of the real engine, rehearsed and then deployed. */
import { randomBytes } from "node:crypto";
import { startEmulator } from "../../../src/emulator";
import { RealStack } from "../../soak/stack";
import { onRealEngine } from "../../soak/stage";
import { smallWorldOf } from "../../worlds/plan";
import { leave } from "../machine/entropy";
import { rehearseRounds } from "../rehearsals";
import { takenWorlds } from "./worlds";

leave();

const { seed, first, worlds } = takenWorlds(1, 3);

test.each(["dynamic", "native"] as const)(
  `The rehearsal of ${worlds} worlds sends what the deployment by the real engine sends, and leads to the same account (%s)`,
  async (door) => {
    const emulator = await startEmulator({
      apiKey: `REAL-KEY-${randomBytes(12).toString("hex")}`,
      accessHistory: true,
    });
    const program = RealStack.program(door);
    const wrong: string[] = [];
    let writes = 0;
    try {
      for (let number = first; number < first + worlds; number++) {
        const world = smallWorldOf(seed, number);
        const rehearsed = await onRealEngine(world, { emulator, program }, (stage) => {
          const { stack, account } = stage;
          const rest = () => stage.rest();
          const planText = (resources: Parameters<typeof stack.plan>[0]) => stack.plan(resources);
          return rehearseRounds(world, { stack, account, rest, planText, time: () => Date.now() });
        });
        wrong.push(...rehearsed.differences.map((each) => `Seed ${seed}, world ${number}, ${each}`));
        writes += rehearsed.writes;
      }
    } finally {
      await emulator.close();
    }
    expect(wrong).toEqual([]);
    expect(writes).toBeGreaterThan(2 * worlds);
  },
  worlds * 300_000,
);
