/** What is reported of a world that fails: the shortest one that fails in the same way, as a test. */
import type { World } from "../worlds/plan";
import { shrink, type Effort } from "../worlds/shrink";
import { runBoth } from "./both-doors";
import type { Finding, Moment } from "./world-run";

export interface Found {
  readonly seed: number;
  readonly number: number;
  readonly message: string;
  readonly test: string;
}

/** How a world runs that is to become shorter. */
export interface Way {
  /** What `npm run simulate` takes too, to repeat it. */
  readonly option: string;
  readonly run: (world: World, moment: Moment | undefined) => Promise<unknown>;
  readonly effort: Effort;
}

const simulated: Way = {
  option: "",
  run: (world, moment) => runBoth(world, { moment }),
  effort: { mostAttempts: 2_000, longestMs: 60_000 },
};

/** Shrinks the world. Only a failure that begins like the first one counts as the same. */
export async function inShort(
  world: World,
  first: Finding,
  moment: Moment | undefined,
  { option, run, effort }: Way = simulated,
): Promise<Found> {
  const kind = kindOf(first.message);
  let { message } = first;
  const fails = async (candidate: World): Promise<string | undefined> => {
    try {
      await run(candidate, moment);
      return undefined;
    } catch (error) {
      const found = (error as Finding).message;
      return kindOf(found) === kind ? (message = found) : undefined;
    }
  };
  const cut = { ...world, rounds: world.rounds.slice(0, first.round + 1) };
  const shortest = await shrink(cut, fails, effort);
  const { seed, number } = world;
  return { seed, number, message, test: asTest(shortest, message, moment, option) };
}

/** The first words, which no id is in. */
const kindOf = (message: string) => message.replace(/[\d"].*/s, "").slice(0, 60);

/** A file for test/simulation/found, whose title says what was expected. */
function asTest(
  { seed, number, stamps, ahead, rounds, also }: World,
  message: string,
  moment: Moment | undefined,
  option: string,
): string {
  const seen = message
    .split("\n")
    .slice(0, 12)
    .map((line) => ` *   ${line.slice(0, 160)}`);
  const told = { seed, number, stamps, ahead, rounds, also };
  return `/**
 * Found by \`npm run simulate --${option} --seed ${seed} --first ${number}\`. Seen:
${seen.join("\n").replaceAll("*/", "* /")}
 */
import { endsWell } from "../story";

test("say here what was expected", () =>
  endsWell(${JSON.stringify(told, null, 2)}${moment ? `, ${JSON.stringify(moment)}` : ""}));
`;
}
