/**
 * Program: an edge whose traffic policy is off, then one whose traffic policy is empty.
 * By hand: somebody switches the policy on and gives it a value.
 * Expected: the update empties the policy, as the program says.
 * Seen: after the refresh the empty value counted as the one that the program had left out, and the edge kept the policy.
 */
import { leave } from "../machine/entropy";
import { endsWell } from "../story";

afterAll(leave);

const traits = { faults: [], logs: false, isRefusedFirst: false, isProtectedFirst: false };
const edge = (trafficPolicy: object) => [{ name: "edge", type: "TcpEdge", args: { trafficPolicy } }];

test("an empty member that the program begins to give is sent", () =>
  endsWell({
    ...{ seed: 777128, number: 873, stamps: true },
    rounds: [
      { ...traits, command: "up", byHand: [], program: edge({ enabled: false }) },
      {
        ...traits,
        command: "up --refresh",
        byHand: [
          { kind: "change", name: "edge", args: { trafficPolicy: { enabled: true, value: "by hand" } } },
        ],
        program: edge({ value: "" }),
      },
    ],
  }));
