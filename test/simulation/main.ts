/**
 * One process of `npm run simulate`: takes every n-th world. It says what it did with a message to its parent. Without
 * one it is told by an argument, and prints the first finding.
 */
import "./machine/entropy";
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { smallWorldOf, wayBackWorldOf, worldFrom, worldForSimulation } from "../worlds/plan";
import type { Draft, World } from "../worlds/plan";
import { Tally } from "../worlds/tally";
import { runBoth } from "./both-doors";
import { BrokenWorlds } from "./broken-worlds";
import { inShort } from "./finding";
import { draftsIn } from "./from";
import { throughPoints, type PointKind } from "./points";
import { inTime } from "./time";
import { rehearsedWorld, rehearseSimulated } from "./rehearsals";
import type { Finding, Moment } from "./world-run";

export interface Options {
  readonly seed: number;
  readonly first: number;
  readonly worlds: number;
  /** Small worlds, each once for every moment of its last round. */
  readonly points?: PointKind;
  /** Rehearses each deployment and holds it against the deployment itself, through both doors. */
  readonly rehearsals?: boolean;
  /** Breaks deployments through the broker, each at one write, and resumes them. */
  readonly broker?: boolean;
  /** The file of an exported stack, with whose resources all worlds begin. */
  readonly from?: string;
  readonly process: number;
  readonly processes: number;
  /** Ends with the first finding, which is not shrunk. */
  readonly stops?: boolean;
  /** Prints the hash of each world's trace. */
  readonly traces?: boolean;
}

async function main({
  seed,
  first,
  worlds,
  points,
  process: own,
  processes,
  stops,
  traces = false,
  rehearsals,
  broker,
  from,
}: Options): Promise<void> {
  const drafts = from === undefined ? undefined : draftsIn(from, seed);
  const tally = new Tally();
  let [moments, findings] = [0, 0];
  const report = async (world: Parameters<typeof inShort>[0], finding: Finding, moment?: Moment) => {
    findings += 1;
    if (stops) return stopAt(world.number, finding);
    send({ found: await inShort(world, finding, moment) });
  };
  let writes = 0;
  const broken = new BrokenWorlds();
  for (let number = first + own; number < first + worlds; number += processes) {
    if (rehearsals) {
      for (const door of ["dynamic", "native"] as const) {
        const rehearsed = await rehearseSimulated(rehearsedWorld(seed, number), door);
        writes += rehearsed.writes;
        findings += rehearsed.differences.length;
        for (const message of rehearsed.differences)
          send({ found: { seed, number, message: `${door}: ${message}`, test: "" } });
      }
      if ((number - first) % 200 < processes) send({ progress: { number, words: `${writes} writes` } });
      continue;
    }
    if (broker) {
      for (const message of await broken.add(rehearsedWorld(seed, number))) {
        findings += 1;
        send({ found: { seed, number, message, test: "" } });
      }
      if ((number - first) % 200 < processes) send({ progress: { number, words: broken.inWords() } });
      continue;
    }
    const world = worldFor({ points, drafts }, seed, number);
    try {
      if (points) {
        const found: [Finding, Moment][] = [];
        moments += await throughPoints(world, points, tally, ({ finding, moment }) =>
          found.push([finding, moment]),
        );
        // The others of one world are most often the same.
        if (found[0]) await report(world, ...found[0]);
      } else {
        const { trace } = await runBoth(world, { tally, traces });
        if (traces) writeSync(1, `${number} ${trace.length} ${sha256(trace.join("\n"))}\n`);
      }
    } catch (error) {
      await report(world, error as Finding);
    }
    if ((number - first) % 200 < processes) send({ progress: { number, words: tally.inWords() } });
  }
  if (broker) send({ progress: { number: first + worlds - 1, words: broken.inWords() } });
  send({
    done: { counts: tally.counts, faults: [...tally.faults], types: [...tally.types], moments, findings },
  });
}

function worldFor(
  { points, drafts }: { points: PointKind | undefined; drafts: readonly Draft[] | undefined },
  seed: number,
  number: number,
): World {
  if (points === "back") return wayBackWorldOf(seed, number);
  if (points) return inTime(smallWorldOf(seed, number));
  if (drafts) return inTime(worldFrom(drafts, seed, number));
  return inTime(worldForSimulation(seed, number));
}

function send(message: object): void {
  process.send?.(message);
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function stopAt(number: number, { message }: Finding): never {
  writeSync(1, `${JSON.stringify({ number, message })}\n`);
  process.exit(1);
}

// Requests of processes that were killed still have timers.
const [given] = process.argv.slice(2);
if (given === undefined)
  process.once("message", (options) => void main(options as Options).then(() => process.disconnect(), fail));
else void main(JSON.parse(given) as Options).then(() => process.exit(0));

function fail(error: unknown): void {
  send({ failed: String((error as Error).stack) });
  process.disconnect();
}
