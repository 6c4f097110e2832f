/**
 * Program: an event source, whose type changes in the second round, which replaces it; a new source gets its old type.
 * What happens: the old source is deleted, and the CLI and its plugin die when the service has made the new one of the
 * old type. The state still has the replaced source, with the id that is now the other one's.
 * Expected: `tunnel-gateway orphans` finds the new source, and the repair imports it.
 * Seen: `orphans` took it for the one that was deleted before its replacement, so the next `up` failed:
 * "esb_one/soak_2.v0 exists already". It was first met with another world, before worlds had a source of chance of their own.
 */
import { leave } from "../machine/entropy";
import { endsWell } from "../story";
import type { Round, World } from "../../worlds/plan";
import type { Moment } from "../world-run";

afterAll(leave);

const sources = (types: Record<string, string>): Round => ({
  program: Object.entries(types).map(([name, type]) => ({
    name,
    type: "EventSource",
    args: { subscriptionId: "esb_one", type },
  })),
  byHand: [],
  command: "up",
  faults: [],
  logs: false,
});

/**
 * The number of a world decides the order of its steps, and the package decides what else is drawn from chance. The case needs an
 * order in which the place is free before the new source is made, and in which its creation is the third request.
 */
const mostOrders = 64;
const imported = "import: new esb_one/soak_2.v0";

test("a new source at the place that another one left before its replacement is imported in the repair", async () => {
  const rounds = [sources({ moved: "soak_2.v0" }), sources({ moved: "soak_4.v0", new: "soak_2.v0" })];
  const kill: Moment = { request: 3, strike: { kind: "kill", when: "after" } };
  for (let number = 0; number < mostOrders; number += 1) {
    const world: World = { seed: 1, number, stamps: false, rounds };
    const isFreeInTime = await endsWell(world).then(
      () => true,
      () => false,
    );
    if (isFreeInTime && (await endsWell(world, kill)).join("\n").includes(imported)) return;
  }
  throw new Error(`none of ${mostOrders} orders leads to "${imported}"`);
});
