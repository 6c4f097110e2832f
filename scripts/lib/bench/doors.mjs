import { inTurns, stepsOf } from "./measure.mjs";
import { gatewayProgram } from "./programs.mjs";
import { startTimes } from "./start.mjs";

/** A small stack, in which the start of the plugin decides. */
const few = 10;

/** Times and sizes of the same programs through both doors, in turns, and how fast their plugins start. */
export async function doorsCost(bench, count, runs, note) {
  note("both doors: start of the plugins");
  const start = await startTimes(bench.gateway, 5 * runs);
  return {
    runs,
    start,
    small: await compared(bench, few, runs, note),
    large: await compared(bench, count, runs, note),
  };
}

async function compared(bench, count, runs, note) {
  const life = (door) => ({
    program: (rules, revised) => gatewayProgram(rules, revised, door),
    count,
    project: bench.gateway,
    isDeployed: true,
  });
  const programs = { own: life("/native"), dynamic: life("") };
  const all = await inTurns(bench, { programs, what: `both doors, ${count} rules`, runs }, note);
  const bytesOf = ({ state }) => Math.round(state.length / (count + 1));
  const [{ own, dynamic }] = all;
  return { count, steps: stepsOf(all), stateBytes: bytesOf(own), dynamicStateBytes: bytesOf(dynamic) };
}
