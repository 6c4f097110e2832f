/**
 * Program: an event source, whose type changes in the second round, which replaces it.
 * What happens: the plugin dies when the service has made the new source, and the engine records nothing of it.
 * Expected: `tunnel-gateway orphans --planned` finds the new source, and the repair imports it.
 * Seen: `orphans` compared no creates of replacements, so the next `up` failed: "esb_one/soak_4.v0 exists already".
 * Again: `npm run simulate -- --points crash --seed 1 --first 47 --worlds 1`.
 */
import { leave } from "../machine/entropy";
import { endsWell } from "../story";
import type { Round } from "../../worlds/plan";

afterAll(leave);

const source = (type: string): Round => ({
  program: [{ name: "r1", type: "EventSource", args: { subscriptionId: "esb_one", type } }],
  byHand: [],
  command: "up",
  faults: [],
  logs: false,
});

test("the new source of a replacement, whose plugin died, is imported in the repair", () =>
  endsWell(
    { seed: 1, number: 47, stamps: false, rounds: [source("soak_2.v0"), source("soak_4.v0")] },
    { request: 3, strike: { kind: "kill", when: "after", isAlone: true } },
  ));
