/** Looks for a shorter world that fails too. */
import type { WorldResource } from "../rounds/world";
import { referencesIn, type Round, type World } from "./plan";

/** Each attempt takes as long as its world. */
export interface Effort {
  readonly mostAttempts: number;
  readonly longestMs: number;
}

/**
 * @param world whose last round fails.
 * @param fails why a world fails, or undefined where it ends well.
 */
export async function shrink(
  world: World,
  fails: (world: World) => Promise<string | undefined>,
  { mostAttempts, longestMs }: Effort,
): Promise<World> {
  let shortest = world;
  let attempts = 0;
  const end = performance.now() + longestMs;
  for (let isShorter = true; isShorter;) {
    isShorter = false;
    for (const candidate of allShorter(shortest)) {
      if (attempts++ >= mostAttempts || performance.now() > end) return shortest;
      if ((await fails(candidate)) === undefined) continue;
      shortest = candidate;
      isShorter = true;
      break;
    }
  }
  return shortest;
}

function* allShorter(world: World): Generator<World> {
  yield* shorter(world);
  yield* withFewerArguments(world);
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
  if (world.ahead) yield { ...world, ahead: 0 };
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
    if (faults.length > 1) for (const j of faults.keys()) yield withRound({ faults: faults.toSpliced(j, 1) });
    if (byHand.length > 1) for (const j of byHand.keys()) yield withRound({ byHand: byHand.toSpliced(j, 1) });
    if (round.isBlindFirst) yield withRound({ isBlindFirst: false });
    if (round.hours) yield withRound({ hours: 0 });
    if (round.beside) yield withRound({ beside: undefined });
    if (round.targetsFirst) yield withRound({ targetsFirst: undefined });
    if (round.isProtectedFirst) yield withRound({ isProtectedFirst: false });
    if (round.surprise) yield withRound({ surprise: undefined });
    if (round.late) yield withRound({ late: undefined });
    if (round.isRefusedFirst) yield withRound({ isRefusedFirst: false });
    if (round.logs) yield withRound({ logs: false });
    // What was changed by hand needs the refresh.
    const isChanged = byHand.some(({ kind }) => kind !== "make");
    if (["up --refresh", "refresh, then up"].includes(round.command) && !isChanged)
      yield withRound({ command: "up" });
  }
}

/** Worlds in which one resource has one argument less, in all rounds. */
function* withFewerArguments(world: World): Generator<World> {
  const named = new Map<string, Set<string>>();
  for (const { program } of world.rounds)
    for (const { name, args } of program)
      named.set(name, new Set([...(named.get(name) ?? []), ...Object.keys(args)]));
  for (const [name, args] of named)
    for (const argument of args)
      yield {
        ...world,
        rounds: world.rounds.map((round) => ({
          ...round,
          program: round.program.map((resource) => {
            if (resource.name !== name) return resource;
            const { [argument]: _, ...rest } = resource.args;
            return { ...resource, args: rest };
          }),
        })),
      };
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
