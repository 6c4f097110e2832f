/**
 * Program: two endpoints, of which the second one has an argument more.
 * What happens: the connections of both creates break. The first one is done half a second later, the second one at once.
 * Expected: the account is searched a second time, which finds the object of the first create.
 * Seen: the one object was counted for both creates, so there was no second search. The first create was repeated, and the
 * account had its object twice.
 * Again, before it was fixed: `npm run simulate -- --seed 101 --first 1979 --worlds 1`.
 */
import { leave } from "../machine/entropy";
import { endsWell } from "../story";

afterAll(leave);

const args = { url: "https://*.example.com", description: "one of two" };

test("an object that fits two lost creates is counted for one of them", async () => {
  const trace = await endsWell({
    seed: 101,
    number: 1979,
    stamps: true,
    rounds: [
      {
        program: [
          { name: "r1", type: "CloudEndpoint", args: { ...args, metadata: "X-Y" } },
          { name: "r3", type: "CloudEndpoint", args: { ...args, metadata: "X-Y", bindings: ["toString"] } },
        ],
        byHand: [],
        command: "up",
        faults: [{ kind: "dropAfter", method: "POST", probability: 1, seed: 8081, times: 3 }],
        logs: false,
        late: { paths: ["/endpoints"], times: 1, milliseconds: 571 },
      },
    ],
  });
  expect(trace.join("\n")).toContain("up ended: well");
});
