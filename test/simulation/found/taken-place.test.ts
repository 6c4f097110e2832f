/**
 * Program: an event source, whose type changes in the second round, which replaces it; a new source gets its old type.
 * What happens: Pulumi creates the new source before it deletes the old one, at the same path.
 * Expected: the new source takes the place over, and nothing deletes it.
 * Seen: the delete of the old source would have removed the new one.
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

test("a new source takes the place that another one leaves in the same deployment", async () => {
  const rounds = [sources({ moved: "soak_2.v0" }), sources({ moved: "soak_4.v0", new: "soak_2.v0" })];
  // The number of a world decides the order of its steps.
  for (let number = 0; number < 8; number += 1) {
    const trace = await endsWell({ seed: 1, number, stamps: false, rounds });
    expect(trace.join("\n")).toContain("esb_one/soak_2.v0: was not deleted");
  }
});
