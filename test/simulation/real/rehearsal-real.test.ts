/** The plans of the real engine, rehearsed and then deployed. */
import { smallWorldOf } from "../../worlds/plan";
import { leave } from "../machine/entropy";
import { rehearseRounds } from "../rehearsals";
import { onRealEngine } from "./stage";
import { takenWorlds, throughReal } from "./worlds";

leave();

const { seed, numbers } = takenWorlds(1, 3);

test.each(["dynamic", "native"] as const)(
  `The rehearsal of ${numbers.length} worlds sends what the deployment by the real engine sends, and leads to the same account (%s)`,
  async (door) => {
    let writes = 0;
    const wrongIn: Parameters<typeof throughReal>[1] = async (number, setting) => {
      const world = smallWorldOf(seed, number);
      const rehearsed = await onRealEngine(world, setting, (stage) => {
        const { stack, account } = stage;
        const rest = () => stage.rest();
        const planText = (resources: Parameters<typeof stack.plan>[0]) => stack.plan(resources);
        return rehearseRounds(world, { stack, account, rest, planText, time: () => Date.now() });
      });
      writes += rehearsed.writes;
      return rehearsed.differences.map((each) => `Seed ${seed}, world ${number}, ${each}`);
    };
    await throughReal(numbers, wrongIn, door);
    expect(writes).toBeGreaterThan(2 * numbers.length);
  },
  numbers.length * 300_000,
);
