/** Looks for a shorter world that fails too. */
import type { WorldResource } from "../rounds/world";
import type { Round, World } from "./plan";

/** Each attempt takes as long as its world. */
const mostAttempts = 16;
const longestMs = 5 * 60_000;

/**
 * @param world whose last round fails.
 * @param fails why a world fails, or undefined where it ends well.
 */
export async function shrink(
  world: World,
  fails: (world: World) => Promise<string | undefined>,
): Promise<World> {
  let shortest = world;
  let attempts = 0;
  const end = Date.now() + longestMs;
  for (let isShorter = true; isShorter;) {
    isShorter = false;
    for (const candidate of shorter(shortest)) {
      if (attempts++ >= mostAttempts || Date.now() > end) return shortest;
      if ((await fails(candidate)) === undefined) continue;
      shortest = candidate;
      isShorter = true;
      break;
    }
  }
  return shortest;
}

/** Worlds with less in them, those with much less first. */
function* shorter(world: World): Generator<World> {
  const { rounds } = world;
  const withRounds = (left: readonly Round[]): World => ({ ...world, rounds: left });
  if (rounds.length > 2) yield withRounds(rounds.slice(-2));
  if (rounds.length > 1) {
    yield withRounds(rounds.slice(-1));
    for (const i of rounds.keys()) if (i < rounds.length - 1) yield withRounds(rounds.toSpliced(i, 1));
  }
  const names = [...new Set(rounds.flatMap(({ program }) => program.map(({ name }) => name)))];
  for (let size = Math.ceil(names.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < names.length; from += size)
      yield withRounds(rounds.map((round) => without(round, names.slice(from, from + size))));
  }
  for (const [i, round] of rounds.entries()) {
    const { byHand, faults, kill } = round;
    const withRound = (change: Partial<Round>): World => withRounds(rounds.with(i, { ...round, ...change }));
    if (kill) yield withRound({ kill: undefined });
    if (faults.length > 0) yield withRound({ faults: [] });
    if (byHand.length > 0) yield withRound({ byHand: [] });
  }
}

/** The round without these resources and all that refer to them. */
function without(round: Round, names: readonly string[]): Round {
  const gone = new Set(names);
  const program: WorldResource[] = [];
  for (const resource of round.program) {
    const refersToGone = referencesIn(resource.args).some((name) => gone.has(name));
    if (refersToGone) gone.add(resource.name);
    if (!gone.has(resource.name)) program.push(resource);
  }
  return { ...round, program };
}

function referencesIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("@") ? [value.slice(1)] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [...referencesIn(key), ...referencesIn(item)]);
}
