/**
 * Program: a rotating key whose next key goes to another public key; the second request of its creation is refused, and the program is
 * taken back.
 * Expected: the key of the refused step, which the state has as the current one, stays valid for the overlap.
 * Seen: it still had the mark of its creation, so the next rotation took it for one of a killed process and deleted it.
 */
import { leave } from "../machine/entropy";
import { endsWell } from "../story";

afterAll(leave);

const calm = { byHand: [], faults: [], logs: false, command: "up" } as const;
const rotating = (args: object) => [
  { name: "r1", type: "RotatingApiKey", args: { rotateAfterDays: 599, overlapDays: 7, ...args } },
];
const refusal = { kind: "fault", rule: { kind: "status", status: 422 } } as const;

test("the key of a rotation that did not end stays valid when the next one begins", () =>
  endsWell(
    {
      ...{ seed: 12, number: 37, stamps: true },
      rounds: [
        { ...calm, program: rotating({}) },
        {
          ...calm,
          program: rotating({ sealTo: "YW5vdGhlciBwdWJsaWMga2V5YW5vdGhlciBwdWJsaWM=" }),
          isTakenBack: true,
        },
      ],
    },
    { request: 4, strike: refusal },
  ));

test("a rotation without an overlap leaves the previous key to the next deployment", () =>
  endsWell({
    ...{ seed: 777128, number: 629, stamps: false },
    rounds: [{}, { sealTo: "YW5vdGhlciBwdWJsaWMga2V5YW5vdGhlciBwdWJsaWM=" }].map((sealing) => ({
      ...calm,
      program: rotating({ overlapDays: 0, ...sealing }),
    })),
  }));
