/** A few worlds of the simulation, for each mutant that no other test notices. They are loaded only then. */
const seed = 1;

let giveBack: (() => void) | undefined;

async function simulation() {
  // The first test loads everything again, under the seed.
  if (giveBack === undefined) jest.resetModules();
  const { leave } = await import("../simulation/machine/entropy.js");
  giveBack = leave;
  const { throughPoints } = await import("../simulation/points.js");
  const { runWorld } = await import("../simulation/world-run.js");
  const { smallWorldOf, worldOf } = await import("../worlds/plan.js");
  const { Tally } = await import("../worlds/tally.js");
  return { throughPoints, runWorld, smallWorldOf, worldOf, Tally };
}

afterAll(() => giveBack?.());

const timeout = 60_000;

test.each([1, 5, 9, 13])(
  "the four worlds from %i on end well",
  async (first) => {
    const { runWorld, worldOf } = await simulation();
    for (let number = first; number < first + 4; number++) await runWorld(worldOf(seed, number));
  },
  timeout,
);

test.each([1, 2, 3])(
  "the small world %i ends well after a kill at every moment",
  async (number) => {
    const { throughPoints, smallWorldOf, Tally } = await simulation();
    await throughPoints(smallWorldOf(seed, number), "crash", new Tally(), ({ finding }) => {
      throw finding;
    });
  },
  timeout,
);
