/**
 * Program: an edge without a traffic policy, then with an empty one.
 * By hand: somebody gives the edge a traffic policy.
 * Expected: the service keeps it, because the program sets no member of it, and the state has it too.
 * Seen: the update sent nothing, and the state had an empty traffic policy until the next refresh.
 */
import { leave } from "../machine/entropy";
import { endsWell } from "../story";

afterAll(leave);

const traits = { faults: [], logs: false, isRefusedFirst: false, isProtectedFirst: false };

test("the state keeps the traffic policy that others set where the program has an empty one", () =>
  endsWell({
    seed: 101,
    number: 1088,
    stamps: true,
    rounds: [
      { ...traits, command: "up", byHand: [], program: [{ name: "edge", type: "TcpEdge", args: {} }] },
      {
        ...traits,
        command: "refresh, then up",
        byHand: [
          { kind: "change", name: "edge", args: { trafficPolicy: { enabled: true, value: "by hand" } } },
        ],
        program: [{ name: "edge", type: "TcpEdge", args: { trafficPolicy: {} } }],
      },
    ],
  }));
