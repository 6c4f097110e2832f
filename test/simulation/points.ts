/**
 * Every moment of the last round of a world: the world is run once for each, and something happens there. Processes
 * die before and after each request and each write of the state, the plugin alone after each request, and each request
 * fails in each of these ways, or on a connection that loses its route.
 */
import type { FaultRule } from "../../src/emulator";
import type { World } from "../worlds/plan";
import { runBoth } from "./both-doors";
import type { Finding, Moment } from "./world-run";
import type { Tally } from "../worlds/tally";

/** The ways in which a request can fail, once. */
export const singleFaults: readonly FaultRule[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "status", status: 502, afterWork: true },
  { kind: "status", status: 429, retryAfter: 1 },
  { kind: "html", status: 404 },
  { kind: "html", status: 504, afterWork: true },
  { kind: "dropBefore" },
  { kind: "dropAfter" },
  { kind: "truncate" },
  { kind: "garbage" },
];

/** `back` takes the last round back: after each kill and each refusal, and while the service shows late what it creates. */
export type PointKind = "crash" | "fault" | "back";

const refusal: FaultRule = { kind: "status", status: 422 };

/** The moments at which processes die, or those at which a request fails. */
function momentsOf(kind: PointKind, { requests, writes }: { requests: number; writes: number }): Moment[] {
  const each = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
  const sides = ["before", "after"] as const;
  if (kind === "fault")
    return each(requests).flatMap((request) => [
      ...singleFaults.map((rule): Moment => ({ request, strike: { kind: "fault", rule } })),
      { request, strike: { kind: "fault", rule: { kind: "dropAfter" }, code: "EHOSTUNREACH" } },
    ]);
  const refused: Moment[] = each(requests).map((request) => ({
    request,
    strike: { kind: "fault", rule: refusal },
  }));
  return [
    ...(kind === "back" ? [...refused, { lag: 10_000 }] : []),
    ...each(requests).flatMap((request): Moment[] => [
      ...sides.map((when): Moment => ({ request, strike: { kind: "kill", when } })),
      // The engine goes on, and records nothing of what the plugin did: only the program that did it shows what is left.
      ...(kind === "crash" ? [alone(request)] : []),
    ]),
    ...each(writes).flatMap((write) => sides.map((when): Moment => ({ write, when }))),
  ];
}

const alone = (request: number): Moment => ({
  request,
  strike: { kind: "kill", when: "after", isAlone: true },
});

/** A world whose last round ends badly where something happens at the moment. */
export interface PointFinding {
  readonly world: World;
  readonly moment: Moment;
  readonly finding: Finding;
}

/** Goes through every moment of the last round. The round itself is not disturbed otherwise. */
export async function throughPoints(
  world: World,
  kind: PointKind,
  tally: Tally,
  found: (finding: PointFinding) => void,
): Promise<number> {
  const ended = await runBoth(world, { tally });
  const moments = momentsOf(kind, ended);
  for (const moment of moments) {
    try {
      await runBoth(world, { tally, moment });
    } catch (finding) {
      found({ world, moment, finding: finding as Finding });
    }
  }
  return moments.length;
}
