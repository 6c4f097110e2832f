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
import type { Round } from "../../worlds/plan";

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

test("a new source at the place that another one left before its replacement is imported in the repair", async () => {
  const rounds = [sources({ moved: "soak_2.v0" }), sources({ moved: "soak_4.v0", new: "soak_2.v0" })];
  const trace = await endsWell(
    // The number decides the order: the place is free before the new source is made.
    { seed: 1, number: 8, stamps: false, rounds },
    { request: 3, strike: { kind: "kill", when: "after" } },
  );
  expect(trace.join("\n")).toContain("import: new esb_one/soak_2.v0");
});
